// Two fingers make the board larger, one moves it then, a double tap shows all of it again. Nothing is drawn anew: the
// drawing as it is gets another transform. Mouse and keyboard are left alone.

import { useEffect, useRef, useState } from "preact/hooks";
import { t } from "../catalogue/index.js";
import { Icon } from "./art.js";
import "../style/zoom.css";

/** @typedef {{scale: number, x: number, y: number}} Zoom where the drawing's corner is, and how much larger it is */
/** @typedef {{x: number, y: number}} Point */

export const WHOLE = Object.freeze({ scale: 1, x: 0, y: 0 });
const LARGEST = 4;
const DOUBLE_TAP = 300;
/** Pixels that a finger may tremble. */
const TREMBLE = 8;

/** The same drawing without a gap at any edge. @param {Zoom} zoom @param {{width: number, height: number}} size @returns {Zoom} */
export function within({ scale, x, y }, { width, height }) {
  const held = Math.max(1, Math.min(LARGEST, scale));
  if (held === 1) return WHOLE;
  const between = (/** @type {number} */ value, /** @type {number} */ least) => Math.max(least, Math.min(0, value));
  return { scale: held, x: between(x, width - width * held), y: between(y, height - height * held) };
}

/**
 * What two fingers do: what was under them stays under them.
 * @param {Zoom} zoom @param {[Point, Point]} before @param {[Point, Point]} after
 */
export function pinched(zoom, before, after) {
  const middle = (/** @type {[Point, Point]} */ [one, other]) => ({ x: (one.x + other.x) / 2, y: (one.y + other.y) / 2 });
  const spread = (/** @type {[Point, Point]} */ [one, other]) => Math.hypot(one.x - other.x, one.y - other.y);
  const [from, to] = [middle(before), middle(after)];
  const scale = Math.max(1, Math.min(LARGEST, zoom.scale * (spread(after) / Math.max(1, spread(before)))));
  const factor = scale / zoom.scale;
  return { scale, x: to.x - (from.x - zoom.x) * factor, y: to.y - (from.y - zoom.y) * factor };
}

/** A room in which fingers can make what it holds larger. @param {{class: string, children: any}} props */
export function ZoomRoom({ class: name, children }) {
  /** @type {import("preact").RefObject<HTMLDivElement>} */
  const room = useRef(null);
  const whole = useRef(() => {});
  const [isZoomed, setZoomed] = useState(false);
  useEffect(() => {
    const element = /** @type {HTMLDivElement} */ (room.current);
    const drawing = /** @type {HTMLElement} */ (element.firstElementChild);
    /** @type {Map<number, Point>} */
    const fingers = new Map();
    /** @type {Zoom} */
    let zoom = WHOLE;
    let hasMoved = false;
    let tappedAt = -DOUBLE_TAP;
    const show = (/** @type {Zoom} */ wanted) => {
      zoom = within(wanted, { width: drawing.offsetWidth, height: drawing.offsetHeight });
      drawing.style.transform = zoom === WHOLE ? "" : `translate(${zoom.x}px, ${zoom.y}px) scale(${zoom.scale})`;
      drawing.style.setProperty("--zoom", String(zoom.scale));
      setZoomed(zoom !== WHOLE);
    };
    whole.current = () => show(WHOLE);
    const pointOf = (/** @type {PointerEvent} */ event) => {
      const { left, top } = element.getBoundingClientRect();
      return { x: event.clientX - left - drawing.offsetLeft, y: event.clientY - top - drawing.offsetTop };
    };
    const down = (/** @type {PointerEvent} */ event) => {
      if (event.pointerType !== "touch") return;
      if (!fingers.size) hasMoved = false;
      fingers.set(event.pointerId, pointOf(event));
    };
    const move = (/** @type {PointerEvent} */ event) => {
      const before = fingers.get(event.pointerId);
      if (!before) return;
      const after = pointOf(event);
      const [other] = [...fingers].filter(([id]) => id !== event.pointerId).map(([, point]) => point);
      if (!other && !hasMoved && Math.hypot(after.x - before.x, after.y - before.y) < TREMBLE) return;
      hasMoved = true;
      if (other) show(pinched(zoom, [before, other], [after, other]));
      else if (zoom !== WHOLE) show({ ...zoom, x: zoom.x + after.x - before.x, y: zoom.y + after.y - before.y });
      fingers.set(event.pointerId, after);
    };
    const up = (/** @type {PointerEvent} */ event) => {
      if (!fingers.delete(event.pointerId) || fingers.size || hasMoved) return;
      // Right after a movement a browser may hold the click of a tap back, so the button does not wait for it.
      const isButton = /** @type {Element} */ (event.target).closest(".zoom-whole") !== null;
      // The button is gone when the click comes, which must not fall through to the board.
      hasMoved = isButton;
      if (isButton || (event.timeStamp - tappedAt < DOUBLE_TAP && zoom !== WHOLE)) show(WHOLE);
      tappedAt = event.timeStamp;
    };
    const click = (/** @type {MouseEvent} */ event) => {
      // Whoever moves the drawing does not mean what lies under the finger.
      if (!hasMoved) return;
      hasMoved = false;
      event.stopPropagation();
      event.preventDefault();
    };
    const focus = (/** @type {FocusEvent} */ event) => {
      // Somebody goes on by keyboard, and must see where they are.
      if (/** @type {Element} */ (event.target).matches(":focus-visible")) show(WHOLE);
    };
    const listeners = /** @type {[string, any, boolean][]} */ ([
      ["pointerdown", down, false],
      ["pointermove", move, false],
      ["pointerup", up, false],
      ["pointercancel", up, false],
      ["click", click, true],
      ["focusin", focus, false],
    ]);
    for (const [sort, listener, isFirst] of listeners) element.addEventListener(sort, listener, isFirst);
    return () => {
      for (const [sort, listener, isFirst] of listeners) element.removeEventListener(sort, listener, isFirst);
    };
  }, []);
  return (
    <div ref={room} class={`zoom-room ${name} ${isZoomed ? "zoomed" : ""}`}>
      {children}
      {isZoomed && (
        <button type="button" class="zoom-whole" onClick={() => whole.current()}>
          <Icon name="whole" />
          {t("zoom.whole")}
        </button>
      )}
    </div>
  );
}

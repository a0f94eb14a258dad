// Pinch zoom for a board on a touch screen: two fingers zoom, one finger moves, a double tap resets. It only sets a CSS
// transform, so the board is not rendered again. Mouse and keyboard are not affected.

import { useEffect, useRef, useState } from "preact/hooks";
import { t } from "../catalogue/index.js";
import { Icon } from "./art.js";
import "../style/zoom.css";

/** @typedef {{scale: number, x: number, y: number}} Zoom the offset of the drawing's corner, and its scale */
/** @typedef {{x: number, y: number}} Point */

/** @typedef {{left: number, top: number, right: number, bottom: number}} Box */

export const UNZOOMED = Object.freeze({ scale: 1, x: 0, y: 0 });
const MAX_SCALE = 4;
/** How large a part of the drawing that the page itself points at is shown. */
const FOCUS_SCALE = 2.2;
/** The event by which the page shows a part of the drawing. */
const FOCUS = "focuszoom";
const DOUBLE_TAP = 300;
/** Pixels that a finger may move during a tap. */
const TOUCH_SLOP = 8;

/** Return the zoom without a gap at any edge. @param {Zoom} zoom @param {{width: number, height: number}} size @returns {Zoom} */
export function clamped({ scale, x, y }, { width, height }) {
  const bounded = Math.max(1, Math.min(MAX_SCALE, scale));
  if (bounded === 1) return UNZOOMED;
  const clamp = (/** @type {number} */ value, /** @type {number} */ minimum) => Math.max(minimum, Math.min(0, value));
  return { scale: bounded, x: clamp(x, width - width * bounded), y: clamp(y, height - height * bounded) };
}

/**
 * Return the zoom after two fingers moved: the points under the fingers stay under them.
 * @param {Zoom} zoom @param {[Point, Point]} before @param {[Point, Point]} after
 */
export function pinched(zoom, before, after) {
  const middle = (/** @type {[Point, Point]} */ [one, other]) => ({ x: (one.x + other.x) / 2, y: (one.y + other.y) / 2 });
  const spread = (/** @type {[Point, Point]} */ [one, other]) => Math.hypot(one.x - other.x, one.y - other.y);
  const [from, to] = [middle(before), middle(after)];
  const scale = Math.max(1, Math.min(MAX_SCALE, zoom.scale * (spread(after) / Math.max(1, spread(before)))));
  const factor = scale / zoom.scale;
  return { scale, x: to.x - (from.x - zoom.x) * factor, y: to.y - (from.y - zoom.y) * factor };
}

/**
 * Return the zoom that shows a box of the drawing in the middle of a room, larger but whole.
 * @param {Box} box on the unzoomed drawing @param {Box} room in the same pixels
 * @returns {Zoom}
 */
export function zoomedOn(box, room) {
  const scale = Math.max(1, Math.min(FOCUS_SCALE, (room.right - room.left) / (box.right - box.left), (room.bottom - room.top) / (box.bottom - box.top)));
  const middle = (/** @type {Box} */ { left, top, right, bottom }) => ({ x: (left + right) / 2, y: (top + bottom) / 2 });
  const [from, to] = [middle(box), middle(room)];
  return { scale, x: to.x - from.x * scale, y: to.y - from.y * scale };
}

/**
 * Show elements of a zoom area large, in a room of the window; without a room the area is shown whole.
 * @param {Element} area @param {Element[]} elements @param {Box | null} room
 */
export function focusZoom(area, elements, room) {
  area.dispatchEvent(new CustomEvent(FOCUS, { detail: { elements, room } }));
}

/** An area whose first child can be zoomed with fingers. @param {{class: string, children: any}} props */
export function ZoomArea({ class: name, children }) {
  /** @type {import("preact").RefObject<HTMLDivElement>} */
  const area = useRef(null);
  const reset = useRef(() => {});
  const [isZoomed, setZoomed] = useState(false);
  useEffect(() => {
    const element = area.current;
    // The area may be gone before its effect runs.
    if (!element) return undefined;
    const drawing = /** @type {HTMLElement} */ (element.firstElementChild);
    /** @type {Map<number, Point>} */
    const fingers = new Map();
    /** @type {Zoom} */
    let zoom = UNZOOMED;
    let hasMoved = false;
    let tappedAt = -DOUBLE_TAP;
    const show = (/** @type {Zoom} */ wanted, isFree = false) => {
      zoom = isFree && wanted.scale > 1 ? wanted : clamped(wanted, { width: drawing.offsetWidth, height: drawing.offsetHeight });
      drawing.style.transform = zoom === UNZOOMED ? "" : `translate(${zoom.x}px, ${zoom.y}px) scale(${zoom.scale})`;
      drawing.style.setProperty("--zoom", String(zoom.scale));
      setZoomed(zoom !== UNZOOMED);
    };
    reset.current = () => show(UNZOOMED);
    /** Return where a finger is on the unzoomed drawing. @param {PointerEvent} event @returns {Point} */
    const pointOf = (event) => {
      const { left, top } = element.getBoundingClientRect();
      // Offsets are relative to the nearest positioned ancestor, which may be outside of the area.
      const origin = drawing.offsetParent === element ? { x: 0, y: 0 } : { x: element.offsetLeft, y: element.offsetTop };
      return { x: event.clientX - left - drawing.offsetLeft + origin.x, y: event.clientY - top - drawing.offsetTop + origin.y };
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
      if (!other && !hasMoved && Math.hypot(after.x - before.x, after.y - before.y) < TOUCH_SLOP) return;
      hasMoved = true;
      if (other) show(pinched(zoom, [before, other], [after, other]));
      else if (zoom !== UNZOOMED) show({ ...zoom, x: zoom.x + after.x - before.x, y: zoom.y + after.y - before.y });
      fingers.set(event.pointerId, after);
    };
    const up = (/** @type {PointerEvent} */ event) => {
      if (!fingers.delete(event.pointerId) || fingers.size || hasMoved) return;
      // A browser may hold back the click of a tap right after a movement, so the button acts on pointerup.
      const isButton = /** @type {Element} */ (event.target).closest(".zoom-reset") !== null;
      const isDoubleTap = event.timeStamp - tappedAt < DOUBLE_TAP;
      tappedAt = event.timeStamp;
      if (zoom === UNZOOMED || !(isButton || isDoubleTap)) return;
      show(UNZOOMED);
      // The click follows when the board has moved under the finger, and must not activate what is there now.
      hasMoved = true;
    };
    const click = (/** @type {MouseEvent} */ event) => {
      // A movement must not activate what is under the finger.
      if (!hasMoved) return;
      hasMoved = false;
      event.stopPropagation();
      event.preventDefault();
    };
    const focus = (/** @type {FocusEvent} */ event) => {
      // Keyboard focus must be visible, so it resets the zoom.
      if (/** @type {Element} */ (event.target).matches(":focus-visible")) show(UNZOOMED);
    };
    const focusOn = (/** @type {any} */ { detail: { elements, room } }) => {
      if (!room || !elements.length) {
        if (zoom !== UNZOOMED) show(UNZOOMED);
        return;
      }
      const corner = drawing.getBoundingClientRect();
      const boxes = elements.map((/** @type {Element} */ element) => element.getBoundingClientRect());
      const edge = (/** @type {"left" | "top" | "right" | "bottom"} */ side, /** @type {(...values: number[]) => number} */ pick) => {
        const origin = side === "left" || side === "right" ? corner.left : corner.top;
        return (pick(...boxes.map((/** @type {DOMRect} */ box) => box[side])) - origin) / zoom.scale;
      };
      const box = { left: edge("left", Math.min), top: edge("top", Math.min), right: edge("right", Math.max), bottom: edge("bottom", Math.max) };
      const [x, y] = [corner.left - zoom.x, corner.top - zoom.y];
      const margin = 0.4 * Math.max(box.right - box.left, box.bottom - box.top);
      const wide = { left: box.left - margin, top: box.top - margin, right: box.right + margin, bottom: box.bottom + margin };
      show(zoomedOn(wide, { left: room.left - x, top: room.top - y, right: room.right - x, bottom: room.bottom - y }), true);
    };
    const listeners = /** @type {[string, any, boolean][]} */ ([
      ["pointerdown", down, false],
      ["pointermove", move, false],
      ["pointerup", up, false],
      ["pointercancel", up, false],
      ["click", click, true],
      ["focusin", focus, false],
      [FOCUS, focusOn, false],
    ]);
    for (const [type, listener, isCapture] of listeners) element.addEventListener(type, listener, isCapture);
    return () => {
      for (const [type, listener, isCapture] of listeners) element.removeEventListener(type, listener, isCapture);
    };
  }, []);
  return (
    <div ref={area} class={`zoom-area ${name} ${isZoomed ? "zoomed" : ""}`}>
      {children}
      {isZoomed && (
        <button type="button" class="zoom-reset" onClick={() => reset.current()}>
          <Icon name="whole" />
          {t("zoom.reset")}
        </button>
      )}
    </div>
  );
}

// What a mouse learns by hovering, a finger learns by a tap on what does nothing, or by a long press on what does.

import { useEffect, useState } from "preact/hooks";
import "../style/explain.css";

const LONG = 450;
const STAYS = 5000;
const TREMBLE = 10;
const DRAWN = "[data-district], [data-street]";
const ACTS = "button, a, input, select, summary, [role=button], [role=tab]";

/** All that is said of an element, without what is only for the eyes. @param {Element} element @returns {string[]} */
function said(element) {
  return [...element.childNodes].flatMap((node) => {
    if (node instanceof Text) return node.data.trim() || [];
    return node instanceof Element && node.ariaHidden !== "true" ? said(node) : [];
  });
}

/** @param {Element} element */
function textOf(element) {
  return element.getAttribute("title") || element.getAttribute("aria-label") || said(element).join(" · ");
}

/** What there is to say about a touched place. @param {Element} target @param {boolean} isHeld */
function explained(target, isHeld) {
  const control = target.closest(ACTS);
  const acts = control !== null && control.ariaDisabled !== "true";
  // A tap on what acts only acts.
  if (acts && !isHeld) return null;
  return target.closest("[data-explain]") ?? target.closest(isHeld ? `[title], ${DRAWN}` : "[title]");
}

/** The words, above or below what was touched. Stands once on a page. */
export function Explanation() {
  const [shown, setShown] = useState(/** @type {{text: string, place: Record<string, string>} | null} */ (null));
  useEffect(() => {
    /** @type {{target: Element, x: number, y: number, timer: ReturnType<typeof setTimeout>} | null} */
    let touch = null;
    const show = (/** @type {Element | null} */ element) => {
      const text = element && textOf(element);
      if (!text) return;
      const { left, width, top, bottom } = element.getBoundingClientRect();
      const side = Math.max(130, Math.min(innerWidth - 130, left + width / 2));
      const isBelow = top < innerHeight / 2;
      setShown({ text, place: { left: `${side}px`, ...(isBelow ? { top: `${bottom + 8}px` } : { bottom: `${innerHeight - top + 8}px` }) } });
    };
    const forget = () => {
      if (touch) clearTimeout(touch.timer);
      touch = null;
    };
    const down = (/** @type {PointerEvent} */ event) => {
      forget();
      setShown(null);
      if (event.pointerType !== "touch" || !event.isPrimary || !(event.target instanceof Element)) return;
      const target = event.target;
      const timer = setTimeout(() => {
        touch = null;
        show(explained(target, true));
      }, LONG);
      touch = { target, x: event.clientX, y: event.clientY, timer };
    };
    const move = (/** @type {PointerEvent} */ event) => {
      if (touch && Math.hypot(event.clientX - touch.x, event.clientY - touch.y) > TREMBLE) forget();
    };
    const up = () => {
      if (touch) show(explained(touch.target, false));
      forget();
    };
    addEventListener("pointerdown", down);
    addEventListener("pointermove", move);
    addEventListener("pointerup", up);
    addEventListener("pointercancel", forget);
    return () => {
      forget();
      removeEventListener("pointerdown", down);
      removeEventListener("pointermove", move);
      removeEventListener("pointerup", up);
      removeEventListener("pointercancel", forget);
    };
  }, []);
  useEffect(() => {
    if (!shown) return undefined;
    const timer = setTimeout(() => setShown(null), STAYS);
    return () => clearTimeout(timer);
  }, [shown]);
  return (
    shown && (
      <p class="explanation" style={shown.place} role="status">
        {shown.text}
      </p>
    )
  );
}

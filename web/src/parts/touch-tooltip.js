// Tooltips for touch screens: a tap on an inactive element, or a long press on an active one.

import { useEffect, useState } from "preact/hooks";
import "../style/touch-tooltip.css";

const LONG_PRESS = 450;
const SHOWN_FOR = 5000;
const TOUCH_SLOP = 10;
const DRAWN = "[data-district], [data-street]";
const CONTROLS = "button, a, input, select, summary, [role=button], [role=tab], [role=gridcell][aria-selected]";

/** Return the texts of an element without those that are hidden from screen readers. @param {Element} element @returns {string[]} */
function accessibleText(element) {
  return [...element.childNodes].flatMap((node) => {
    if (node instanceof Text) return node.data.trim() || [];
    return node instanceof Element && node.ariaHidden !== "true" ? accessibleText(node) : [];
  });
}

/** @param {Element} element */
function tooltipText(element) {
  return element.getAttribute("title") || element.getAttribute("aria-label") || accessibleText(element).join(" · ");
}

/** Return the element whose tooltip a touch opens, or null. @param {Element} target @param {boolean} isHeld */
function tooltipTarget(target, isHeld) {
  const control = target.closest(CONTROLS);
  const isEnabled = control !== null && control.ariaDisabled !== "true";
  // A tap on a control only activates it.
  if (isEnabled && !isHeld) return null;
  return target.closest("[data-tooltip]") ?? target.closest(isHeld ? `[title], ${DRAWN}` : "[title]");
}

/** The open tooltip, above or below the touched element. A page renders it once. */
export function TouchTooltip() {
  const [shown, setShown] = useState(/** @type {{text: string, place: Record<string, string>} | null} */ (null));
  useEffect(() => {
    /** @type {{target: Element, x: number, y: number, timer: ReturnType<typeof setTimeout>} | null} */
    let touch = null;
    let ignoresClick = false;
    const show = (/** @type {Element | null} */ element) => {
      const text = element && tooltipText(element);
      if (!text) return false;
      const { left, width, top, bottom } = element.getBoundingClientRect();
      const side = Math.max(130, Math.min(innerWidth - 130, left + width / 2));
      const isBelow = top < innerHeight / 2;
      setShown({ text, place: { left: `${side}px`, ...(isBelow ? { top: `${bottom + 8}px` } : { bottom: `${innerHeight - top + 8}px` }) } });
      return true;
    };
    const cancelTouch = () => {
      if (touch) clearTimeout(touch.timer);
      touch = null;
    };
    const down = (/** @type {PointerEvent} */ event) => {
      cancelTouch();
      setShown(null);
      ignoresClick = false;
      if (event.pointerType !== "touch" || !event.isPrimary || !(event.target instanceof Element)) return;
      const target = event.target;
      const timer = setTimeout(() => {
        touch = null;
        ignoresClick = show(tooltipTarget(target, true));
      }, LONG_PRESS);
      touch = { target, x: event.clientX, y: event.clientY, timer };
    };
    const move = (/** @type {PointerEvent} */ event) => {
      if (touch && Math.hypot(event.clientX - touch.x, event.clientY - touch.y) > TOUCH_SLOP) cancelTouch();
    };
    const up = () => {
      if (touch) show(tooltipTarget(touch.target, false));
      cancelTouch();
    };
    const click = (/** @type {MouseEvent} */ event) => {
      // A browser still sends a click if the press was shorter than its own long press. Keyboards send clicks without detail.
      if (!ignoresClick || !event.detail) return;
      ignoresClick = false;
      event.stopPropagation();
      event.preventDefault();
    };
    addEventListener("click", click, { capture: true });
    addEventListener("pointerdown", down);
    addEventListener("pointermove", move);
    addEventListener("pointerup", up);
    addEventListener("pointercancel", cancelTouch);
    return () => {
      cancelTouch();
      removeEventListener("click", click, { capture: true });
      removeEventListener("pointerdown", down);
      removeEventListener("pointermove", move);
      removeEventListener("pointerup", up);
      removeEventListener("pointercancel", cancelTouch);
    };
  }, []);
  useEffect(() => {
    if (!shown) return undefined;
    const timer = setTimeout(() => setShown(null), SHOWN_FOR);
    return () => clearTimeout(timer);
  }, [shown]);
  return (
    shown && (
      <p class="touch-tooltip" style={shown.place} role="status">
        {shown.text}
      </p>
    )
  );
}

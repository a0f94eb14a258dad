// A card that floats beside the button that opened it. It is in the browser's top layer, so that no container cuts it.

import { useLayoutEffect, useRef } from "preact/hooks";
import "../style/controls.css";

const GAP = 6;
const MARGIN = 8;
const WIDE = 240;

/**
 * Return where a card goes: below its anchor, or above it where there is more room, and within the window.
 * @param {{left: number, right: number, top: number, bottom: number}} anchor
 * @param {{width: number, height: number}} card
 * @param {{width: number, height: number}} around the window
 * @param {"start" | "end"} align which edges of card and anchor are in line
 */
export function placeBeside(anchor, card, around, align) {
  const below = around.height - anchor.bottom - GAP - MARGIN;
  const above = anchor.top - GAP - MARGIN;
  const isBelow = card.height <= below || below >= above;
  const height = Math.max(0, Math.min(card.height, isBelow ? below : above));
  const wanted = align === "end" ? anchor.right - card.width : anchor.left;
  return {
    left: Math.max(MARGIN, Math.min(wanted, around.width - card.width - MARGIN)),
    top: isBelow ? anchor.bottom + GAP : anchor.top - GAP - height,
    maxHeight: isBelow ? below : above,
  };
}

/**
 * The floating card. It calls `onClose` on Escape, and on a click or a focus outside of it and of its anchor.
 * @param {object} props
 * @param {import("preact").RefObject<HTMLElement>} props.anchor
 * @param {() => void} props.onClose
 * @param {"start" | "end"} [props.align]
 * @param {boolean} [props.isSheet] whether it is a sheet from below on a phone
 * @param {boolean} [props.isAsWide] whether it is at least as wide as its anchor
 * @param {string} [props.class]
 * @param {any} props.children
 * @param {any} [props.attributes] further attributes: role, id, label
 */
export function Floating({ anchor, onClose, align = "start", isSheet = false, isAsWide = false, class: name = "", children, attributes }) {
  /** @type {import("preact").RefObject<HTMLDivElement>} */
  const card = useRef(null);
  const close = useRef(onClose);
  close.current = onClose;
  useLayoutEffect(() => {
    const node = /** @type {HTMLDivElement} */ (card.current);
    const button = /** @type {HTMLElement} */ (anchor.current);
    // Browsers without a top layer show the card as a fixed box.
    node.showPopover?.();
    const place = () => {
      if (isSheet && matchMedia("(max-width: 719px)").matches) {
        node.removeAttribute("style");
        return;
      }
      node.style.maxHeight = "";
      // A button that is part of a larger control is placed by that control.
      const beside = button.closest("[data-anchor]") ?? button;
      const { width } = beside.getBoundingClientRect();
      // A list beside a wide button is as wide; beside a narrow one it is as wide as its longest line.
      if (isAsWide) Object.assign(node.style, { minWidth: `${width}px`, maxWidth: width < WIDE ? "" : `${width}px` });
      const box = { width: node.offsetWidth, height: node.scrollHeight + node.offsetHeight - node.clientHeight };
      const around = { width: document.documentElement.clientWidth, height: innerHeight };
      const { left, top, maxHeight } = placeBeside(beside.getBoundingClientRect(), box, around, align);
      Object.assign(node.style, { left: `${left}px`, top: `${top}px`, maxHeight: `${maxHeight}px` });
    };
    place();
    const observer = new ResizeObserver(place);
    observer.observe(node);
    const onOutside = (/** @type {Event} */ event) => {
      const target = /** @type {Node} */ (event.target);
      if (!node.contains(target) && !button.contains(target)) close.current();
    };
    const onScroll = (/** @type {Event} */ event) => node.contains(/** @type {Node} */ (event.target)) || place();
    document.addEventListener("pointerdown", onOutside, true);
    document.addEventListener("focusin", onOutside);
    addEventListener("scroll", onScroll, true);
    addEventListener("resize", place);
    return () => {
      observer.disconnect();
      document.removeEventListener("pointerdown", onOutside, true);
      document.removeEventListener("focusin", onOutside);
      removeEventListener("scroll", onScroll, true);
      removeEventListener("resize", place);
    };
  }, []);
  const onKeyDown = (/** @type {KeyboardEvent} */ event) => {
    if (event.key !== "Escape") return;
    // The dialog or card around this one stays open.
    event.stopPropagation();
    event.preventDefault();
    close.current();
    anchor.current?.focus();
  };
  return (
    <div ref={card} popover="manual" class={`floating ${isSheet ? "sheet" : ""} ${name}`} onKeyDown={onKeyDown} {...attributes}>
      {children}
    </div>
  );
}

// Keyboard focus: sending an answer removes the focused element, so the focus moves to the decision bar.

import { useEffect, useRef } from "preact/hooks";
import { isBusy } from "./selection.js";

/** @param {import("../store.js").TableModel} model */
export function useRefocus(model) {
  const number = model.decisionNumber.value;
  const wasHere = useRef(false);
  useEffect(() => {
    const listen = (/** @type {FocusEvent} */ { target }) => {
      wasHere.current = target instanceof Element && target.closest(".bottom, .middle") !== null;
    };
    addEventListener("focusin", listen);
    return () => removeEventListener("focusin", listen);
  }, []);
  const busy = isBusy(model);
  useEffect(() => {
    if (busy || !wasHere.current || document.activeElement !== document.body) return;
    const bar = document.querySelector(".bottom.act");
    const next = bar?.querySelector("[data-pick]:not(:disabled)") ?? bar?.querySelector(".answer:not(:disabled)") ?? bar?.querySelector(".decision-title");
    if (next instanceof HTMLElement) next.focus({ preventScroll: true });
  }, [number, busy]);
}

// A number that a seat has. When it changes it counts up in place, and the old one lingers for a moment.

import { useEffect, useRef, useState } from "preact/hooks";
import { t } from "../catalogue/index.js";
import "../style/stats.css";

const LINGERS = 1000;
const COUNTS_FOR = 360;

/**
 * @param {object} props
 * @param {any} props.icon a small drawing
 * @param {number} props.count
 * @param {string} props.labelKey the key of what a screen reader says and a hover shows, with {count}
 * @param {boolean} [props.isGold] the points that win the game
 */
export function Stat({ icon, count, labelKey, isGold = false }) {
  const { shown, ghost } = useCounting(count);
  return (
    <span class={`stat ${isGold ? "gold" : ""}`} title={t(labelKey, { count })}>
      {icon}
      <b aria-hidden="true">{shown}</b>
      {ghost !== null && (
        <s class="ghost-number" aria-hidden="true">
          {ghost}
        </s>
      )}
      <span class="hidden-visually">{t(labelKey, { count })}</span>
    </span>
  );
}

/** Count from the last number to this one. @param {number} count */
function useCounting(count) {
  const last = useRef(count);
  const [shown, setShown] = useState(count);
  const [ghost, setGhost] = useState(/** @type {number | null} */ (null));
  useEffect(() => {
    const from = last.current;
    last.current = count;
    if (from === count) return undefined;
    if (matchMedia("(prefers-reduced-motion: reduce)").matches) {
      setShown(count);
      return undefined;
    }
    setGhost(from);
    const begun = performance.now();
    let frame = requestAnimationFrame(function step(now) {
      const part = Math.min(1, (now - begun) / COUNTS_FOR);
      setShown(Math.round(from + (count - from) * part));
      if (part < 1) frame = requestAnimationFrame(step);
    });
    // A page in the background gets no frames; the timer brings the right number all the same.
    const timer = setTimeout(() => {
      setShown(count);
      setGhost(null);
    }, LINGERS);
    return () => {
      cancelAnimationFrame(frame);
      clearTimeout(timer);
      setShown(count);
      setGhost(null);
    };
  }, [count]);
  return { shown, ghost };
}

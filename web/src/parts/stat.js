// A counter of a seat. It counts up to a new value, and the old value fades out.

import { useEffect, useRef, useState } from "preact/hooks";
import { t, valueText } from "../catalogue/index.js";
import "../style/stats.css";

const LINGERS = 1000;
const COUNTS_FOR = 360;

/**
 * @param {object} props
 * @param {any} props.icon a small drawing
 * @param {number} props.count
 * @param {string} props.labelKey the catalogue key of the label, with {count}
 * @param {boolean} [props.isGold] for the points that win the game
 */
export function Stat({ icon, count, labelKey, isGold = false }) {
  const { shown, ghost } = useCounting(count);
  return (
    <span class={`stat ${isGold ? "gold" : ""}`} title={t(labelKey, { count })}>
      {icon}
      <b aria-hidden="true">{valueText(shown)}</b>
      {ghost !== null && (
        <s class="ghost-number" aria-hidden="true">
          {valueText(ghost)}
        </s>
      )}
      <span class="hidden-visually">{t(labelKey, { count })}</span>
    </span>
  );
}

/** Animate from the last value to this one. @param {number} count */
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
    // A page in the background gets no animation frames, so a timer sets the final value.
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

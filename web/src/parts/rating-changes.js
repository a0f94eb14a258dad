// How a rated game changed the ratings of those who played it: "1,512 → 1,524 ±62", counted up or down calmly.

import { useEffect, useState } from "preact/hooks";
import { t } from "../catalogue/index.js";
import { Chip } from "./art.js";
import { changeClass, changeText, numberText, ratingText } from "./figures.js";
import { nameOf } from "./names.js";
import { PersonName } from "./person-name.js";
import "../style/rating-changes.css";

const DURATION = 1200;

/** Return the number that is shown at a moment of the count. @param {number} from @param {number} to @param {number} share of the time, from 0 to 1 */
export function countedNumber(from, to, share) {
  const eased = 1 - (1 - Math.min(1, Math.max(0, share))) ** 3;
  return Math.round(from + (to - from) * eased);
}

/** Return a number that goes from one value to another; at once for those who want no motion. @param {number} from @param {number} to */
function useCount(from, to) {
  const [shown, setShown] = useState(from);
  useEffect(() => {
    if (globalThis.matchMedia?.("(prefers-reduced-motion: reduce)").matches || from === to) {
      setShown(to);
      return;
    }
    const begin = performance.now();
    let frame = requestAnimationFrame(function draw(now) {
      setShown(countedNumber(from, to, (now - begin) / DURATION));
      if (now - begin < DURATION) frame = requestAnimationFrame(draw);
    });
    return () => cancelAnimationFrame(frame);
  }, [from, to]);
  return shown;
}

/** @param {{view: any, record: import("./game-record.js").GameRecord}} props */
export function RatingChanges({ view, record }) {
  if (!view.table.settings.rated || record.state === "unknown") return null;
  const seats = record.game?.seats ?? [];
  const rated = seats
    .map((/** @type {any} */ result, /** @type {number} */ seat) => ({ ...result, seat }))
    .filter((/** @type {any} */ { rating }) => rating)
    .sort((/** @type {any} */ one, /** @type {any} */ other) => (one.place ?? 9) - (other.place ?? 9));
  const note = { pending: "rating.pending", late: "rating.late", there: "rating.none" }[record.state];
  return (
    <section class="rating-changes" aria-labelledby="ratings-title">
      <h3 id="ratings-title">{t("rating.title")}</h3>
      <div role="status">
        {rated.length ? (
          <ul class="rating-list">
            {rated.map((/** @type {any} */ { seat, handle, rating }) => (
              <RatingChange key={seat} view={view} seat={seat} handle={handle} rating={rating} />
            ))}
          </ul>
        ) : (
          <p class="small muted">{t(note)}</p>
        )}
      </div>
    </section>
  );
}

/** @param {{view: any, seat: number, handle: string | null, rating: {rating: number, change: number, uncertainty: number, provisional: boolean}}} props */
function RatingChange({ view, seat, handle, rating }) {
  const before = rating.rating - rating.change;
  const shown = useCount(before, rating.rating);
  const name = nameOf(view, seat);
  const sentence = t("rating.change", { name, before: numberText(before), after: ratingText(rating), uncertainty: rating.uncertainty });
  return (
    <li class={rating.provisional ? "provisional" : ""}>
      <Chip seat={seat} size={20} />
      <PersonName person={{ name, handle }} class="rating-name" />
      <span class="hidden-visually">{sentence}</span>
      <span class="rating-figures" aria-hidden="true">
        <span class="muted">{numberText(before)}</span>
        <span class="muted">→</span>
        <b class="serif">{ratingText({ rating: shown, provisional: rating.provisional })}</b>
        <span class="small muted">{t("rating.uncertainty", { uncertainty: rating.uncertainty })}</span>
        <span class={`small ${changeClass(rating.change)}`}>{changeText(rating.change)}</span>
      </span>
      {rating.provisional && <span class="small muted rating-provisional">{t("rating.provisional")}</span>}
    </li>
  );
}

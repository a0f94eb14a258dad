// Results as a bar of places: how often somebody came first, second, and so on.

import { t } from "../catalogue/index.js";
import { formatList } from "./names.js";
import "../style/place-bar.css";

/** "1st 52, 2nd 38" @param {number[]} places how often each place was taken, from the first on */
export function placesText(places) {
  return formatList(places.flatMap((count, index) => (count ? [t("places.count", { place: t(`place.${index + 1}`), count })] : [])));
}

/** Return the sum of results by place, whatever the number of seats. @param {{places: number[]}[]} results */
export function sumPlaces(results) {
  const length = Math.max(0, ...results.map(({ places }) => places.length));
  return Array.from({ length }, (_, index) => results.reduce((sum, { places }) => sum + (places[index] ?? 0), 0));
}

/** @param {{places: number[], class?: string}} props */
export function PlaceBar({ places, class: name = "" }) {
  return (
    <span class={`place-bar ${name}`} role="img" aria-label={placesText(places)} title={placesText(places)}>
      {places.map((count, index) => count > 0 && <span key={index} class={`place-part place-${index + 1}`} style={{ flexGrow: count }} />)}
    </span>
  );
}

/** What the colours of the bar mean. It repeats what the bar says, so it is hidden from screen readers. @param {{places: number[]}} props */
export function PlaceLegend({ places }) {
  return (
    <span class="place-legend small muted" aria-hidden="true">
      {places.map((count, index) => (
        <span key={index}>
          <i class={`place-${index + 1}`} />
          {t(`place.${index + 1}`)} <b>{count}</b>
        </span>
      ))}
    </span>
  );
}

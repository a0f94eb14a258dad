// The city as a grid for keyboards and screen readers: its rows, and the attributes of its cells.

import { t } from "../../catalogue/index.js";
import { GRID, gridNumber, gridPlace } from "./city.js";

/** @typedef {import("./map-marks.js").FocusedPlace} FocusedPlace */

const ROW_CELLS = Array.from({ length: GRID.rows }, (_, row) =>
  Array.from({ length: GRID.columns }, (_, column) => row * GRID.columns + column).filter((number) => gridPlace(number) !== null),
);

/** The grid and its rows. The rows own their cells, which are drawn elsewhere: streets lie above all districts. @param {{id: string}} props */
export function Grid({ id }) {
  return (
    <g role="grid" aria-label={t("map.city")}>
      <desc>{t("reader.grid")}</desc>
      {ROW_CELLS.map((cells, row) => (
        <g key={row} role="row" aria-owns={cells.map((number) => `${id}-${number}`).join(" ")} />
      ))}
    </g>
  );
}

/** Return the attributes of a cell of the grid. @param {string} id @param {FocusedPlace} place @param {boolean} isTabStop @param {import("./map.js").MapHandlers} handlers */
export function cellOf(id, place, isTabStop, handlers) {
  const number = gridNumber(place);
  return {
    id: `${id}-${number}`,
    role: /** @type {const} */ ("gridcell"),
    "data-cell": number,
    "aria-colindex": (number % GRID.columns) + 1,
    // SVG knows only the lower-case attribute.
    tabindex: isTabStop ? 0 : -1,
    onFocus: (/** @type {FocusEvent} */ event) => handlers.focus(place, event),
    onBlur: handlers.blur,
  };
}

/** Return whether a key picks the place that has the focus. @param {KeyboardEvent} event */
export function isPick({ key }) {
  return key === "Enter" || key === " ";
}

// Marks above the city: the ring of the focus, and the places that a line of the log names.

import { districtBox, streetBox } from "./city.js";

/** @typedef {{streets?: number[], districts?: number[]}} Place */
/** @typedef {{street?: number, district?: number}} FocusedPlace */

/** The ring around the place that has the focus of the keyboard, above everything. @param {{place: FocusedPlace | null}} props */
export function FocusRing({ place }) {
  if (!place) return null;
  const { x, y, width, height } = place.street === undefined ? districtBox(/** @type {number} */ (place.district)) : streetBox(place.street);
  const box = { x: x - 5, y: y - 5, width: width + 10, height: height + 10, rx: 10 };
  return (
    <g class="focus-ring" aria-hidden="true">
      <rect class="focus-halo" {...box} />
      <rect {...box} />
    </g>
  );
}

/** @param {{place: Place | null}} props */
export function Highlight({ place }) {
  if (!place) return null;
  return (
    <g class="highlighted" aria-hidden="true">
      {(place.streets ?? []).map((street) => {
        const { x, y, width, height } = streetBox(street);
        return <rect key={`s${street}`} x={x - 4} y={y - 4} width={width + 8} height={height + 8} rx="9" />;
      })}
      {(place.districts ?? []).map((district) => {
        const { x, y, width, height } = districtBox(district);
        return <rect key={`d${district}`} x={x - 3} y={y - 3} width={width + 6} height={height + 6} rx="12" />;
      })}
    </g>
  );
}

// The drawn table with a chair for every seat. Chairs stand clockwise: along the top from the left, then along the bottom
// from the right.

import { SEAT_COLOURS } from "../../parts/art.js";
import * as builders from "./drawing-builders.js";
import * as investors from "./drawing-investors.js";
import * as planners from "./drawing-planners.js";

/** @type {Record<string, {OnTable: () => any, STEPS: (() => any)[]}>} */
export const DRAWINGS = { investors, planners, builders };

/** @typedef {{row: "top" | "bottom", place: number, count: number}} Place the place of a chair within its row, from the left */

/** Return where the chair of each seat stands. @param {number} seats @returns {Place[]} */
export function chairPlaces(seats) {
  const top = Math.ceil(seats / 2);
  const bottom = seats - top;
  return Array.from({ length: seats }, (_, seat) =>
    seat < top ? { row: "top", place: seat, count: top } : { row: "bottom", place: seats - 1 - seat, count: bottom },
  );
}

/** The middle of each chair in a row of one, two or three. @type {Record<number, number[]>} */
const MIDDLES = { 1: [291], 2: [216, 366], 3: [156, 291, 426] };

/** @param {{game: string, seats: {user: any, bot: any}[]}} props */
export function TableDrawing({ game, seats }) {
  const { OnTable } = DRAWINGS[game] ?? investors;
  const places = chairPlaces(seats.length);
  return (
    <svg class="table-drawing" viewBox="0 0 582 432" aria-hidden="true">
      <defs>
        <pattern id="wr-blue" width="5" height="5" patternUnits="userSpaceOnUse" patternTransform="rotate(35)">
          <path d="M0 0v5" stroke="#fff" stroke-width="2.6" opacity=".42" />
        </pattern>
        <pattern id="wr-red" width="5.6" height="5.6" patternUnits="userSpaceOnUse">
          <circle cx="1.4" cy="1.4" r="1.05" fill="#fff" opacity=".6" />
          <circle cx="4.2" cy="4.2" r="1.05" fill="#fff" opacity=".6" />
        </pattern>
        <pattern id="wr-green" width="5" height="5" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
          <path d="M0 0v5M0 0h5" stroke="#fff" stroke-width="1.5" opacity=".5" />
        </pattern>
        <pattern id="wr-violet" width="7" height="12" patternUnits="userSpaceOnUse">
          <path d="M0 0l3.5 6L0 12" stroke="#fff" stroke-width="1.7" opacity=".5" fill="none" />
        </pattern>
      </defs>
      <ellipse cx="291" cy="222" rx="268" ry="122" class="wr-rug" />
      <ellipse cx="291" cy="222" rx="258" ry="113" class="wr-rug-seam" />
      {seats.map((chair, seat) => {
        const { row, place, count } = places[seat];
        const turned = row === "top" ? "translate" : "scale(1 -1) translate";
        const y = row === "top" ? 122 : -318;
        return (
          <g key={seat} transform={`${turned}(${MIDDLES[count][place]} ${y})`}>
            <Chair seat={seat} isFree={!chair.user && !chair.bot} />
          </g>
        );
      })}
      <rect x="66" y="136" width="450" height="184" rx="30" class="wr-shade" />
      <rect x="66" y="126" width="450" height="184" rx="30" class="wr-wood" />
      <rect x="76" y="136" width="430" height="164" rx="22" class="wr-wood-inner" />
      <path
        class="wr-grain"
        d="M84 160c90-6 200 8 410 0M84 190c120 8 260-8 414 2M84 220c80-6 240 6 414-2M84 250c120 6 230-6 414 2M84 278c100-6 240 6 408 0"
      />
      <OnTable />
    </svg>
  );
}

/** @param {{seat: number, isFree: boolean}} props */
function Chair({ seat, isFree }) {
  const colour = SEAT_COLOURS[seat];
  if (isFree) return <rect x="-30" y="-14" width="60" height="46" rx="14" class="wr-chair-free" />;
  return (
    <>
      <rect x="-34" y="-18" width="68" height="16" rx="8" class="wr-chair-back" />
      <rect x="-30" y="-12" width="60" height="48" rx="14" class="wr-chair" fill={`var(--${colour})`} />
      {seat > 0 && <rect x="-30" y="-12" width="60" height="48" rx="14" fill={`url(#wr-${colour})`} opacity="0.7" />}
    </>
  );
}

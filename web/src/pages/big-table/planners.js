// Planners in small: the city of the seat that is ahead.

import { t } from "../../catalogue/index.js";
import { nameOf } from "../../parts/names.js";
import { pointsText } from "../../parts/points-text.js";
import { City } from "../../scenes/planners/city.js";
import "../../style/planners-cards.css";
import "../../style/planners-city.css";
import "../../style/planners-standings.css";

/** Return the seat with the most points, the first of several. @param {any[]} seats */
function leaderOf(seats) {
  return seats.reduce((best, { points }, seat) => (points > seats[best].points ? seat : best), 0);
}

/** @type {import("../big-table.js").SmallScene} */
export const scene = {
  City: ({ view }) => {
    const seat = leaderOf(view.play.game.seats);
    return (
      <>
        <p class="small muted cut live-whose">{t("planners.city.of", { name: nameOf(view, seat) })}</p>
        <div class="live-pl-room">
          <City key={seat} view={view} seat={seat} isSmall />
        </div>
      </>
    );
  },
  progress: ({ deck }) => t("progress.planners", { count: deck }),
  // Before the first card nobody is ahead, though the ranks of empty districts would give points.
  points: ({ seats }) =>
    seats.some((/** @type {any} */ seat) => seat.cards.some(Boolean))
      ? seats.map((/** @type {any} */ seat) => ({ value: seat.points, text: pointsText(seat.points, 2) }))
      : null,
};

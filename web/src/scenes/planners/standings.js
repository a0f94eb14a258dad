// The standings of each category, now or after the selected command, as computed by the server.

import { t } from "../../catalogue/index.js";
import { Chip } from "../../parts/art.js";
import { nameOf } from "../../parts/names.js";
import { DISTRICTS, ROWS } from "./cards.js";
import { placesOf } from "./changes.js";
import { Symbol } from "./card-face.js";
import { rowName, signed } from "./labels.js";

/** Return the name of a category: a row, or the cable cars. @param {number} category a row, or the cable cars */
export function categoryName(category) {
  return category < ROWS ? rowName(category) : t("planners.category.cars");
}

/** Return the colour tone of a place by its points. @param {number} points in halves */
export function tone(points) {
  return points >= 4 ? "first" : points > 0 ? "some" : points < 0 ? "loss" : "none";
}

/** Return whether a seat rises or falls in a category. @param {any} view @param {any | null} after @param {number} seat @param {number} category */
function movement(view, after, seat, category) {
  if (!after) return "";
  const [from, to] = [view.play.game, after].map((game) => placesOf(game, seat)[category]);
  return to < from ? "rises" : to > from ? "falls" : "";
}

/** Return whether another seat has the same total. @param {any[]} ranking @param {number} index */
function isTied(ranking, index) {
  return ranking.some((other, at) => at !== index && other.total === ranking[index].total);
}

/** @param {{view: any, after: any | null, category: number}} props */
export function Standing({ view, after, category }) {
  const ranking = (after ?? view.play.game).standings[category];
  return (
    <ol class="pl-standing" style={{ gridRow: category + 1 }} aria-label={t("planners.standing", { category: categoryName(category) })}>
      {ranking.map((/** @type {any} */ { seat, total, points }, /** @type {number} */ index) => (
        <li key={index} class={`${seat === view.mine ? "mine" : ""} ${movement(view, after, seat, category)}`}>
          <Chip seat={seat} size={15} />
          <span class="pl-standing-name" title={nameOf(view, seat)}>
            {nameOf(view, seat)}
          </span>
          <span class="pl-equal" title={isTied(ranking, index) ? t("planners.standing.tied") : undefined}>
            {isTied(ranking, index) ? "=" : ""}
          </span>
          <b class="serif">{total}</b>
          <span class={`pl-worth ${tone(points)}`}>{signed(points)}</span>
        </li>
      ))}
    </ol>
  );
}

/** The standings of the cable cars, which have less room. @param {{view: any, after: any | null}} props */
export function CarStanding({ view, after }) {
  const ranking = (after ?? view.play.game).standings[ROWS];
  return (
    <ol class="pl-standing cars" style={{ gridRow: ROWS + 1 }} aria-label={t("planners.standing", { category: categoryName(ROWS) })}>
      {ranking.map((/** @type {any} */ { seat, total, points }, /** @type {number} */ index) => (
        <li key={index} class={`${seat === view.mine ? "mine" : ""} ${movement(view, after, seat, ROWS)}`} title={nameOf(view, seat)}>
          <span class="hidden-visually">{nameOf(view, seat)}</span>
          <Chip seat={seat} size={12} />
          <b class="serif">{total}</b>
          <span class={`pl-worth ${tone(points)}`}>{signed(points)}</span>
        </li>
      ))}
    </ol>
  );
}

/** The standings of all categories together, for phones. @param {{view: any, after: any | null}} props */
export function ScoreBoard({ view, after }) {
  return (
    <div class="pl-scores">
      {[...DISTRICTS.keys(), ROWS].map((category) => (
        <section key={category} class={`pl-score-row tone-${DISTRICTS[category] ?? "cars"}`}>
          <h3>
            <Symbol name={category < ROWS ? `emblem-${DISTRICTS[category]}` : "car"} width={20} />
            {categoryName(category)}
          </h3>
          <Standing view={view} after={after} category={category} />
        </section>
      ))}
    </div>
  );
}

// The standings of each category, now or after the selected command, as computed by the server.

import { t } from "../../catalogue/index.js";
import { Chip } from "../../parts/art.js";
import { nameOf } from "../../parts/names.js";
import { DISTRICTS, ROWS } from "./cards.js";
import { Symbol } from "./card-face.js";
import { rowName, signed } from "./labels.js";
import { placesOf, ranksOf } from "./ranks.js";

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

/** @typedef {import("./ranks.js").Rank} Rank */

/** Return the explanation of a tie, or undefined. @param {Rank} rank */
function tieTitle({ isTied, isOpen }) {
  if (!isTied) return undefined;
  return t(isOpen ? "planners.standing.open" : "planners.standing.tied");
}

/** The points of a place; an open tie has none yet. @param {{rank: Rank}} props */
function Worth({ rank }) {
  if (rank.isOpen) {
    return (
      <span class="pl-worth none" title={tieTitle(rank)}>
        =
      </span>
    );
  }
  return <span class={`pl-worth ${tone(rank.points)}`}>{signed(rank.points)}</span>;
}

/** @param {{view: any, after: any | null, category: number}} props */
export function Standing({ view, after, category }) {
  return (
    <ol class="pl-standing" style={{ gridRow: category + 1 }} data-standing={category} aria-label={t("planners.standing", { category: categoryName(category) })}>
      {ranksOf(after ?? view.play.game, category).map((rank) => (
        <li key={rank.seat} class={`${rank.seat === view.mine ? "mine" : ""} ${movement(view, after, rank.seat, category)}`}>
          <Chip seat={rank.seat} size={15} />
          <span class="pl-standing-name" title={nameOf(view, rank.seat)}>
            {nameOf(view, rank.seat)}
          </span>
          <span class="pl-equal" title={tieTitle(rank)}>
            {rank.isTied ? "=" : ""}
          </span>
          <b class="serif">{rank.total}</b>
          <Worth rank={rank} />
        </li>
      ))}
    </ol>
  );
}

/** The standings of the cable cars, which have less room. @param {{view: any, after: any | null}} props */
export function CarStanding({ view, after }) {
  return (
    <ol class="pl-standing cars" style={{ gridRow: ROWS + 1 }} aria-label={t("planners.standing", { category: categoryName(ROWS) })}>
      {ranksOf(after ?? view.play.game, ROWS).map((rank) => (
        <li key={rank.seat} class={`${rank.seat === view.mine ? "mine" : ""} ${movement(view, after, rank.seat, ROWS)}`} title={nameOf(view, rank.seat)}>
          <span class="hidden-visually">{nameOf(view, rank.seat)}</span>
          <Chip seat={rank.seat} size={12} />
          <b class="serif">{rank.total}</b>
          <Worth rank={rank} />
        </li>
      ))}
    </ol>
  );
}

/**
 * The standings of all categories in columns by rank, for low windows: the points of each rank are named once.
 * @param {{view: any, after: any | null}} props
 */
export function Ranks({ view, after }) {
  const game = after ?? view.play.game;
  return (
    <>
      <p class="pl-ranks-head" aria-hidden="true">
        {ranksOf(game, 0).map(({ points }, place) => (
          <span key={place} class={`pl-worth ${tone(points)}`}>
            {signed(points)}
          </span>
        ))}
      </p>
      {[...DISTRICTS.keys(), ROWS].map((category) => (
        <ol key={category} class={`pl-ranks ${category === ROWS ? "cars" : ""}`} style={{ gridRow: category + 1 }} data-standing={category} aria-label={t("planners.standing", { category: categoryName(category) })}>
          {ranksOf(game, category).map((rank, place, all) => (
            <li
              key={rank.seat}
              class={`${rank.seat === view.mine ? "mine" : ""} ${movement(view, after, rank.seat, category)}`}
              title={[`${nameOf(view, rank.seat)}: ${signed(rank.points)}`, tieTitle(rank)].filter(Boolean).join(". ")}
            >
              <span class="hidden-visually">{nameOf(view, rank.seat)}</span>
              <Chip seat={rank.seat} size={category === ROWS ? 16 : 20} />
              <b class="serif">
                {(rank.isOpen || (place > 0 && all[place - 1].total === rank.total)) && <i class="pl-equal">=</i>}
                {rank.total}
              </b>
              <span class="hidden-visually">{signed(rank.points)}</span>
            </li>
          ))}
        </ol>
      ))}
    </>
  );
}

/** The standings of all categories together, with names. @param {{view: any, after: any | null}} props */
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

// Planners read aloud: the position, and the standing.

import { t } from "../../catalogue/index.js";
import { nameOf } from "../../parts/names.js";
import { COLUMNS, DISTRICTS, NO_CARD, ROWS } from "./cards.js";
import { cardNames, columnLetter, halvesText, placeText, rowName } from "./labels.js";
import { hasStandings, placesOf, pointsNow, ranksOf } from "./ranks.js";
import { categoryName } from "./standings.js";

/** Return the contracts, cable cars and skyscrapers of a seat. @param {any} own */
function belongings(own) {
  return [t("planners.stats.contracts", { count: own.contracts }), t("planners.stats.cars", { count: own.cars.length }), t("planners.stats.towers", { count: own.towers.length })].join(", ");
}

/** Return the projects, and the rows of the viewer's own city. @param {any} view */
export function position(view) {
  const { game } = view.play;
  const columns = game.columns.map((/** @type {number[]} */ cards, /** @type {number} */ column) =>
    t("reader.pair", { label: t("planners.column", { letter: columnLetter(column) }), value: cards.length ? cardNames(cards) : t("reader.none") }),
  );
  const { stage } = game;
  const hand = stage.name === "laying" ? [stage.card] : (stage.cards ?? []);
  const inHand = hand.length ? [t("reader.pair", { label: t(game.turn === view.mine ? "planners.hand" : "planners.hand.theirs"), value: cardNames(hand) })] : [];
  if (view.mine === null) return [...columns, ...inHand];
  const own = game.seats[view.mine];
  const places = placesOf(game, view.mine);
  const rows = DISTRICTS.map((_, row) => {
    const count = own.cards.slice(row * COLUMNS, (row + 1) * COLUMNS).filter((/** @type {number} */ id) => id !== NO_CARD).length;
    return t("reader.planners.row", { row: rowName(row), cards: count, spaces: COLUMNS, total: own.totals[row], place: placeText(places[row]) });
  });
  return [...columns, ...inHand, t("planners.city.yours"), ...rows, belongings(own)];
}

/** Return the seats with the most points first, then the ranks of each category. @param {any} view */
export function standing(view) {
  const { game } = view.play;
  if (!hasStandings(game)) return [t("planners.standings.none")];
  const points = game.seats.map((/** @type {any} */ _, /** @type {number} */ seat) => pointsNow(game, seat));
  const order = [...game.seats.keys()].sort((one, other) => points[other] - points[one]);
  const totals = order.map((seat) => t("reader.pair", { label: nameOf(view, seat), value: `${t("reader.points", { count: points[seat] / 2, points: halvesText(points[seat]) })}, ${belongings(game.seats[seat])}` }));
  const ranks = [...DISTRICTS.keys(), ROWS].map((category) => {
    const value = ranksOf(game, category).map(({ seat, total, isTied }, place) => `${placeText(place + 1)} ${nameOf(view, seat)} ${isTied ? "= " : ""}${total}`);
    return t("reader.pair", { label: categoryName(category), value: value.join(", ") });
  });
  return [...totals, ...ranks];
}

export const reading = { position, standing };

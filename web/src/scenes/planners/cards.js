// The cards and the printed city, read from the data files of the rules. Views refer to a card by its number.

import board from "../../../../server/games/planners/board.json";
import deck from "../../../../server/games/planners/cards.json";

/**
 * @typedef {object} Card
 * @property {number} id
 * @property {string} district the district it belongs to, or "universal"
 * @property {number} value the number of workers
 * @property {string[]} features tracks, depot, square, foundation, seaside, compass
 */

export const UNIVERSAL = "universal";
/** The districts of a city from the top row to the bottom row. */
export const DISTRICTS = board.districts.map(({ name }) => name);
/** The columns with a depot printed below. */
export const DEPOT_COLUMNS = board.depot_columns;
export const ROWS = DISTRICTS.length;
export const COLUMNS = 5;
export const SPACES = ROWS * COLUMNS;
export const NO_CARD = 0;

/** @type {Map<number, Card>} */
const CARDS = new Map([...deck.cards, ...deck.bonus_cards].map((card) => [card.id, card]));

/** @param {number} id @returns {Card} */
export function cardOf(id) {
  const card = CARDS.get(id);
  if (!card) throw new Error(`there is no card ${id}`);
  return card;
}

/** @param {number} id @param {string} feature */
export function hasFeature(id, feature) {
  return cardOf(id).features.includes(feature);
}

/** Return the card that a bonus gives, if any. @param {string} bonus */
export function bonusCard(bonus) {
  return deck.bonus_cards.find((card) => card.bonus === bonus)?.id ?? null;
}

/** @param {number} space */
export function rowOf(space) {
  return Math.floor(space / COLUMNS);
}

/** @param {number} space */
export function columnOf(space) {
  return space % COLUMNS;
}

/** Return the leftmost empty space of a row, or null. @param {number[]} cards of a city @param {number} row */
export function nextSpace(cards, row) {
  const at = cards.indexOf(NO_CARD, row * COLUMNS);
  return at >= 0 && at < (row + 1) * COLUMNS ? at : null;
}

/** @typedef {[number, number | null]} Link two neighbouring spaces, or a space and null for the depot below it */

/** Return the links of the cable car line: neighbours with cable cars, and connections to printed depots. @param {number[]} cars @returns {Link[]} */
export function linksOf(cars) {
  const connected = new Set(cars);
  /** @type {Link[]} */
  const links = [];
  for (const space of [...cars].sort((one, other) => one - other)) {
    if (columnOf(space) < COLUMNS - 1 && connected.has(space + 1)) links.push([space, space + 1]);
    if (connected.has(space + COLUMNS)) links.push([space, space + COLUMNS]);
    if (rowOf(space) === ROWS - 1 && DEPOT_COLUMNS.includes(columnOf(space))) links.push([space, null]);
  }
  return links;
}

// Prices and changes of a command, computed from the current view and the server's preview.

import { total } from "../../parts/prompt.js";
import { fieldPoints } from "./game-data.js";
import { feeOf } from "./turn.js";

/** @typedef {{part: string, amount: number}} Part one item of a price */
/**
 * @typedef {object} Change
 * @property {[number, number]} money before and after
 * @property {[number, number]} points all points of a seat, with its hidden goals if the viewer knows them
 * @property {{from: number, to: number} | null} marker the points of the marker's fields, if it moves
 * @property {number} rubble
 * @property {number} houses taken from the supply, or built if negative
 * @property {string[]} cards symbols of the development cards gained
 * @property {number[]} permits permits gained
 * @property {string[]} goals goals gained
 */

/** Return the items of a command's price, from the costs in the view. @param {any} game @param {any} command @returns {Part[]} */
export function priceOf(game, command) {
  const { costs, city, stage } = game;
  /** @type {Part[]} */
  const parts = [];
  const add = (/** @type {string} */ part, /** @type {number} */ amount) => amount > 0 && parts.push({ part, amount });
  if (stage.name === "acting") add("fee", feeOf(game, command.do));
  if (command.do === "choose_plot") {
    add("year", costs.build);
    if (city.rubble.includes(command.plot)) add("rubble", costs.rubble);
  }
  if (command.do === "take_card" && command.symbol === "tram") add("tram", costs.tram);
  if (command.do === "clean_up") add(command.plot < 0 ? "step" : "clean_up", command.plot < 0 ? costs.step : costs.clean_up);
  if (command.do === "develop") add("develop", costs.develop);
  return parts;
}

/**
 * Return the goals of a seat with their points, as far as the viewer knows them.
 * @param {any} game @param {number} seat @param {number | null} mine @returns {Record<string, number>}
 */
export function goalsOf(game, seat, mine) {
  const { open_goals: open, goal_points: worth } = game.seats[seat];
  const own = Object.fromEntries(open.map((/** @type {string} */ goal) => [goal, worth[goal]]));
  return seat === mine ? { ...game.hidden_goals, ...own } : own;
}

/**
 * Return the points of a seat if the game ended now, as far as the viewer knows them.
 * @param {any} game @param {number} seat @param {number | null} mine
 */
export function pointsOf(game, seat, mine) {
  if (game.final) return game.final[seat].total;
  const hidden = seat === mine ? /** @type {number[]} */ (Object.values(game.hidden_goals ?? {})) : [];
  return total([.../** @type {number[]} */ (Object.values(game.seats[seat].points)), ...hidden]);
}

/** @param {any} own a seat of a view @param {string} symbol */
export function cardCount(own, symbol) {
  return symbol === "park" ? own.cards.park.length : own.cards[symbol];
}

/** @param {any} before @param {any} after @param {number} seat @returns {Change} */
export function changesOf(before, after, seat) {
  const [old, own] = [before.seats[seat], after.seats[seat]];
  const hasMoved = String(old.marker) !== String(own.marker);
  return {
    money: [old.money, own.money],
    points: [pointsOf(before, seat, seat), pointsOf(after, seat, seat)],
    marker: hasMoved ? { from: fieldPoints(before, old.marker[0], old.marker[1]), to: fieldPoints(after, own.marker[0], own.marker[1]) } : null,
    rubble: own.rubble - old.rubble,
    houses: own.front - old.front,
    cards: Object.keys(own.cards).filter((symbol) => cardCount(own, symbol) > cardCount(old, symbol)),
    permits: own.permits.filter((/** @type {number} */ permit) => !old.permits.includes(permit)),
    goals: own.open_goals.filter((/** @type {string} */ goal) => !old.open_goals.includes(goal)),
  };
}

/**
 * Return the seats whose pawns stand on an area in the order in which they go on, and how many pawns are not there yet.
 * @param {any} game @param {number} area
 * @returns {{seats: number[], missing: number}}
 */
export function orderSoFar(game, area) {
  /** @type {[number, number][]} */
  const there = game.pawns.flatMap((/** @type {number[] | null} */ pawn, /** @type {number} */ seat) => (pawn && pawn[0] === area ? [[seat, pawn[1]]] : []));
  const seats = there.sort((one, other) => other[1] - one[1]).map(([seat]) => seat);
  return { seats, missing: game.pawns.length - seats.length };
}

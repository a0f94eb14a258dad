// The ranks of the seats in each category, read from the standings that the server computes.

import { NO_CARD } from "./cards.js";

/** @typedef {{seat: number, total: number, points: number, isTied: boolean, isOpen: boolean}} Rank */

/** Return whether anybody has a card. Before that, only the turn order would rank the seats. @param {any} game */
export function hasStandings(game) {
  return game.seats.some((/** @type {any} */ { cards }) => cards.some((/** @type {number} */ id) => id !== NO_CARD));
}

/** Return the place of a seat in each category, from 1. @param {any} game @param {number} seat @returns {number[]} */
export function placesOf(game, seat) {
  return game.standings.map((/** @type {any[]} */ ranking) => ranking.findIndex((standing) => standing.seat === seat) + 1);
}

/**
 * Return the seats of a category from the first to the last. A seat is tied if another has the same total. A tie is
 * open if only the turn order would break it: that depends on who ends the game.
 * @param {any} game @param {number} category @returns {Rank[]}
 */
export function ranksOf(game, category) {
  const ranking = game.standings[category];
  const isOver = game.stage.name === "over";
  return ranking.map((/** @type {any} */ { seat, total, points, tie }, /** @type {number} */ index) => ({
    seat,
    total,
    points,
    isTied: ranking.some((/** @type {any} */ other) => other.seat !== seat && other.total === total),
    isOpen: !isOver && (tie?.by === "turn" || ranking[index + 1]?.tie?.by === "turn"),
  }));
}

/** Return the points of a seat if the game ended now, in halves and without those of open ties. @param {any} game @param {number} seat */
export function pointsNow(game, seat) {
  const open = game.standings
    .flatMap((/** @type {any} */ _, /** @type {number} */ category) => ranksOf(game, category))
    .filter((/** @type {Rank} */ rank) => rank.seat === seat && rank.isOpen);
  return open.reduce((/** @type {number} */ points, /** @type {Rank} */ rank) => points - rank.points, game.seats[seat].points);
}

// The view of a figure: its position, and seats that are called by their colours.

import { t } from "../../catalogue/index.js";
import { SEAT_COLOURS } from "../../parts/art.js";
import { capitalize } from "../../parts/names.js";

/** Return the view that the scene of a game draws. @param {string} game @param {any} figure */
export function viewOf(game, figure) {
  const { play, mine } = figure;
  const seats = play.game.seats.map((/** @type {any} */ _, /** @type {number} */ seat) => ({ name: capitalize(t(`colour.${SEAT_COLOURS[seat]}`)) }));
  return { table: { game }, mine, seats, play };
}

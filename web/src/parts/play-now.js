// Play against bots at once: open a private table, fill it with bots, and begin.

import { beginFairly } from "../fairness/begin.js";
import { preferredStrength } from "./bots.js";

/** Return the usual number of seats of a game. @param {any} game as the server describes it */
export function usualSeats(game) {
  return game.seats.includes(4) ? 4 : game.seats.at(-1);
}

/**
 * Begin a game against bots and return the table's id.
 * @param {import("../store.js").Store} store @param {import("../socket.js").Socket} socket @param {any} game as the server describes it
 * @param {{seats?: number, options?: Record<string, any>, strength?: string | null}} [choices] what differs from the usual game
 * @returns {Promise<string>}
 */
export async function playNow(store, socket, game, { seats = usualSeats(game), options = {}, strength = preferredStrength(game) } = {}) {
  const settings = { game: game.name, seats, options, private: true, absence_seconds: null };
  const { table } = await socket.request({ type: "create_table", settings });
  await beginFairly(store, socket, table, async () => {
    await socket.request({ type: "fill_with_bots", table, ...(strength ? { strength } : {}) });
    await socket.request({ type: "start", table });
  });
  return table;
}

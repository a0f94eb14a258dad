// Playing again: the next table, and the people who are expected there. A game against bots alone begins at once.

import { beginFairly } from "../fairness/begin.js";
import { tabStorage } from "../storage.js";

/** @typedef {{user: string, name: string}} Person */

const STORED = "rematch:";

/** Remember on this device who played the game before a table. @param {string} table @param {Person[]} people */
function expectPeople(table, people) {
  tabStorage.set(STORED + table, JSON.stringify(people));
}

/** Return the people who played the game before a table; none if this device does not know. @param {string} table @returns {Person[]} */
export function expectedPeople(table) {
  return JSON.parse(tabStorage.get(STORED + table) ?? "[]");
}

/**
 * Open the next table and return its path. If no other person played along, the game begins there at once.
 * @param {import("../store.js").Store} store @param {import("../store.js").TableModel} model of the finished game
 */
export async function playAgain(store, model) {
  const { seats, mine } = model.view.value;
  const { table, key } = await model.request("play_again");
  /** @type {Person[]} */
  const people = seats.filter((/** @type {any} */ seat) => seat.user).map((/** @type {any} */ { user, name }) => ({ user, name }));
  expectPeople(table, people);
  const isAlone = people.every(({ user }) => user === seats[mine].user);
  // If the game cannot begin, the waiting room says why.
  if (isAlone) await beginFairly(store, model.socket, table, () => model.socket.request({ type: "start", table })).catch(() => {});
  return `/t/${table}${key ? `#k=${key}` : ""}`;
}

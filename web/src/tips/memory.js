// What this device remembers about tips: whether they are wanted, which ones were shown, and the first tables of each
// game at which the visitor played. Nothing of it is sent to the server.

import { signal } from "@preact/signals";
import { deviceStorage } from "../storage.js";

const STORED = "tips";

/** Tips are shown in so many games of a title. */
export const FIRST_GAMES = 2;

/**
 * @typedef {object} Memory
 * @property {"first" | "again" | "off"} choice in the first games; in the next games, since the visitor asked for it; never
 * @property {string[]} shown the ids of the tips that were shown
 * @property {Record<string, string[]>} tables of each game, the first ones at which the visitor played
 * @property {string[]} experienced games of which the visitor played enough elsewhere, as the server said
 */

/** @type {Memory} */
const NOTHING = { choice: "first", shown: [], tables: {}, experienced: [] };

/** @returns {Memory} */
function readStored() {
  try {
    return { ...NOTHING, ...JSON.parse(deviceStorage.get(STORED) ?? "{}") };
  } catch {
    return NOTHING;
  }
}

const memory = signal(readStored());

// Another tab of this browser may show tips, too.
globalThis.addEventListener?.("storage", ({ key }) => {
  if (key === STORED) memory.value = readStored();
});

/** @param {Partial<Memory>} changes */
function remember(changes) {
  memory.value = { ...memory.value, ...changes };
  deviceStorage.set(STORED, JSON.stringify(memory.value));
}

/** Return the ids of the tips that were shown. */
export function shownTips() {
  return memory.value.shown;
}

/** Return whether tips are wanted at all. */
export function areTipsWanted() {
  return memory.value.choice !== "off";
}

/** Return whether tips are shown at a table. @param {string} game @param {string} table */
export function hasTips(game, table) {
  const { tables, experienced } = memory.value;
  return areTipsWanted() && !experienced.includes(game) && (tables[game] ?? []).includes(table);
}

/** Return whether it matters how many games the visitor finished on other devices. */
export function asksForExperience() {
  return memory.value.choice === "first";
}

/** Count a table among the first ones of its game, if it is one. @param {string} game @param {string} table */
export function countTable(game, table) {
  const { tables } = memory.peek();
  const counted = tables[game] ?? [];
  if (counted.includes(table) || counted.length >= FIRST_GAMES) return;
  remember({ tables: { ...tables, [game]: [...counted, table] } });
}

/** @param {string} id */
export function markTipShown(id) {
  const { shown } = memory.peek();
  if (!shown.includes(id)) remember({ shown: [...shown, id] });
}

/** Note that the visitor has played enough games of a title. @param {string} game */
export function markExperienced(game) {
  remember({ experienced: [...memory.peek().experienced, game] });
}

export function endTips() {
  remember({ choice: "off" });
}

/** Show tips in the next games, whatever was shown and played before. @param {{game: string, table: string} | null} [open] the table that the page shows */
export function beginTipsAgain(open = null) {
  remember({ ...NOTHING, choice: "again", tables: open ? { [open.game]: [open.table] } : {} });
}

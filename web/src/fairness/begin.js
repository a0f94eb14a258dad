// What the page does at tables that it does not show: it begins a game with the visitor's random bytes, and opens what this
// device has committed to, as at a table that it shows.

import { TableModel } from "../store.js";
import { holdsAnswer, keptTables } from "./kept.js";

/** Milliseconds that a page waits for each part of the seed exchange before it goes on without it. */
const PATIENCE = 3000;

/**
 * Wait until a view of the table fulfils a condition, or has been waited for long enough.
 * @param {TableModel} model @param {(view: any) => boolean} condition
 */
function until(model, condition) {
  return new Promise((resolve) => {
    const timer = setTimeout(() => end(), PATIENCE);
    const stop = model.view.subscribe((view) => {
      if (view && condition(view)) queueMicrotask(() => end());
    });
    const stopError = model.error.subscribe((error) => {
      if (error) queueMicrotask(() => end());
    });
    const end = () => {
      clearTimeout(timer);
      stop();
      stopError();
      resolve(undefined);
    };
  });
}

/** Return whether the own seat has committed, need not, or cannot: over plain HTTP browsers make no hashes. @param {any} view */
function hasCommitted({ mine, table: { fairness, phase } }) {
  return !globalThis.crypto?.subtle || mine === null || !fairness || phase !== "open" || fairness.committed.includes(mine);
}

/** Wait until the own seat has committed, which a host who begins at once may be ahead of. @param {TableModel} model */
export function untilCommitted(model) {
  return until(model, hasCommitted);
}

/**
 * Begin the game at a table where the visitor sits: commit, send the requests that begin it, and open.
 * @param {import("../store.js").Store} store @param {import("../socket.js").Socket} socket @param {string} table
 * @param {() => Promise<any>} begin sends the requests
 */
export async function beginFairly(store, socket, table, begin) {
  const model = new TableModel(table, null, socket, { hasLog: false });
  const unwatch = store.watch(model);
  try {
    await untilCommitted(model);
    await begin();
    // The game begins when all have opened; the page shows it from its first moment.
    await until(model, (view) => view.table.phase !== "open");
  } finally {
    unwatch();
  }
}

/**
 * Return whether this device may have to open something at a table: random bytes before the game, a sealed answer in it.
 * @param {{phase: string, table: string}} own one of the visitor's tables @param {string[]} kept
 */
const mayHaveToOpen = ({ phase, table }, kept) => kept.includes(table) && (phase === "open" || (phase === "running" && holdsAnswer(table)));

/**
 * Follow the tables at which this device may have to open something, whatever page is shown.
 * @param {import("../store.js").Store} store @param {import("../socket.js").Socket} socket
 * @param {Map<string, () => void>} followed by table: the function that ends it
 */
export function followSeats(store, socket, followed) {
  const shown = store.table.value?.id;
  const kept = keptTables();
  const needed = store.yourTables.value.filter((own) => own.table !== shown && mayHaveToOpen(own, kept)).map(({ table }) => table);
  for (const [table, unwatch] of followed) {
    if (needed.includes(table)) continue;
    followed.delete(table);
    unwatch();
  }
  for (const table of needed) if (!followed.has(table)) followed.set(table, store.watch(new TableModel(table, null, socket, { hasLog: false })));
}

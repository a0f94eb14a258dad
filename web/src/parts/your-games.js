// The games that wait for the visitor, and in which order the visitor's games are shown.

/**
 * Return when the visitor's time for the open decision runs out; Infinity if no clock runs. At a live table it is about
 * the time: its clock may have stood still.
 * @param {any} table an entry of `your_tables`
 */
export function deadlineOf({ deadline, since, settings }) {
  if (deadline) return deadline;
  const clock = settings?.clock;
  return since && clock && clock.kind !== "none" ? since + clock.seconds * 1000 : Infinity;
}

/**
 * Return the visitor's games: those that wait for the visitor first, by the end of the time; where no clock runs, the
 * longest wait first.
 * @param {any[]} tables
 */
export function sortYourGames(tables) {
  const rank = (/** @type {any} */ table) => (table.awaited ? 0 : table.phase === "running" ? 1 : table.phase === "open" ? 2 : 3);
  return tables
    .map((table, index) => ({ table, index }))
    .sort((a, b) => rank(a.table) - rank(b.table) || byDeadline(a.table, b.table) || (a.table.since ?? Infinity) - (b.table.since ?? Infinity) || a.index - b.index)
    .map(({ table }) => table);
}

/** Compare two games that wait for the visitor; others have no order here. @param {any} a @param {any} b */
function byDeadline(a, b) {
  if (!a.awaited || !b.awaited) return 0;
  const [first, second] = [deadlineOf(a), deadlineOf(b)];
  return first === second ? 0 : first < second ? -1 : 1;
}

/** Return the games in which it is the visitor's move. @param {any[]} tables */
export function awaitedGames(tables) {
  return sortYourGames(tables).filter((table) => table.awaited);
}

// The games that wait for the visitor, and in which order the visitor's games are shown.

/** Return the visitor's games: those that wait for the visitor first, the longest wait first. @param {any[]} tables */
export function sortYourGames(tables) {
  const rank = (/** @type {any} */ table) => (table.awaited ? 0 : table.phase === "running" ? 1 : table.phase === "open" ? 2 : 3);
  return tables
    .map((table, index) => ({ table, index }))
    .sort((a, b) => rank(a.table) - rank(b.table) || (a.table.since ?? Infinity) - (b.table.since ?? Infinity) || a.index - b.index)
    .map(({ table }) => table);
}

/** Return the games in which it is the visitor's move. @param {any[]} tables */
export function awaitedGames(tables) {
  return sortYourGames(tables).filter((table) => table.awaited);
}

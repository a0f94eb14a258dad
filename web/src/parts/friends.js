// The tables of people whom the visitor follows: which of them are worth showing, and what one can do there.

/** Tables that are waiting or running, of those that the server says about a person. @param {{tables: any[]}} person @returns {any[]} */
export function openTablesOf({ tables }) {
  return tables.filter(({ phase }) => phase === "open" || phase === "running");
}

/**
 * Return what the visitor can do at a table: go back to the own seat, sit down, or watch; null if nothing.
 * @param {any} table its summary @param {string | null} me
 * @returns {"return" | "join" | "watch" | null}
 */
export function wayToTable(table, me) {
  if (table.seats.some((/** @type {any} */ { user }) => user !== null && user === me)) return "return";
  const isFree = table.seats.some((/** @type {any} */ { user, bot }) => !user && !bot);
  if (table.phase === "open" && isFree) return "join";
  return table.settings?.spectators === false ? null : "watch";
}

/** @typedef {{table: any, names: string[], way: "join" | "watch"}} FriendsGame */

/**
 * Return the tables of friends, each once, with the friends who sit there: first those that still wait for players.
 * Tables where the visitor sits are among the visitor's own games already.
 * @param {any[] | null} people @param {string | null} me
 * @returns {FriendsGame[]}
 */
export function friendsGames(people, me) {
  /** @type {Map<string, FriendsGame>} */
  const games = new Map();
  for (const person of people ?? []) {
    for (const table of openTablesOf(person)) {
      const way = wayToTable(table, me);
      if (way === null || way === "return") continue;
      const known = games.get(table.table);
      if (known) known.names.push(person.name);
      else games.set(table.table, { table, names: [person.name], way });
    }
  }
  return [...games.values()].sort((one, other) => Number(other.way === "join") - Number(one.way === "join"));
}

/**
 * Return the running table of a person that the visitor can watch, other than the shown one; null if there is none.
 * @param {{tables?: any[]} | undefined} person as the server shows them @param {string | null} me @param {string} [shown]
 */
export function watchableTable(person, me, shown) {
  const running = (person?.tables ?? []).filter(({ table, phase }) => phase === "running" && table !== shown);
  return running.find((table) => wayToTable(table, me) === "watch") ?? null;
}

// What a list of finished games is asked for: the query in the address, and the request for the server.

/**
 * @typedef {object} GamesQuery
 * @property {string | null} of the handle of the person whose games these are
 * @property {boolean} isAll the games of everybody; otherwise, without `of`, those of the visitor
 * @property {string} game
 * @property {number} seats 0: any number
 * @property {boolean | null} rated
 * @property {string | null} with the id of another person who played
 * @property {string} search
 */

/** Games on one page. */
export const PAGE_SIZE = 50;

/** @type {GamesQuery} */
export const NO_QUERY = { of: null, isAll: false, game: "", seats: 0, rated: null, with: null, search: "" };

const MAX_SEARCH = 80;

/** Return the query of an address; what it cannot mean is left out. @param {string} search @returns {GamesQuery} */
export function parseQuery(search) {
  const fields = new URLSearchParams(search);
  const matching = (/** @type {string} */ name, /** @type {RegExp} */ pattern) => {
    const value = fields.get(name);
    return value && pattern.test(value) ? value : null;
  };
  const rated = fields.get("rated");
  return {
    of: matching("of", /^[A-Za-z][A-Za-z0-9_-]{2,19}$/),
    isAll: fields.has("all") && !fields.has("of"),
    game: matching("game", /^[a-z]{1,32}$/) ?? "",
    seats: Number(matching("seats", /^[1-9]$/) ?? 0),
    rated: rated === "yes" ? true : rated === "no" ? false : null,
    with: matching("with", /^[a-z0-9]{1,64}$/),
    search: (fields.get("search") ?? "").slice(0, MAX_SEARCH),
  };
}

/** Return the address of a query. @param {GamesQuery} query */
export function queryPath(query) {
  const fields = new URLSearchParams();
  if (query.of) fields.set("of", query.of);
  else if (query.isAll) fields.set("all", "");
  if (query.game) fields.set("game", query.game);
  if (query.seats) fields.set("seats", String(query.seats));
  if (query.rated !== null) fields.set("rated", query.rated ? "yes" : "no");
  if (query.with) fields.set("with", query.with);
  if (query.search.trim()) fields.set("search", query.search.trim());
  const text = String(fields).replace(/\ball=(?=&|$)/, "all");
  return text ? `/games?${text}` : "/games";
}

/** Return whether any filter is set. Whose games these are is none. @param {GamesQuery} query */
export function hasConditions({ game, seats, rated, with: other, search }) {
  return Boolean(game || seats || rated !== null || other || search.trim());
}

/**
 * Return the request for a page of games.
 * @param {GamesQuery} query @param {string | null} subject the user whose games these are; null for everybody
 * @param {string | null} after the cursor of the page
 */
export function requestOf(query, subject, after) {
  const people = [...new Set([subject, query.with])].filter(Boolean);
  return {
    type: "list_games",
    limit: PAGE_SIZE,
    ...(people.length ? { people } : {}),
    ...(query.game ? { game: query.game } : {}),
    ...(query.seats ? { seats: query.seats } : {}),
    ...(query.rated !== null ? { rated: query.rated } : {}),
    ...(query.search.trim() ? { search: query.search.trim() } : {}),
    ...(after ? { after } : {}),
  };
}

/** The people whom a filter offers; more would not fit a list. */
const MAX_PEOPLE = 40;

/**
 * Remember the people of the shown games, for the filter by person. When there are too many, new ones are left out.
 * @param {Map<string, string>} people names by user id @param {any[]} games @param {string | null} subject
 */
export function collectPeople(people, games, subject) {
  for (const { seats } of games) {
    for (const { user, name } of seats) {
      if (user && user !== subject && (people.has(user) || people.size < MAX_PEOPLE)) people.set(user, name);
    }
  }
}

// The addresses of the page. This module alone knows which path shows which page; the server has the same list
// (`_PAGES` in server/gateway/http/pages.py), so that it answers an unknown path with 404.

import { signal } from "@preact/signals";
import { isBuildOutdated } from "./offline.js";

/**
 * @typedef {object} Route
 * @property {"home" | "watch" | "learn" | "lesson" | "rules" | "fairness" | "new" | "you" | "profile" | "rankings" | "games" | "replay" | "coach" | "result" | "table" | "unknown"} page
 * @property {string | null} id the table, or the finished game
 * @property {string | null} key the key of a private table's invite link
 * @property {string | null} game the game that the page is about
 * @property {string | null} handle the person that the page is about
 */

/** Each page with the pattern of its paths; the named groups become fields of the route. @type {[Route["page"], RegExp][]} */
const PATTERNS = [
  ["home", /^\/$/],
  ["watch", /^\/watch$/],
  ["learn", /^\/learn$/],
  ["lesson", /^\/learn\/(?<game>[a-z]{1,32})$/],
  ["fairness", /^\/rules\/fairness$/],
  ["rules", /^\/rules(?:\/(?<game>[a-z]{1,32}))?$/],
  ["new", /^\/new(?:\/(?<game>[a-z]{1,32}))?$/],
  ["you", /^\/you$/],
  ["profile", /^\/u\/(?<handle>[A-Za-z][A-Za-z0-9_-]{2,19})$/],
  ["rankings", /^\/rankings(?:\/(?<game>[a-z]{1,32}))?$/],
  ["games", /^\/games$/],
  ["replay", /^\/g\/(?<id>[a-z0-9]{4,32})$/],
  ["coach", /^\/g\/(?<id>[a-z0-9]{4,32})\/coach$/],
  ["result", /^\/g\/(?<id>[a-z0-9]{4,32})\/result$/],
  ["table", /^\/t\/(?<id>[a-z0-9]{4,32})$/],
];

/** Return the route of an address. @param {string} path @param {string} [hash] @returns {Route} */
export function parseAddress(path, hash = "") {
  const [, key] = hash.match(/k=([0-9a-f]+)/) ?? [];
  // As for the server, a slash at the end makes no difference.
  const trimmed = path.replace(/(.)\/+$/, "$1");
  for (const [page, pattern] of PATTERNS) {
    const match = trimmed.match(pattern);
    if (match) {
      const { id = null, game = null, handle = null } = match.groups ?? {};
      return { page, id, game, handle, key: key ?? null };
    }
  }
  return { page: "unknown", id: null, game: null, handle: null, key: null };
}

/** Return the address of a table; a private one needs its key. @param {string} table @param {string | null} [key] */
export function tablePath(table, key) {
  return `/t/${table}${key ? `#k=${key}` : ""}`;
}

/** Return the address of a table as commentators see it, with their key. @param {string} table @param {string} key */
export function commentaryPath(table, key) {
  return `/t/${table}?commentate#k=${key}`;
}

/** Return whether an address asks for a table as commentators see it. @param {string} query */
export function asksToCommentate(query) {
  return new URLSearchParams(query).has("commentate");
}

const address = globalThis.location;

/** The page that is shown. */
export const route = signal(parseAddress(address?.pathname ?? "/", address?.hash));

function readAddress() {
  route.value = parseAddress(location.pathname, location.hash);
}

/** Show another page, without loading the document again unless there is a newer build. @param {string} path */
export function navigate(path) {
  if (isBuildOutdated()) {
    location.assign(path);
    return;
  }
  history.pushState(null, "", path);
  readAddress();
  scrollTo(0, 0);
}

globalThis.addEventListener?.("popstate", () => (isBuildOutdated() ? location.reload() : readAddress()));

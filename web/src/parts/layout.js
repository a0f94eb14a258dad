// The layout of a running table, by the size of the window. The style sheets use the same media queries.

import { signal } from "@preact/signals";

/** @typedef {"wide" | "short" | "side" | "middle" | "phone"} Layout */

/**
 * The layouts, the first that matches counts:
 * side: a low window, as a laptop at 200 % zoom or a phone held sideways; the decision stands beside the city;
 * phone: one column with tabs; short: three columns on a low laptop; wide: three columns; middle: tablets.
 * @type {[Layout, string][]}
 */
const QUERIES = [
  ["side", "(min-width: 720px) and (max-height: 519px)"],
  ["phone", "(max-width: 719px)"],
  ["short", "(min-width: 1100px) and (max-height: 759px)"],
  ["wide", "(min-width: 1100px)"],
];
const queries = QUERIES.map(([name, media]) => ({ name, query: globalThis.matchMedia?.(media) }));

/** @returns {Layout} */
function current() {
  return queries.find(({ query }) => query?.matches)?.name ?? "middle";
}

export const layout = signal(current());
for (const { query } of queries) query?.addEventListener("change", () => (layout.value = current()));

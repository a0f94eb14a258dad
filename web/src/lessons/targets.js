// What a lesson points at. A lesson names its targets as `kind` or `kind:value`; here the names become CSS selectors: the
// kinds that every table has, and those of each game from a module of its own. A selector that finds nothing on the page
// as it is now is no mistake: a phone shows one part of a table at a time.

import { withTexts } from "../catalogue/index.js";

/** @typedef {(value: string) => string} Selector returns the CSS selector of a kind of target with a value */
/** @typedef {Record<string, Selector>} Kinds */
/** @typedef {{left: number, top: number, right: number, bottom: number}} Box in pixels of the window */

/** The kinds of targets of every game. @type {Kinds} */
export const GENERAL = {
  board: () => ".middle",
  seat: (seat) => `[data-seat="${seat}"]`,
  seats: () => ".left",
  decision: () => ".bottom",
  hand: () => ".bottom .hand-row",
  confirm: () => ".bottom .decision-actions",
  log: () => ".right .log",
  bar: () => ".bar .await",
};

/** What can be chosen while a decision is open. */
export const CHOICES = "[data-pick], .street.open .glow, .bottom .can, button.cheque:not(:disabled), .claim:not(:disabled)";
/** What can be chosen or pressed while a decision is open; a bubble must not lie over it. */
export const PICKABLE = `.decision-actions button, ${CHOICES}`;
/** What else a bubble should not lie over, where there is room: what is to be decided, and the bar at the top. */
export const BETTER_FREE = ".bottom .decision-title, .bottom .decision-more, .bar";

/** The kinds of each game, fetched with the texts of its lesson. @type {Record<string, () => Promise<{default: Kinds}>>} */
export const GAME_TARGETS = {
  investors: withTexts(() => import("./targets-investors.js"), "lesson-investors"),
  planners: withTexts(() => import("./targets-planners.js"), "lesson-planners"),
  builders: withTexts(() => import("./targets-builders.js"), "lesson-builders"),
};

/** Return the selector of a target; null for a kind that there is not. @param {string} name @param {Kinds} kinds of the game */
export function selectorOf(name, kinds) {
  const [kind, ...rest] = name.split(":");
  const selector = kinds[kind] ?? GENERAL[kind];
  return selector ? selector(rest.join(":")) : null;
}

/**
 * Return the elements of the named targets that can be seen, each once.
 * @param {{querySelectorAll: (selector: string) => Iterable<Element>}} page @param {string[]} names @param {Kinds} kinds of the game
 */
export function elementsOf(page, names, kinds) {
  const found = names.flatMap((name) => {
    const selector = selectorOf(name, kinds);
    return selector ? [...page.querySelectorAll(selector)] : [];
  });
  return [...new Set(found)].filter((element) => {
    const { width, height } = element.getBoundingClientRect();
    return width > 0 || height > 0;
  });
}

/** Return where an element is in the window; what a scrolled or zoomed part cuts off does not count. @param {Element} element @returns {Box | null} */
export function boxOf(element) {
  let { left, top, right, bottom } = element.getBoundingClientRect();
  for (let around = element.parentElement; around; around = around.parentElement) {
    if (getComputedStyle(around).overflow === "visible") continue;
    const edge = around.getBoundingClientRect();
    [left, top] = [Math.max(left, edge.left), Math.max(top, edge.top)];
    [right, bottom] = [Math.min(right, edge.right), Math.min(bottom, edge.bottom)];
  }
  return right - left > 1 && bottom - top > 1 ? { left, top, right, bottom } : null;
}

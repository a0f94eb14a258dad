// A board as a grid (WAI-ARIA): one tab stop, arrow keys from place to place, Home and End to the ends of a row, and Page
// Up and Page Down between the places that can be picked. A place is a number.

import { useState } from "preact/hooks";

/**
 * @typedef {object} Board
 * @property {(place: number, arrow: string) => number} neighbour the next place in the direction of an arrow key; the same place at an edge
 * @property {number[]} open the places that can be picked
 * @property {(place: number) => number} [order] the position of a place in reading order; by default its number
 */

/** Return the place that a key leads to; null for a key that does not move. @param {string} key @param {number} from @param {Board} board */
export function placeFor(key, from, board) {
  if (key.startsWith("Arrow")) return board.neighbour(from, key);
  if (key === "Home" || key === "End") return endOf(from, key === "Home" ? "ArrowLeft" : "ArrowRight", board);
  if (key === "PageDown" || key === "PageUp") return nextOpen(from, key === "PageDown", board);
  return null;
}

/** @param {number} from @param {string} arrow @param {Board} board */
function endOf(from, arrow, { neighbour }) {
  let place = from;
  for (let next = neighbour(place, arrow); next !== place; next = neighbour(place, arrow)) place = next;
  return place;
}

/** Return the next or previous place that can be picked, around the end; the same place if there is none. @param {number} from @param {boolean} isForward @param {Board} board */
function nextOpen(from, isForward, { open, order = (place) => place }) {
  if (!open.length) return from;
  const sorted = open.toSorted((one, other) => (isForward ? order(one) - order(other) : order(other) - order(one)));
  const isBeyond = (/** @type {number} */ place) => (isForward ? order(place) > order(from) : order(place) < order(from));
  return sorted.find(isBeyond) ?? sorted[0];
}

/**
 * Move the focus by a key; return whether the key moves.
 * @param {KeyboardEvent} event @param {number} from @param {Board & {focusOn: (place: number) => void}} board
 */
export function moveOnBoard(event, from, board) {
  if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return false;
  const to = placeFor(event.key, from, board);
  if (to === null) return false;
  event.preventDefault();
  if (to !== from) board.focusOn(to);
  return true;
}

/** @typedef {{place: number | null, isInside: boolean}} Focus the place that had the focus last, and whether it has it now */

/**
 * Return the place that is the tab stop: the last one, unless something else can be picked.
 * @param {Focus} focus @param {number[]} open in reading order @param {number} first
 */
export function tabStop({ place, isInside }, open, first) {
  if (place !== null && (isInside || !open.length || open.includes(place))) return place;
  return open[0] ?? first;
}

/** Return the tab stop of a board, and what to call when a place gets or loses the focus. @param {number[]} open in reading order */
export function useTabStop(open) {
  const [focus, setFocus] = useState(/** @type {Focus} */ ({ place: null, isInside: false }));
  return {
    stop: tabStop(focus, open, 0),
    onFocus: (/** @type {number} */ place) => setFocus({ place, isInside: true }),
    onBlur: () => setFocus(({ place }) => ({ place, isInside: false })),
  };
}

// The keys of a replay.

/**
 * What each key does. `ShiftArrow…` is the arrow with the shift key.
 * @typedef {"previous" | "next" | "previous_round" | "next_round" | "first" | "last" | "play" | "all" | "spectators" | "help" | `seat${number}`} Action
 */

/** @type {Record<string, Action>} */
const KEYS = {
  ArrowLeft: "previous",
  ArrowRight: "next",
  ShiftArrowLeft: "previous_round",
  ShiftArrowRight: "next_round",
  Home: "first",
  End: "last",
  " ": "play",
  0: "all",
  s: "spectators",
  "?": "help",
};

/** Controls that use all of these keys themselves. */
const KEEP_ALL = "input, textarea, select, [contenteditable], [role=menu], [role=listbox], [role=dialog], dialog, [role=combobox]";
/** Controls that are pressed by the space bar. */
const KEEP_SPACE = "button, a, [role=button], [role=tab]";
/** Controls in which arrow keys walk: radio buttons, and the board. */
const KEEP_ARROWS = "[role=radiogroup], [data-plot], [data-space], [data-street], [data-district]";

/**
 * Return what a key press does; null for nothing. Keys that a control uses itself are left to it.
 * @param {{key: string, shiftKey: boolean, ctrlKey: boolean, metaKey: boolean, altKey: boolean, target: any}} event @param {number} seats
 * @returns {Action | null}
 */
export function actionOf({ key, shiftKey, ctrlKey, metaKey, altKey, target }, seats) {
  if (ctrlKey || metaKey || altKey) return null;
  const isIn = (/** @type {string} */ controls) => Boolean(target?.closest?.(controls));
  const isArrow = key.startsWith("Arrow");
  if (isIn(KEEP_ALL) || (key === " " && isIn(KEEP_SPACE)) || (isArrow && isIn(KEEP_ARROWS))) return null;
  const seat = /^[1-9]$/.test(key) ? Number(key) - 1 : null;
  if (seat !== null) return seat < seats ? `seat${seat}` : null;
  return KEYS[isArrow && shiftKey ? `Shift${key}` : key === "S" ? "s" : key] ?? null;
}

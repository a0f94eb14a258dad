// The keys that read a table aloud or move the focus to its parts.

/** @typedef {"position" | "standing" | "options" | "events"} Reading what can be read */
/** @typedef {Reading | "board" | "decision" | "help"} ReaderAction */

/** @type {Record<string, ReaderAction>} */
export const READER_KEYS = { p: "position", s: "standing", o: "options", l: "events", b: "board", d: "decision", "?": "help" };

/** @type {Reading[]} */
export const READINGS = ["position", "standing", "options", "events"];

/** Controls that use letters themselves. The dialog of the keys is not among them. */
const KEEP_LETTERS = "input:not([type=checkbox]), textarea, select, [contenteditable], [role=menu], [role=listbox], [role=combobox], [role=dialog], dialog:not(.reader-dialog)";

/**
 * Return what a key press does; null for nothing.
 * @param {{key: string, ctrlKey: boolean, metaKey: boolean, altKey: boolean, defaultPrevented?: boolean, target: any}} event
 * @param {boolean} hasLetters whether letters are keys; the list of keys opens all the same
 * @returns {ReaderAction | null}
 */
export function readerAction({ key, ctrlKey, metaKey, altKey, defaultPrevented, target }, hasLetters) {
  if (ctrlKey || metaKey || altKey || defaultPrevented || target?.closest?.(KEEP_LETTERS)) return null;
  const action = READER_KEYS[key.toLowerCase()] ?? null;
  return hasLetters || action === "help" ? action : null;
}

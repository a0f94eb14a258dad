// Which chat lines are unread: those that others wrote since the chat of the table was last open on this device. The
// last line that was seen is kept for each table. The server keeps the last lines only, so lines cannot be counted.

import { signal } from "@preact/signals";
import { deviceStorage } from "../storage.js";

/** @typedef {{user: string, name: string, text: string, at?: number | null}} Line */

const STORED = "chat-seen";
const MAX_TABLES = 50;

/** @returns {[string, string][]} */
function readStored() {
  try {
    return JSON.parse(deviceStorage.get(STORED) ?? "[]");
  } catch {
    return [];
  }
}

/** The last line that was seen at each table, the table that was looked at last at the end. */
const seen = signal(new Map(readStored()));

// Another tab of this browser may show the same chat.
globalThis.addEventListener?.("storage", ({ key }) => {
  if (key === STORED) seen.value = new Map(readStored());
});

/** Return what identifies a line. @param {Line} line */
function markOf({ user, text, at }) {
  return `${at ?? ""}/${user}/${text}`;
}

/**
 * Return how many lines of others came after the last one that was seen, without those of people whom the visitor blocks.
 * @param {Line[]} lines @param {string | undefined} mark @param {string | undefined} me @param {(user: string) => boolean} [isHidden]
 */
export function countUnread(lines, mark, me, isHidden = () => false) {
  const last = lines.findLastIndex((line) => markOf(line) === mark);
  return lines.slice(last + 1).filter(({ user }) => user !== me && !isHidden(user)).length;
}

/**
 * Return how many lines of a table's chat are unread.
 * @param {string} table @param {Line[]} lines @param {string | undefined} me @param {(user: string) => boolean} [isHidden]
 */
export function unreadAt(table, lines, me, isHidden) {
  return countUnread(lines, seen.value.get(table), me, isHidden);
}

/** Note that the chat of a table is open. @param {string} table @param {Line[]} lines */
export function markSeen(table, lines) {
  const last = lines.at(-1);
  if (!last || seen.peek().get(table) === markOf(last)) return;
  const others = [...seen.peek()].filter(([other]) => other !== table);
  seen.value = new Map([...others, /** @type {[string, string]} */ ([table, markOf(last)])].slice(-MAX_TABLES));
  deviceStorage.set(STORED, JSON.stringify([...seen.value]));
}

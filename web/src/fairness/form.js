// A transcript as it is read from a file that anybody may have written.

import { canonicalJson, fromHex, hex } from "./commitments.js";
import { Wrong } from "./findings.js";

/** @typedef {any} Json null, boolean, number, string, and arrays and objects of these */
/** @typedef {{ number: number, events: Record<string, Json>[], setup: Json }} Line */
/** @typedef {{ decision: number, seat: number, attempt: number, commitment: string, salt: Uint8Array | null,
 *   answer: string | null, by_server: boolean }} Opening salt and answer are null if it stayed closed on its device */
/** @typedef {{ decision: number, seat: number, command: string | null, isSealed: boolean }} Move `isSealed`: the device of
 *   the seat kept an answer */
/**
 * @typedef {object} Transcript
 * @property {string} table
 * @property {string} title
 * @property {number} rules
 * @property {number} game
 * @property {string[]} lines
 * @property {string} head
 * @property {Uint8Array} serverSeed
 * @property {Uint8Array} gameSeed
 * @property {number} voidGames
 * @property {Move[]} moves
 * @property {Opening[]} openings
 * @property {Record<string, Json>[]} draws
 * @property {Json} outcome
 */

const FORM = "sanfrancisco-transcript/1";

/**
 * Return why a transcript says that its game is not verifiable; null if it says that it is.
 *
 * @param {Json} value
 */
export function whyNotOf(value) {
  if (!isObject(value) || value.format !== FORM) throw new Wrong("form_unreadable", { part: "format" });
  return value.verifiable === true && (value.why_not ?? null) === null ? null : text(value, "why_not");
}

/**
 * @param {Json} value
 * @returns {Transcript}
 */
export function readTranscript(value) {
  if (value.outcome !== null && !isObject(value.outcome)) throw new Wrong("form_unreadable", { part: "outcome" });
  return {
    table: text(value, "table"),
    title: text(value, "title"),
    rules: number(value, "rules"),
    game: number(value, "game"),
    lines: items(value, "lines").map((line) => text({ lines: line }, "lines")),
    head: text(value, "head"),
    serverSeed: bytes(value, "server_seed"),
    gameSeed: bytes(value, "game_seed"),
    voidGames: number(value, "void_games"),
    moves: items(value, "moves").map((each) => readMove(object(each, "moves"))),
    openings: items(value, "openings").map((each) => readOpening(object(each, "openings"))),
    draws: items(value, "draws").map((each) => object(each, "draws")),
    outcome: value.outcome,
  };
}

/**
 * @param {Record<string, Json>} value
 * @returns {Move}
 */
function readMove(value) {
  const isSealed = value.sealed === true;
  const command = isSealed || value.undo === true ? null : text(value, "command");
  return { decision: number(value, "decision"), seat: number(value, "seat"), command, isSealed };
}

/**
 * @param {Record<string, Json>} value
 * @returns {Opening}
 */
function readOpening(value) {
  const isClosed = value.salt === null && value.answer === null;
  if (isClosed && value.by_server !== false) throw new Wrong("form_unreadable", { part: "by_server" });
  const opening = {
    decision: number(value, "decision"),
    seat: number(value, "seat"),
    attempt: number(value, "attempt"),
    commitment: text(value, "commitment"),
    salt: isClosed ? null : bytes(value, "salt"),
    answer: isClosed ? null : text(value, "answer"),
    by_server: value.by_server,
  };
  if (typeof opening.by_server !== "boolean") throw new Wrong("form_unreadable", { part: "by_server" });
  return opening;
}

/**
 * Return a line of the chain, which must be that of this place.
 *
 * @param {string} line
 * @param {number} place
 * @returns {Line}
 */
export function readLine(line, place) {
  let value = null;
  try {
    value = JSON.parse(line);
  } catch {
    // It is unreadable, as said below.
  }
  const isEvent = (/** @type {Json} */ event) => isObject(event) && typeof event.event === "string";
  if (!isObject(value) || !Array.isArray(value.events) || !value.events.every(isEvent)) {
    throw new Wrong("chain_line_unreadable", { line: place });
  }
  if (value.line !== place) throw new Wrong("chain_line_misplaced", { line: place });
  return { number: place, events: value.events, setup: value.setup ?? null };
}

/** @param {Json} value */
export const isObject = (value) => typeof value === "object" && value !== null && !Array.isArray(value);

/**
 * @param {Json} given
 * @param {string} part
 * @returns {Record<string, Json>}
 */
export function object(given, part) {
  if (!isObject(given)) throw new Wrong("form_unreadable", { part });
  return given;
}

/**
 * @param {Record<string, Json>} value
 * @param {string} part
 * @returns {string}
 */
export function text(value, part) {
  const given = value[part];
  // A surrogate alone cannot be hashed, since it has no encoding in UTF-8.
  if (typeof given !== "string" || /\p{Surrogate}/u.test(given)) throw new Wrong("form_unreadable", { part });
  return given;
}

/**
 * @param {Record<string, Json>} value
 * @param {string} part
 * @returns {number}
 */
export function number(value, part) {
  const given = value[part];
  if (!Number.isSafeInteger(given) || given < 0) throw new Wrong("form_unreadable", { part });
  return given;
}

/**
 * @param {Record<string, Json>} value
 * @param {string} part
 * @returns {Json[]}
 */
export function items(value, part) {
  const given = value[part];
  if (!Array.isArray(given)) throw new Wrong("form_unreadable", { part });
  return given;
}

/**
 * @param {Record<string, Json>} value
 * @param {string} part
 */
export function bytes(value, part) {
  try {
    return fromHex(value[part]);
  } catch {
    throw new Wrong("form_unreadable", { part });
  }
}

/**
 * @param {Uint8Array} one
 * @param {Uint8Array} other
 */
export const isSameBytes = (one, other) => hex(one) === hex(other);

/**
 * @param {Json} one
 * @param {Json} other
 */
export const isSame = (one, other) => canonicalJson(one) === canonicalJson(other);

// Turns an event into one sentence for the log. The sentence is data: the catalogue has a text for each event, and the
// placeholders in the text name the values that are filled in. An event without a text has no line in the log, so a new
// event with known placeholders needs the catalogues only.

import { hasText, placeholdersOf, t } from "../catalogue/index.js";
import { nameOf } from "./names.js";

/** @typedef {import("./narration.js").Context} Context */
/** @typedef {Record<string, any[]>} Places what the line highlights on the board, by kind */
/** @typedef {{text: string, seat?: number, place?: Places}} Line */
/**
 * @template Value
 * @typedef {Record<string, (event: any, view: any, game: any, context?: Context) => Value>} EventTable
 */
/**
 * How the events of a game become sentences.
 * @typedef {object} SentenceRules
 * @property {string} prefix of the catalogue keys: the text of an event is at prefix, event name and, if any, variant
 * @property {(event: any) => number | undefined} [actor] the seat that acted; `event.seat` by default
 * @property {EventTable<string | null>} variants by event: which of several texts applies; "" is the plain one, null is no line
 * @property {EventTable<string | number>} values by placeholder: what is filled in; the event's field of that name by default
 * @property {EventTable<number>} [counts] by event: the number that chooses between singular and plural, and that {count} shows
 * @property {Record<string, (event: any) => Places>} places by placeholder, or by event: what the line highlights
 */

/**
 * Return a function that gives the line of an event, or null for an event that has none or belongs to another game.
 *
 * A text with a second form, whose key ends in `.you`, is about what a seat did: the line carries the seat, and the
 * seat itself reads the second form. Without a context the view is the one right after the event.
 * @param {SentenceRules} rules
 */
export function sentencesFrom({ prefix, actor = (event) => event.seat, variants, values, counts = {}, places }) {
  return (/** @type {any} */ event, /** @type {any} */ view, /** @type {Context | undefined} */ context = undefined) => {
    const game = view.play?.game;
    if (!game) return null;
    const variant = event.event in variants ? variants[event.event](event, view, game, context) : "";
    if (variant === null) return null;
    const key = `${prefix}${event.event}${variant && `.${variant}`}`;
    if (!hasText(key)) return null;
    const seat = hasText(`${key}.you`) ? actor(event) : undefined;
    const shownKey = seat !== undefined && seat === view.mine ? `${key}.you` : key;
    const names = placeholdersOf(shownKey);
    const filled = Object.fromEntries(names.map((name) => [name, values[name]?.(event, view, game, context) ?? event[name]]));
    if (seat !== undefined) filled.name = nameOf(view, seat);
    // The count chooses the form of a text, even of one that does not show it.
    if (event.event in counts) filled.count = counts[event.event](event, view, game, context);
    /** @type {Line} */
    const line = { text: t(shownKey, filled) };
    if (seat !== undefined) line.seat = seat;
    const place = placeOf(event, Object.keys(places).filter((name) => name === event.event || names.includes(name)), places);
    if (place) line.place = place;
    return line;
  };
}

/**
 * Return the places of a line by kind, or null if it has none.
 * @param {any} event @param {string[]} names @param {Record<string, (event: any) => Places>} places
 */
function placeOf(event, names, places) {
  /** @type {Places} */
  const found = {};
  for (const name of names) {
    for (const [kind, added] of Object.entries(places[name](event))) {
      if (added.length) found[kind] = [...(found[kind] ?? []), ...added];
    }
  }
  return Object.keys(found).length ? found : null;
}

// Every event of the game as one plain sentence for the log, with the place it speaks of.

import { t } from "../../catalogue/index.js";
import { nameOf } from "../../parts/names.js";
import { cardName, letter, listedSpaces, rowName, spaceName } from "./words.js";

/** @typedef {{columns?: number[], spaces?: {seat: number, space: number}[]}} Place */
/** @typedef {{text: string, seat?: number, place?: Place}} Line */

/**
 * A sentence about what a seat did; in the second person where it was the reader.
 * @param {any} view @param {number} seat @param {string} key @param {Record<string, string | number>} [values] @param {Place} [place]
 * @returns {Line}
 */
function did(view, seat, key, values = {}, place) {
  const name = `planners.log.${key}`;
  const text = seat === view.mine ? t(`${name}.you`, values) : t(name, { name: nameOf(view, seat), ...values });
  return place ? { text, seat, place } : { text, seat };
}

/** @param {any} event @param {number[]} spaces @returns {Place} */
function at(event, spaces) {
  return { spaces: spaces.map((space) => ({ seat: event.seat, space })) };
}

/** @type {Record<string, (event: any, view: any) => Line | null>} */
const SENTENCES = {
  game_begun: (event, view) => did(view, event.first_seat, "game_begun", { count: event.tokens }),
  project_drawn: (event, view) => did(view, event.seat, "project_drawn", { card: cardName(event.card) }),
  project_laid: (event, view) =>
    did(view, event.seat, event.token ? "project_laid.token" : "project_laid", { letter: letter(event.column) }, { columns: [event.column] }),
  column_taken: (event, view) =>
    did(view, event.seat, "column_taken", { letter: letter(event.column), count: event.cards.length }, { columns: [event.column] }),
  contracts_returned: () => ({ text: t("planners.log.contracts_returned") }),
  contracts_released: (event, view) => did(view, event.seat, "contracts_released", { count: event.count }),
  card_placed: (event, view) =>
    did(view, event.seat, "card_placed", { card: cardName(event.card), space: spaceName(event.space) }, at(event, [event.space])),
  card_discarded: (event, view) => did(view, event.seat, "card_discarded", { card: cardName(event.card) }),
  network_grown: (event, view) =>
    did(view, event.seat, "network_grown", { count: event.spaces.length, spaces: listedSpaces(event.spaces) }, at(event, event.spaces)),
  tower_built: (event, view) => did(view, event.seat, "tower_built", { space: spaceName(event.space) }, at(event, [event.space])),
  medal_taken: (event, view) => did(view, event.seat, "medal_taken"),
  row_completed: (event, view) => did(view, event.seat, "row_completed", { row: rowName(event.row) }),
  bonus_due: () => null,
  bonus_taken: (event, view) =>
    event.space === null
      ? did(view, event.seat, "bonus_taken", { row: rowName(event.row), bonus: t(`planners.bonus.${event.bonus}`) })
      : did(
          view,
          event.seat,
          "bonus_taken.at",
          { row: rowName(event.row), bonus: t(`planners.bonus.${event.bonus}`), space: spaceName(event.space) },
          at(event, [event.space]),
        ),
  bonus_lapsed: (event, view) => did(view, event.seat, "bonus_lapsed", { row: rowName(event.row) }),
  bonus_declined: (event, view) => did(view, event.seat, "bonus_declined", { row: rowName(event.row) }),
  turn_ended: () => null,
  turn_passed: (event, view) => did(view, event.seat, "turn_passed"),
  game_ended: (event, view) => did(view, event.seat, `game_ended.${event.reason}`),
};

/**
 * One sentence for an event, or nothing for what is not worth a line or not of this game.
 * @param {any} event @param {any} view @returns {Line | null}
 */
export function sentence(event, view) {
  return view.play ? (SENTENCES[event.event]?.(event, view) ?? null) : null;
}

/** The events that have a sentence or are known to need none. */
export const KNOWN_EVENTS = Object.keys(SENTENCES);

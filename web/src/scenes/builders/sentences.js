// Every event of the game as one plain sentence for the log, with the plots or cards it speaks of.

import { t } from "../../catalogue/index.js";
import { capital, inside, listed, nameOf } from "../../parts/names.js";
import { INCOME_SPACES, YEAR_BOARD, fieldPoints, spacesOf, yearOf } from "./box.js";
import { actionWords, bonusWords, dollars, goalName, permitShort, plotWords, signed, symbolWords } from "./words.js";

/** @typedef {{plots?: number[], areas?: number[]}} Place */
/** @typedef {{text: string, seat?: number, place?: Place}} Line */

/**
 * A sentence about what a seat did; in the second person where it was the reader.
 * @param {any} view @param {number} seat @param {string} key @param {Record<string, string | number>} [values] @param {Place} [place]
 * @returns {Line}
 */
function did(view, seat, key, values = {}, place) {
  const text = seat === view.mine ? t(`builders.log.${key}.you`, values) : t(`builders.log.${key}`, { name: nameOf(view, seat), ...values });
  return place ? { text, seat, place } : { text, seat };
}

/** A sentence about what happened. @param {string} key @param {Record<string, string | number>} [values] @returns {Line} */
function happened(key, values) {
  return { text: t(`builders.log.${key}`, values) };
}

/** @type {Record<string, (event: any, view: any, game: any) => Line | null>} */
const SENTENCES = {
  game_begun: (event, view) => did(view, event.start_seat, "game_begun"),
  pawn_placed: (event, view, game) => {
    if (event.area === YEAR_BOARD) return did(view, event.seat, "pawn_placed.year", { amount: dollars(INCOME_SPACES[event.space]) });
    const space = spacesOf(game.action_cards[event.area - 1], game.seats.length)[event.space];
    return did(view, event.seat, "pawn_placed", { number: event.area, what: t(`builders.space.${space.action}`) }, { areas: [event.area] });
  },
  action_chosen: (event, view) => {
    if (event.action === "pass") return did(view, event.seat, "passed");
    if (event.action === "dollar") return null;
    return event.fee ? did(view, event.seat, "action_chosen", { amount: dollars(event.fee), what: actionWords({ action: event.action }) }) : null;
  },
  bonus_chosen: (event, view, game) => did(view, event.seat, "bonus_chosen", { year: game.year, what: bonusWords(yearOf(game.year), event.bonus) }),
  bonus_lapsed: (event, view) => did(view, event.seat, "bonus_lapsed"),
  money_gained: (event, view) => (event.why === "income_space" ? null : did(view, event.seat, `money_gained.${event.why}`, { amount: dollars(event.amount) })),
  money_paid: (event, view) => did(view, event.seat, `money_paid.${event.why}`, { amount: dollars(event.amount) }),
  material_taken: (event, view) => did(view, event.seat, "material_taken"),
  permit_taken: (event, view) => did(view, event.seat, "permit_taken", { permit: permitShort(event.permit) }),
  goal_taken: (event, view) => did(view, event.seat, "goal_taken", { goal: goalName(event.goal) }),
  goal_drawn: (event, view) =>
    event.goal ? did(view, event.seat, "goal_drawn.known", { goal: goalName(event.goal) }) : did(view, event.seat, "goal_drawn"),
  rubble_cleared: (event, view, game) => did(view, event.seat, "rubble_cleared", { plot: plotWords(game, event.plot) }, { plots: [event.plot] }),
  marker_moved: (event, view) => did(view, event.seat, "marker_moved", { points: signed(fieldPoints(event.column, event.row)) }),
  marker_capped: () => null,
  permit_chosen: (event, view) => did(view, event.seat, "permit_chosen", { permit: permitShort(event.permit) }),
  built: (event, view, game) =>
    did(view, event.seat, "built", { plot: plotWords(game, event.plot), permits: listed(event.permits.map(permitShort)) }, { plots: [event.plot] }),
  best_builder_taken: (event, view) => did(view, event.seat, "best_builder_taken"),
  card_offered: () => null,
  card_taken: (event, view) => did(view, event.seat, "card_taken", { symbol: symbolWords(event.symbol) }),
  card_declined: (event, view) => did(view, event.seat, "card_declined"),
  turn_ended: () => null,
  permits_reshuffled: (event) => happened("permits_reshuffled", { count: event.cards }),
  permits_refilled: (event) => happened("permits_refilled", { permits: listed(event.cards.map(permitShort)) }),
  goals_refilled: (event) => happened("goals_refilled", { goals: listed(event.cards.map(goalName)) }),
  area_closed: (event, view) => happened("area_closed", { names: capital(listed(event.order.map((/** @type {number} */ seat) => inside(view, seat)))) }),
  year_begun: (event) => happened("year_begun", { year: event.year, amount: dollars(yearOf(event.year).build_cost) }),
  goals_revealed: (event, view) => {
    const shown = event.goals.flatMap((/** @type {string[]} */ goals, /** @type {number} */ seat) =>
      goals.length ? [t("builders.log.goals_of", { name: inside(view, seat), goals: listed(goals.map(goalName)) })] : [],
    );
    return shown.length ? happened("goals_revealed", { goals: shown.join("; ") }) : null;
  },
  game_ended: (event) => happened(`game_ended.${event.reason}`),
};

/**
 * One sentence for an event, or nothing for what is not worth a line or not of this game.
 * @param {any} event @param {any} view @returns {Line | null}
 */
export function sentence(event, view) {
  const game = view.play?.game;
  return game ? (SENTENCES[event.event]?.(event, view, game) ?? null) : null;
}

/** The events that have a sentence or are known to need none. */
export const KNOWN_EVENTS = Object.keys(SENTENCES);

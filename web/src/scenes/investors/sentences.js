// Every event of the game as one plain sentence for the log, with the place it speaks of.

import { t } from "../../catalogue/index.js";
import { capital, inside, listed, nameOf, people } from "../../parts/names.js";
import { total } from "../../parts/prompt.js";
import { coordinate } from "./city.js";
import { actionName, kindName, money, placeName, streetWords, targetWords, tenderWords } from "./words.js";

/** @typedef {{streets?: number[], districts?: number[]}} Place */
/** @typedef {{text: string, seat?: number, place?: Place}} Line */

/**
 * A sentence about what a seat did; in the second person where it was the reader.
 * @param {any} view @param {number} seat @param {string} key @param {Record<string, string | number>} [values] @param {Place} [place]
 * @returns {Line}
 */
function did(view, seat, key, values = {}, place) {
  const text = seat === view.mine ? t(`log.${key}.you`, values) : t(`log.${key}`, { name: nameOf(view, seat), ...values });
  return place ? { text, seat, place } : { text, seat };
}

/** A sentence about what happened. @param {string} key @param {Record<string, string | number>} [values] @returns {Line} */
function happened(key, values) {
  return { text: t(`log.${key}`, values) };
}

/** @type {Record<string, (event: any, view: any, game: any) => Line | null>} */
const SENTENCES = {
  game_begun: (event, view) => did(view, event.start_seat, "game_begun"),
  tile_drawn: () => null,
  tile_set_aside: (event) => happened("tile_set_aside", { kind: kindName(event.tile) }),
  tile_laid: (event, view) =>
    did(view, event.seat, "tile_laid", { kind: kindName(event.tile), at: coordinate(event.space) }, { districts: [event.space] }),
  tile_exchanged: (event) => ({
    ...happened("tile_exchanged", { kind: kindName(event.tile), at: coordinate(event.space), other: coordinate(event.other) }),
    place: { districts: [event.space, event.other] },
  }),
  tender_shuffled: (event) => happened("tender_shuffled", { count: event.cards }),
  tender_drawn: (event, view) =>
    did(view, event.seat, event.binding ? "tender_drawn.binding" : "tender_drawn", { tender: tenderWords(event.card) }),
  tender_voided: (event) => happened("tender_voided", { tender: tenderWords(event.card) }),
  tender_rejected: (event, view) => did(view, event.seat, "tender_rejected", { tender: tenderWords(event.card) }),
  tender_opened: () => null,
  influence_revealed: (event, view) => influenceLine(event, view),
  bid_raised: (event, view) => did(view, event.seat, "bid_raised", { amount: money(total(event.cheques)) }),
  bid_passed: (event, view) => did(view, event.seat, "bid_passed"),
  auction_won: (event, view) => did(view, event.seat, "auction_won", { amount: money(total(event.cheques)) }),
  options_revealed: (event, view) =>
    happened("options_revealed", {
      chosen: listed(event.options.map((/** @type {string} */ option, /** @type {number} */ seat) => pair(view, seat, targetWords(option)))),
    }),
  bargaining_opened: (event, view) =>
    happened("bargaining_opened", { names: capital(people(view, event.seats)), option: targetWords(event.option) }),
  offer_made: (event, view) => offerLine(event, view),
  offer_passed: (event, view) => did(view, event.seat, "offer_passed"),
  offer_accepted: () => happened("offer_accepted"),
  offer_declined: (event, view) => happened("offer_declined", { names: capital(people(view, event.seats)) }),
  offer_paid: (event, view) => paidLine(event, view),
  bargaining_failed: (event) => happened("bargaining_failed", { option: targetWords(event.option) }),
  option_bids_revealed: (event, view) => optionBidsLine(event, view),
  option_paid: (event, view) =>
    "cheque" in event
      ? did(view, event.seat, "option_paid.known", { option: targetWords(event.option), amount: money(event.cheque) })
      : did(view, event.seat, "option_paid", { option: targetWords(event.option) }),
  option_won: (event, view) =>
    did(view, event.seat, "option_won", { option: targetWords(event.option), amount: money(total(event.cheques)) }),
  option_lapsed: (event) => happened("option_lapsed", { option: targetWords(event.option) }),
  tender_closed: (event) => (event.rights.length ? null : happened("tender_closed.nobody")),
  stick_placed: (event, view) => {
    const lifted = event.lifted ?? null;
    const values = { where: streetWords(event.street), from: lifted === null ? "" : streetWords(lifted) };
    const key = lifted === null ? "stick_placed" : "stick_placed.lifted";
    return did(view, event.seat, key, values, { streets: lifted === null ? [event.street] : [event.street, lifted] });
  },
  right_waived: (event, view) => did(view, event.seat, "right_waived"),
  right_lapsed: (event, view) => did(view, event.seat, "right_lapsed"),
  district_rebuilt: (event, view, game) => {
    const values = {
      place: placeName(game, event.district),
      kind: kindName(game.layout[event.district]),
      points: event.prestige + event.bonus,
    };
    const key = event.bonus ? "district_rebuilt.bonus" : "district_rebuilt";
    return did(view, event.seat, key, values, { districts: [event.district] });
  },
  action_drawn: (event, view) => did(view, event.seat, "action_drawn", { action: actionName(event.card) }),
  action_won: (event, view) => did(view, event.seat, "action_won"),
  stick_moved: (event, view) =>
    did(view, event.seat, "stick_moved", { from: streetWords(event.start), to: streetWords(event.end) }, { streets: [event.start, event.end] }),
  sticks_swapped: (event, view) =>
    did(
      view,
      event.seat,
      "sticks_swapped",
      { one: streetWords(event.first), other: streetWords(event.second) },
      { streets: [event.first, event.second] },
    ),
  stick_replaced: (event, view) =>
    did(
      view,
      event.seat,
      event.owner === view.mine ? "stick_replaced.mine" : "stick_replaced",
      { owner: inside(view, event.owner), where: streetWords(event.street) },
      { streets: [event.street] },
    ),
  subsidy_claimed: (event, view) => subsidyLine(event, view),
  bank_shuffled: (event) => happened("bank_shuffled", { count: event.cheques }),
  cheque_drawn: (event, view) => did(view, event.seat, event.bust ? "cheque_drawn.bust" : "cheque_drawn", { amount: money(event.cheque) }),
  drawing_stopped: (event, view) => did(view, event.seat, "drawing_stopped"),
  subsidy_paid: (event, view) => {
    const kept = event.kept.flatMap((/** @type {number[]} */ cheques, /** @type {number} */ seat) =>
      cheques.length ? [pair(view, seat, money(total(cheques)))] : [],
    );
    return kept.length ? happened("subsidy_paid", { kept: listed(kept) }) : null;
  },
  action_laid: (event) => happened("action_laid", { action: actionName(event.card), year: event.year }),
  round_ended: () => null,
  game_ended: (event) => happened(`game_ended.${event.reason}`),
};

/** "Bo 5" @param {any} view @param {number} seat @param {string | number} what */
function pair(view, seat, what) {
  return t("inv.pair", { name: inside(view, seat), what });
}

/** @param {any} event @param {any} view @returns {Line} */
function influenceLine(event, view) {
  const cards = event.cards.map((/** @type {number | null} */ card, /** @type {number} */ seat) =>
    pair(view, seat, card ?? t("inv.abstained")),
  );
  const values = { cards: listed(cards), names: people(view, event.winners) };
  return happened(event.winners.length ? "influence_revealed" : "influence_revealed.nobody", values);
}

/** @param {any} event @param {any} view @returns {Line | null} */
function optionBidsLine(event, view) {
  const bids = event.bids.flatMap((/** @type {number[] | null} */ bid, /** @type {number} */ seat) =>
    bid ? [pair(view, seat, money(total(bid)))] : [],
  );
  return bids.length ? happened("option_bids_revealed", { bids: listed(bids) }) : null;
}

/** @param {any} event @param {any} view @returns {Line} */
function offerLine(event, view) {
  const values = { investor: inside(view, event.investor), option: targetWords(event.option), amount: money(total(event.amounts)) };
  const key = event.seat === event.investor ? "offer_made.self" : "offer_made";
  return did(view, event.seat, key, values, event.avoid.length ? { streets: event.avoid } : undefined);
}

/** @param {any} event @param {any} view @returns {Line} */
function paidLine(event, view) {
  const option = targetWords(event.option);
  if (event.received) {
    const values = { amount: money(total(event.received)), option };
    return did(view, event.investor, "offer_paid.to_you", values);
  }
  const known = event.cheques ? [...event.cheques, ...event.drawn].flat() : null;
  const names = people(view, event.partners);
  if (known) return did(view, event.investor, "offer_paid.known", { names, amount: money(total(known)), option });
  return did(view, event.investor, "offer_paid", { names, count: total(event.given), option });
}

/** @param {any} event @param {any} view @returns {Line} */
function subsidyLine(event, view) {
  const place = event.sticks.length ? { streets: event.sticks } : undefined;
  if (!event.influence && !event.cheques_most) return did(view, event.seat, "subsidy_claimed.nothing", {}, place);
  const key = `subsidy_claimed.${event.mode}${event.sticks.length ? ".removed" : ""}`;
  const values = { influence: event.influence, most: money(event.cheques_most), count: event.sticks.length };
  return did(view, event.seat, key, values, place);
}

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

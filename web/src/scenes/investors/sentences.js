// The sentences of Investors for the log: which text applies to an event, and what fills its placeholders.

import { t } from "../../catalogue/index.js";
import { sentencesFrom } from "../../parts/event-sentences.js";
import { capitalize, formatList, formatNames, nameInSentence } from "../../parts/names.js";
import { total } from "../../parts/prompt.js";
import { coordinate } from "./city.js";
import { actionName, avoidedText, kindName, money, placeName, streetText, targetText, tenderText, termsText } from "./labels.js";

/** "Bo 5" @param {any} view @param {number} seat @param {string | number} what */
function pair(view, seat, what) {
  return t("inv.pair", { name: nameInSentence(view, seat), what });
}

/**
 * Return a list of seats, each with what it has; seats that have null or nothing are left out.
 * @template Value @param {any} view @param {(Value | null)[]} values by seat @param {(value: Value) => string | number} text
 */
function pairs(view, values, text) {
  return formatList(values.flatMap((value, seat) => (value === null ? [] : [pair(view, seat, text(value))])));
}

/** @param {any} event @returns {string} */
function subsidyVariant(event) {
  if (!event.influence && !event.cheques_most) return "nothing";
  return event.sticks.length ? `${event.mode}.removed` : event.mode;
}

/**
 * Return what a seat has on the bid after it raised, in thousands; null if its earlier cheques are not known.
 * @param {any} event @param {any} game @param {import("../../parts/narration.js").Context} [context]
 */
function bidAfter({ seat, cheques }, game, context) {
  if (context) return context.running ? (context.running[seat] ?? 0) + total(cheques) : null;
  return game.stage?.bids ? total(game.stage.bids[seat]) : null;
}

/** @param {any} event @param {any} game @param {import("../../parts/narration.js").Context} [context] */
function raiseVariant(event, game, context) {
  const bid = bidAfter(event, game, context);
  if (bid === null) return "";
  return bid === total(event.cheques) ? "first" : "to";
}

/** The streets that a sentence names, by the field of the event. */
const STREETS = ["street", "lifted", "start", "end", "first", "second"];

export const sentence = sentencesFrom({
  prefix: "log.",
  actor: (event) => event.seat ?? event.start_seat ?? event.investor,
  variants: {
    answered: ({ do: sealed = null }) => sealed,
    tender_drawn: ({ binding }) => (binding ? "binding" : ""),
    influence_revealed: ({ winners }) => (winners.length ? "" : "nobody"),
    bid_raised: (event, _, game, context) => raiseVariant(event, game, context),
    offer_made: ({ seat, investor }) => (seat === investor ? "self" : ""),
    offer_paid: ({ received, cheques }) => (received ? "to_you" : cheques ? "known" : ""),
    option_bids_revealed: ({ bids }) => (bids.some(Boolean) ? "" : null),
    option_paid: (event) => ("cheque" in event ? "known" : ""),
    tender_closed: ({ rights }) => (rights.length ? null : "nobody"),
    stick_placed: ({ lifted = null }) => (lifted === null ? "" : "lifted"),
    district_rebuilt: ({ bonus }) => (bonus ? "bonus" : ""),
    stick_replaced: ({ owner }, view) => (owner === view.mine ? "mine" : ""),
    subsidy_claimed: subsidyVariant,
    cheque_drawn: ({ bust }) => (bust ? "bust" : ""),
    subsidy_paid: ({ kept }) => (kept.some((/** @type {number[]} */ cheques) => cheques.length) ? "" : null),
    game_ended: ({ reason }) => reason,
  },
  values: {
    kind: ({ tile, district }, _, game) => kindName(tile ?? game.layout[district]),
    at: ({ space }) => coordinate(space),
    other: ({ other }) => coordinate(other),
    tender: ({ card }) => tenderText(card),
    action: ({ card }) => actionName(card),
    option: ({ option }) => targetText(option),
    district: ({ district }, _, game) => placeName(game, district),
    points: ({ prestige, bonus }) => prestige + bonus,
    investor: ({ investor }, view) => nameInSentence(view, investor),
    owner: ({ owner }, view) => nameInSentence(view, owner),
    winners: ({ winners }, view) => formatNames(view, winners),
    partners: ({ partners }, view) => formatNames(view, partners),
    seats: ({ seats }, view) => capitalize(formatNames(view, seats)),
    cheque: ({ cheque }) => money(cheque),
    cheques: ({ cheques }) => money(total(cheques)),
    cheques_most: ({ cheques_most: most }) => money(most),
    bid: (event, _, game, context) => money(bidAfter(event, game, context) ?? 0),
    terms: (event) => termsText(event),
    avoided: ({ avoid }) => (avoid.length ? ` ${avoidedText(avoid)}` : ""),
    received: ({ received }) => money(total(received)),
    paid: ({ cheques, drawn }) => money(total([...cheques, ...drawn].flat())),
    cards: ({ cards }, view) => formatList(cards.map((/** @type {number | null} */ card, /** @type {number} */ seat) => pair(view, seat, card ?? t("inv.abstained")))),
    options: ({ options }, view) => pairs(view, options, targetText),
    bids: ({ bids }, view) => pairs(view, bids, (bid) => money(total(bid))),
    kept: ({ kept }, view) => pairs(view, kept.map((/** @type {number[]} */ cheques) => (cheques.length ? cheques : null)), (cheques) => money(total(cheques))),
    ...Object.fromEntries(STREETS.map((field) => [field, (event) => streetText(event[field])])),
  },
  counts: {
    tender_shuffled: ({ cards }) => cards,
    bank_shuffled: ({ cheques }) => cheques,
    offer_paid: ({ given }) => total(given),
    subsidy_claimed: ({ sticks }) => sticks.length,
  },
  places: {
    ...Object.fromEntries(STREETS.map((field) => [field, (event) => ({ streets: [event[field]] })])),
    at: ({ space }) => ({ districts: [space] }),
    other: ({ other }) => ({ districts: [other] }),
    district: ({ district }) => ({ districts: [district] }),
    offer_made: ({ avoid }) => ({ streets: avoid }),
    subsidy_claimed: ({ sticks }) => ({ streets: sticks }),
  },
});

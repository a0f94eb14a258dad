// The rounds of Investors as sections of the log, and what its sentences need to know of earlier events.

import { t } from "../../catalogue/index.js";
import { total } from "../../parts/prompt.js";

/** Return whether a round begins with an event. @param {any} event */
export function opensSection({ event }) {
  return event === "game_begun" || event === "round_ended";
}

/** Return the round in which an event happened. @param {any} view @param {number} later rounds that began after it */
export function sectionAt(view, later) {
  return view.play.game.round - later;
}

/** @param {number} round */
export function sectionTitle(round) {
  return t("inv.round", { round });
}

/** The events before and after which no cheques lie on a bid. */
const NO_BIDS = new Set(["game_begun", "tender_opened", "action_drawn", "auction_won", "tender_closed", "round_ended"]);

/**
 * Return what each seat has bid in the open auction after an event; undefined if the auction began before the first one.
 * @param {number[] | undefined} bids by seat, in thousands @param {any} event
 */
export function contextAfter(bids, event) {
  if (NO_BIDS.has(event.event)) return [];
  if (event.event !== "bid_raised" || !bids) return bids;
  const after = [...bids];
  after[event.seat] = (bids[event.seat] ?? 0) + total(event.cheques);
  return after;
}

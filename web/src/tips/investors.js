// The tips of Investors. Several may be due at once: the first one is shown, so those for rare moments stand first.

import { choiceOf } from "../parts/prompt.js";
import { standing, streetsOf } from "../scenes/investors/city.js";
import { YEARS } from "../scenes/investors/values.js";
import { isAsked } from "./due.js";

/** The number of years left from which players are told that money is worth nothing at the end. */
const LAST_YEARS = 4;

/** Return whether a stick of one seat rebuilt a district for another. @param {any[]} events */
function isGift(events) {
  const placed = events.find(({ event }) => event === "stick_placed");
  return Boolean(placed) && events.some(({ event, seat }) => event === "district_rebuilt" && seat !== placed.seat);
}

/** Return whether one stick more would rebuild a district for the player. @param {any} view */
function isNearMajority(view) {
  const { game } = view.play;
  const offered = new Set(choiceOf(view, "place_stick")?.street.one_of);
  return game.layout.some((/** @type {string | null} */ kind, /** @type {number} */ district) => {
    if (kind === null || kind === "park" || game.rebuilt[district] >= 0) return false;
    const { leader } = standing(game, game.sticks, district);
    return leader !== null && leader.seat === view.mine && leader.more === 1 && streetsOf(district).some((street) => offered.has(street));
  });
}

/** @type {import("./due.js").Tip[]} */
export const TIPS = [
  { id: "tips.investors.gift", rule: "5.4", when: (_, events) => isGift(events) },
  {
    id: "tips.investors.bank",
    rule: "9.3",
    when: (_, events) => events.some(({ event }) => event === "auction_won" || event === "option_won"),
  },
  {
    id: "tips.investors.lift",
    rule: "5.7",
    when: (view) => isAsked(view, "invest", "use_action") && choiceOf(view, "place_stick")?.lift !== undefined,
  },
  { id: "tips.investors.subsidy", rule: "9.1", when: (view) => isAsked(view, "claim_subsidy") && view.play.game.action.startsWith("subsidy") },
  {
    id: "tips.investors.end",
    rule: "11.2",
    when: (view) => isAsked(view, "influence_tender", "cheque_tender") && YEARS.length - view.play.game.years.length <= LAST_YEARS,
  },
  { id: "tips.investors.abstain", rule: "7.4", when: (view) => isAsked(view, "influence_tender", "cheque_tender") && choiceOf(view, "abstain") !== undefined },
  { id: "tips.investors.refuse", rule: "3.1", when: (view) => isAsked(view, "consider_tender") },
  { id: "tips.investors.equal_cards", rule: "4.2", when: (view) => isAsked(view, "influence_tender") },
  { id: "tips.investors.many_rights", rule: "4.1", when: (view) => isAsked(view, "influence_tender") && view.play.game.stage.rights >= 3 },
  { id: "tips.investors.large_cheques", rule: "2.5", when: (view) => isAsked(view, "cheque_tender") && choiceOf(view, "raise_bid") !== undefined },
  { id: "tips.investors.option_alone", rule: "4.6", when: (view) => isAsked(view, "option_tender") },
  { id: "tips.investors.option_sums", rule: "4.7", when: (view) => isAsked(view, "option_bids") && choiceOf(view, "bid_cheques") !== undefined },
  { id: "tips.investors.majority", rule: "5.2", when: (view) => isAsked(view, "invest") && isNearMajority(view) },
  { id: "tips.investors.both_sides", rule: "5.6", when: (view) => isAsked(view, "invest") },
];

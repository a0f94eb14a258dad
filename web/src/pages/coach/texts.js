// The sentences of the coach: the headline, chances with their intervals, and why another choice was better.

import { hasText, t } from "../../catalogue/index.js";
import { CERTAIN } from "../../coach-model.js";
import { nameInSentence } from "../../parts/names.js";

/** @typedef {import("../../coach-model.js").Estimate} Estimate */
/** @typedef {import("../../coach-model.js").SeatFindings} SeatFindings */
/** @typedef {import("../../coach-model.js").TurningPoint} TurningPoint */

/** Return a chance in percent, as a whole number. @param {number} chance in thousandths */
export function percent(chance) {
  return Math.round((100 * chance) / CERTAIN);
}

/** "between 25 and 37 %"; a single number where rounding leaves no range. @param {Estimate} estimate */
export function rangeText([, low, high]) {
  const [from, to] = [percent(low), percent(high)];
  return from === to ? t("coach.chance", { value: from }) : t("coach.range", { low: from, high: to });
}

/** Return whether the trials leave open which choice is better. @param {TurningPoint} point */
export function isTooClose({ cost: [, low] }) {
  return low <= 0;
}

/** What tells how far a game is, the first that its stages have. */
const STAGES = ["round", "year", "cards"];

/** Return when something happened: "Round 9", "1908, card 3". @param {Record<string, number>} stage */
export function stageText(stage) {
  const name = STAGES.find((each) => stage[each] !== undefined);
  if (!name) return "";
  const key = name === "year" && stage.card ? "coach.stage.year.card" : `coach.stage.${name}`;
  return t(key, { value: stage[name], count: stage[name], card: stage.card ?? 0 });
}

/** Return the same for the axis of the chart: "9", "1908". @param {Record<string, number>} stage */
export function stageShort(stage) {
  const name = STAGES.find((each) => stage[each] !== undefined);
  return name ? String(stage[name]) : "";
}

/** Return what was decided: "choose a card". @param {string} game @param {string} kind */
export function kindText(game, kind) {
  const key = `about.${game}.${kind}`;
  return hasText(key) ? t(key) : "";
}

/** Return how the game ended for a seat. @param {any} view @param {number} seat @returns {"won" | "lost" | "open"} */
export function endOf(view, seat) {
  const outcome = view.play?.outcome;
  if (!outcome) return "open";
  return outcome.winners.includes(seat) ? "won" : "lost";
}

/** "Three moments cost you this game" @param {any} view @param {SeatFindings} findings @param {number} seat */
export function headline(view, { points }, seat) {
  const key = `coach.head.${endOf(view, seat)}.${points.length || "none"}`;
  return t(seat === view.mine ? `${key}.you` : key, { name: nameInSentence(view, seat) });
}

/** "Each of these choices cost 6 to 9 % of the chance to win"; null without turning points. @param {SeatFindings} findings */
export function costText({ points }) {
  if (!points.length) return null;
  const costs = points.map(({ cost: [value] }) => percent(value));
  const [low, high] = [Math.min(...costs), Math.max(...costs)];
  if (points.length === 1) return t("coach.cost.one", { value: high });
  return low === high ? t("coach.cost.same", { value: high }) : t("coach.cost.range", { low, high });
}

/** Return the title of a turning point: what would have been better. @param {string} game @param {TurningPoint} point @param {any} view @param {PriceText} [priceText] */
export function pointTitle(game, point, view, priceText = String) {
  const { played, better, reason } = point;
  const title = reason && `coach.title.${reason.key.split(".").at(-1)}`;
  if (title && hasText(title)) return t(title, valuesOf(point, view, priceText));
  // Commands that begin alike, such as taking a bonus, may share a title.
  const names = [better.do, better.do.split("_")[0]].map((name) => `coach.better.${game}.${name}`);
  const found = names.map((name) => (played.do === better.do ? `${name}.other` : name)).find(hasText);
  return t(found ?? "coach.better");
}

/** Return why the better choice was better; a sentence about the trials where the server names no reason. @param {TurningPoint} point @param {any} view @param {PriceText} [priceText] */
export function reasonText(point, view, priceText = String) {
  const { reason } = point;
  return reason && hasText(reason.key) ? t(reason.key, valuesOf(point, view, priceText)) : t("coach.reason.none");
}

/** @typedef {(amount: number) => string} PriceText returns what was paid, as text */

/**
 * Return the values of a reason as texts, with the card that was played; the number that chooses the form is what would
 * have been left over.
 * @param {TurningPoint} point @param {any} view @param {PriceText} priceText
 */
function valuesOf({ played, reason }, view, priceText) {
  const values = reason?.values ?? {};
  const { other_seat: other, price, worth, spare } = values;
  return {
    ...values,
    played: played.card ?? "",
    ...(spare === undefined ? {} : { count: spare }),
    ...(other === undefined ? {} : { name: nameInSentence(view, other) }),
    ...(price === undefined ? {} : { price: priceText(price), worth: priceText(worth) }),
  };
}

/**
 * Return how a bid by sealed influence cards was, for the seat that made it.
 * @param {import("../../coach-model.js").Tender} tender @param {number} seat
 * @returns {{grade: "abstained" | "tied" | "exact" | "too_many" | "short" | "too_dear" | "out_of_reach", count: number}} by how much
 */
export function gradeOf({ bids, held, outcome, enough, worth }, seat) {
  const [bid, needed] = [bids[seat], enough[seat]];
  if (bid === null || outcome[seat] === "abstained") return { grade: "abstained", count: 0 };
  if (outcome[seat] === "tied") return { grade: "tied", count: 0 };
  if (outcome[seat] === "won") {
    const count = bid - (needed ?? bid);
    return count > 0 ? { grade: "too_many", count } : { grade: "exact", count: 0 };
  }
  if (needed === null || needed > held[seat]) return { grade: "out_of_reach", count: 0 };
  const count = needed - bid;
  // Who loses what was not worth the price has done well.
  return { grade: needed > worth[seat] ? "too_dear" : "short", count };
}

/**
 * Return what changed the chance of a seat over the game, as sentences: "… went from 25 % to 100 %. Own poor decisions
 * took 14 %. …" The changes add up to the way.
 * @param {import("../../coach-model.js").Findings} findings @param {number} seat
 */
export function balanceText({ chances, seats }, seat) {
  const { skill, others = 0, luck } = seats[seat].summary;
  const [from, to] = [chances[0], chances[chances.length - 1]].map((row) => percent(row.seats[seat][0]));
  const signed = (/** @type {string} */ name, /** @type {number} */ change) =>
    t(`coach.balance.${name}.${change > 0 ? "good" : "bad"}`, { value: percent(Math.abs(change)) });
  return [
    t("coach.balance.way", { from, to }),
    percent(-skill) > 0 ? t("coach.balance.skill", { value: percent(-skill) }) : t("coach.balance.skill.none"),
    ...(percent(Math.abs(others)) ? [signed("others", others)] : []),
    percent(Math.abs(luck)) ? signed("luck", luck) : t("coach.balance.luck.even"),
  ].join(" ");
}

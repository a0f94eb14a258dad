// Texts for the cards, plots, permits and goals of Builders.

import { t } from "../../catalogue/index.js";
import { formatList } from "../../parts/names.js";
import { CARD_PLOTS, DOLLARS_FOR_A_POINT, INCOME_SPACES, SYMBOLS, goalParts, goalPoints, majorityPoints, permitOf, plotOf } from "./game-data.js";

/** @param {number} amount */
export function dollars(amount) {
  return `$${amount}`;
}

/** Return a number with its sign, and a typographic minus. @param {number} number */
export function signed(number) {
  return number > 0 ? `+${number}` : plain(number);
}

/** Return a number with a typographic minus. @param {number} number */
export function plain(number) {
  return number < 0 ? `−${-number}` : String(number);
}

/** Return the letter of the block of a plot. @param {number} plot */
export function blockOf(plot) {
  return "ABCDEFGH"[Math.floor(plot / CARD_PLOTS)];
}

/** "red 2" @param {string} colour @param {number} number */
export function landText(colour, number) {
  return t("builders.land", { colour: t(`builders.colour.${colour}`), number });
}

/** "red 2 in block C" @param {any} game @param {number} plot */
export function plotText(game, plot) {
  const { colour, number } = plotOf(game, plot);
  return t("builders.plot", { land: landText(colour, number), block: blockOf(plot) });
}

/** "E, red 2" @param {any} game @param {number} plot */
export function plotShort(game, plot) {
  const { colour, number } = plotOf(game, plot);
  return t("builders.plot.short", { land: landText(colour, number), block: blockOf(plot) });
}

/** "green 5" or "any plot" @param {number} permit */
export function permitShort(permit) {
  const { colour, number } = permitOf(permit);
  return colour === null || number === null ? t("builders.permit.wild") : landText(colour, number);
}

/** "green 5 with light and tram" @param {number} permit */
export function permitText(permit) {
  const symbols = formatList(permitOf(permit).symbols.map((symbol) => t(`builders.symbol.${symbol}`)));
  return t("builders.permit", { land: permitShort(permit), symbols });
}

/** @param {string} symbol */
export function symbolText(symbol) {
  return t(`builders.symbol.${symbol}`);
}

/** Return the name of the colour or symbol that a goal counts. @param {string | null} subject */
function subjectText(subject) {
  if (subject === null) return "";
  return SYMBOLS.includes(subject) ? symbolText(subject) : t(`builders.colour.${subject}`);
}

/** Return the two lines of a goal card. @param {string} goal @param {number} seats */
export function goalShort(goal, seats) {
  const { kind, subject } = goalParts(goal);
  const short = kind === "card" ? t(`builders.symbol.${subject}.short`) : subjectText(subject);
  const worth = kind === "majority" ? majorityPoints(seats).join("·") : String(goalPoints(goal) ?? "");
  return { worth, of: t(`builders.goal.${kind}.short`, { subject: short, dollars: DOLLARS_FOR_A_POINT }) };
}

/** Return a goal as a sentence. @param {string} goal @param {number} seats */
export function goalText(goal, seats) {
  const { kind, subject } = goalParts(goal);
  return t(`builders.goal.${goal === "majority_rubble" ? goal : kind}`, {
    subject: subjectText(subject),
    points: goalPoints(goal) ?? 0,
    places: majorityPoints(seats).join("/"),
    dollars: DOLLARS_FOR_A_POINT,
  });
}

/** Return the name of a goal for the middle of a sentence. @param {string} goal */
export function goalName(goal) {
  const { kind, subject } = goalParts(goal);
  return t(`builders.goal.${goal === "majority_rubble" ? goal : kind}.name`, { subject: subjectText(subject) });
}

/** @param {{action: string, amount?: number}} space */
export function actionText({ action, amount = 0 }) {
  return t(`builders.action.${action}`, { amount: dollars(amount) });
}

/** Return the action of a space in one word. @param {{action: string, amount?: number}} space */
export function spaceLabel({ action, amount = 0 }) {
  return t(`builders.label.${action}`, { amount: dollars(amount) });
}

/** Return when the pawn on an income space goes on, as far as the space alone tells. @param {number} space @param {number} seats */
export function incomeOrderText(space, seats) {
  const last = INCOME_SPACES.length - 1;
  if (space === last) return t("builders.income.order.1");
  if (space === 0) return t("builders.income.order.last");
  // With a pawn on every space, the places in between are known as well.
  return t(seats === INCOME_SPACES.length ? `builders.income.order.${last - space + 1}` : "builders.income.order.between");
}

/**
 * Return one of the bonuses of a year as text.
 * @param {import("./game-data.js").Year} year @param {string} bonus @param {boolean} [isShort] for a button
 */
export function bonusText({ money = { fixed: 0, per_building: 0 } }, bonus, isShort = false) {
  const amount = dollars(money.fixed || money.per_building);
  if (bonus === "money") return t(money.per_building ? `builders.bonus.per_building${isShort ? ".short" : ""}` : "builders.bonus.money", { amount });
  return t(bonus === "step" && isShort ? "builders.bonus.step.short" : `builders.bonus.${bonus}`);
}

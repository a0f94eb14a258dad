// Texts for the places, cards and money of Investors.

import { language, t } from "../../catalogue/index.js";
import { formatList, nameInSentence } from "../../parts/names.js";
import { total } from "../../parts/prompt.js";
import { coordinate, districtsOf, edgeSide } from "./city.js";

/** Return an amount given in thousands of dollars as text. @param {number} thousands */
export function money(thousands) {
  return t("inv.money", { amount: new Intl.NumberFormat(language.value).format(thousands * 1000) });
}

/** Return an amount in thousands as short as on a cheque. @param {number} amount */
export function thousands(amount) {
  return t("inv.thousands", { amount });
}

/** @param {string | null} kind */
export function kindName(kind) {
  return kind === null ? t("kind.none") : t(`kind.${kind}`);
}

/** "factory B2" @param {any} game @param {number} district */
export function placeName(game, district) {
  return t("inv.place", { kind: kindName(game.layout[district]), at: coordinate(district) });
}

/** "between B2 and C2", "north of A1" @param {number} street */
export function streetText(street) {
  const [one, other] = districtsOf(street).map(coordinate);
  const side = edgeSide(street);
  return side ? t(`inv.side.${side}`, { at: one }) : t("inv.between", { one, other });
}

/** The number of streets that an offer names; the map marks them all. */
const MAX_NAMED = 3;

/** Return which streets an offer keeps off, as a sentence. @param {number[]} streets */
export function avoidedText(streets) {
  return streets.length > MAX_NAMED
    ? t("offer.line.avoid_many", { count: streets.length })
    : t("offer.line.avoid", { streets: formatList(streets.map(streetText)) });
}

/** "$30,000 and 2 blind draws" @param {{amounts: number[], draws: number[]}} offer */
export function termsText({ amounts, draws }) {
  const parts = [];
  if (total(amounts)) parts.push(money(total(amounts)));
  if (total(draws)) parts.push(t("offer.terms.draws", { count: total(draws) }));
  return formatList(parts);
}

/** Return the name of a street with the kinds of its districts, for screen readers. @param {any} game @param {number} street */
export function streetName(game, street) {
  const [one, other] = districtsOf(street).map((district) => placeName(game, district));
  const side = edgeSide(street);
  return side ? t("inv.street_edge", { where: t(`inv.side.${side}`, { at: one }) }) : t("inv.street_between", { one, other });
}

/** Return who owns the stick on a street. @param {any} view @param {number} owner */
export function ownerText(view, owner) {
  if (owner === -2) return t("inv.white_stick");
  return owner < 0 ? t("inv.free") : t("inv.stick_of", { name: nameInSentence(view, owner) });
}

/**
 * "blue 2, red 1, one free: blue needs one more"
 * @param {any} view @param {import("./city.js").Standing} standing @param {string | null} kind
 */
export function standingText(view, standing, kind) {
  const parts = standing.seats.map(([seat, count]) => t("inv.standing.seat", { name: nameInSentence(view, seat), count }));
  if (standing.white) parts.push(t("inv.standing.white", { count: standing.white }));
  parts.push(standing.free ? t("inv.standing.free", { count: standing.free }) : t("inv.standing.none_free"));
  const counted = parts.join(", ");
  const { settles, leader } = standing;
  if (settles !== null) return t("inv.standing.settled", { counted, name: nameInSentence(view, settles) });
  if (leader) {
    const key = leader.seat === view.mine ? "inv.standing.needs.you" : "inv.standing.needs";
    return t(key, { counted, name: nameInSentence(view, leader.seat), count: leader.more });
  }
  if (kind === "hall" || kind === "bank") return t("inv.standing.landmark", { counted });
  return standing.free ? t("inv.standing.open", { counted }) : t("inv.standing.tied", { counted });
}

/** Return the parts of a tender card's name. @param {string} card */
export function tenderParts(card) {
  const [target, mode, rights] = card.split("/");
  return { target, mode, rights: Number(rights) };
}

/** @param {string} target a kind, an option, the edge or the options */
export function targetText(target) {
  return t(`target.${target}`);
}

/** "factory, by influence, up to 3" @param {string} card */
export function tenderText(card) {
  const { target, mode, rights } = tenderParts(card);
  if (mode === "options") return t("tender.short.options");
  return t(`tender.short.${mode}`, { target: targetText(target), count: rights });
}

/** Return the parts of an action card's name: its effect, and how its user is determined. @param {string} card */
export function actionParts(card) {
  const [effect, mode = null] = card.split("/");
  return { effect, mode };
}

/** @param {string} card */
export function actionName(card) {
  return t(`action.${actionParts(card).effect}`);
}

/** Return the symbol of an action card. @param {string} card */
export function actionSymbol(card) {
  const { effect } = actionParts(card);
  const drawings = { bonus_villa: "bonus", bonus_residential: "bonus", subsidy: "sub4", removal_subsidy: "subrm" };
  return `action-${drawings[/** @type {keyof typeof drawings} */ (effect)] ?? effect}`;
}

// Names of districts, cards, columns and points in the chosen language.

import { t } from "../../catalogue/index.js";
import { capital, listed } from "../../parts/names.js";
import { DISTRICTS, UNIVERSAL, cardOf, columnOf, rowOf } from "./cards.js";

/** Half points as people write them: 19 is 9½. @param {number} halves */
export function half(halves) {
  const [whole, rest] = [Math.floor(Math.abs(halves) / 2), Math.abs(halves) % 2];
  const sign = halves < 0 ? "−" : "";
  return sign + (rest ? `${whole || ""}½` : String(whole));
}

/** The same with its sign: +2, 0, −1. @param {number} halves */
export function signed(halves) {
  return halves > 0 ? `+${half(halves)}` : half(halves);
}

/** @param {number} column of the project board */
export function letter(column) {
  return "ABC"[column];
}

/** @param {string} district */
export function districtName(district) {
  return t(`planners.district.${district}`);
}

/** @param {number} row */
export function rowName(row) {
  return districtName(DISTRICTS[row]);
}

/** "Chinatown 4" @param {number} space */
export function spaceName(space) {
  return t("planners.space", { district: rowName(rowOf(space)), number: columnOf(space) + 1 });
}

/** What is printed on a card besides its value. @param {number} id */
function featureWords(id) {
  return cardOf(id).features.map((feature) => t(`planners.feature.${feature}`));
}

/** "Chinatown, value 1, with tracks and a compass" @param {number} id */
export function cardName(id) {
  const { district, value, features } = cardOf(id);
  const name = district === UNIVERSAL ? t("planners.universal") : districtName(district);
  if (features.includes("square")) return t("planners.card.square", { name });
  if (!features.length) return t("planners.card", { name, value });
  return t("planners.card.with", { name, value, features: listed(featureWords(id)) });
}

/** @param {number[]} ids */
export function cardNames(ids) {
  return ids.map(cardName).join("; ");
}

/** @param {number} place from 1 */
export function placeWords(place) {
  return t(`place.${place}`);
}

export { capital };

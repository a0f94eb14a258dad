// Texts for the districts, cards, columns and points of Planners.

import { t } from "../../catalogue/index.js";
import { formatList } from "../../parts/names.js";
import { pointsText } from "../../parts/points.js";
import { DISTRICTS, UNIVERSAL, cardOf, columnOf, rowOf } from "./cards.js";

/** Return half points as text: 19 is "9½". @param {number} halves */
export function halvesText(halves) {
  return pointsText(halves, 2);
}

/** Return half points with a sign: +2, 0, −1. @param {number} halves */
export function signed(halves) {
  return halves > 0 ? `+${halvesText(halves)}` : halvesText(halves);
}

/** @param {number} column of the project board */
export function columnLetter(column) {
  return "ABC"[column];
}

/** @param {string} district */
function districtName(district) {
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

/** Return the features printed on a card. @param {number} id */
function featureText(id) {
  return cardOf(id).features.map((feature) => t(`planners.feature.${feature}`));
}

/** "Chinatown, value 1, with tracks and a compass" @param {number} id */
export function cardName(id) {
  const { district, value, features } = cardOf(id);
  const name = district === UNIVERSAL ? t("planners.universal") : districtName(district);
  if (features.includes("square")) return t("planners.card.square", { name });
  if (!features.length) return t("planners.card", { name, value });
  return t("planners.card.with", { name, value, features: formatList(featureText(id)) });
}

/** @param {number[]} ids */
export function cardNames(ids) {
  return ids.map(cardName).join("; ");
}

/** @param {number} place from 1 */
export function placeText(place) {
  return t(`place.${place}`);
}

/** "Parks 1 and Parks 2" @param {number[]} spaces */
export function spaceNames(spaces) {
  return formatList(spaces.map(spaceName));
}

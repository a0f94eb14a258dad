// Standing orders as sentences. An order is a kind with values; each value has a phrase, which its field shows too.

import { hasText, language, t } from "../catalogue/index.js";
import { capitalize } from "../parts/names.js";

/** @typedef {import("./load.js").Order} Order */

/** Fields whose numbers are thousands of dollars, by kind. @type {Record<string, string[]>} */
const MONEY = { raise: ["limit"], option_bid: ["limit"] };

/** Return whether a field of a kind holds thousands of dollars. @param {string} kind @param {string} field */
export const isMoney = (kind, field) => Boolean(MONEY[kind]?.includes(field));

/** Return an amount in thousands of dollars as text. @param {number} thousands */
export function moneyText(thousands) {
  return t("orders.money", { amount: new Intl.NumberFormat(language.value).format(thousands * 1000) });
}

/** Return the phrase for a value of a field. @param {string} kind @param {string} field @param {any} value */
export function valueText(kind, field, value) {
  const key = `orders.value.${field}.${value}`;
  if (hasText(key)) return t(key);
  return isMoney(kind, field) ? moneyText(Number(value)) : String(value ?? "");
}

/** Return what an order says, as a sentence without a full stop. @param {Order} order */
export function orderText({ kind, values }) {
  const key = `orders.sentence.${kind}`;
  const set = Object.entries(values).filter(([, value]) => value !== null && typeof value !== "object");
  const phrases = Object.fromEntries(set.map(([field, value]) => [field, valueText(kind, field, value)]));
  // A field that may be empty has a text of its own for when it is not.
  const more = set.find(([field]) => hasText(`${key}.${field}`));
  return capitalize(t(more ? `${key}.${more[0]}` : key, phrases));
}

/** Return how long an order holds. @param {string} until @param {string | null} period "round" or "year" */
export function untilText(until, period) {
  return t(until === "period" ? `orders.until.${period}` : `orders.until.${until}`);
}

// Names of seats, and lists of names, in the chosen language.

import { language, t } from "../catalogue/index.js";
import { SEAT_COLOURS } from "./art.js";

/** @param {any} view @param {number} seat */
export function nameOf(view, seat) {
  if (seat === view.mine) return t("seat.you");
  const { name, bot } = view.seats[seat];
  return name ?? t("seat.bot_named", { strength: bot ?? "", colour: t(`colour.${SEAT_COLOURS[seat]}`) });
}

/** Return the names of all seats as one string, to compare by value in a memo. @param {any} view */
export function seatNames(view) {
  return view.seats.map((/** @type {any} */ _, /** @type {number} */ seat) => nameOf(view, seat)).join("\n");
}

/** Return the name of a seat for the middle of a sentence. @param {any} view @param {number} seat */
export function nameInSentence(view, seat) {
  return seat === view.mine ? t("seat.you_inside") : nameOf(view, seat);
}

/** @param {string[]} names */
export function formatList(names) {
  return new Intl.ListFormat(language.value, { type: "conjunction" }).format(names);
}

/** @param {any} view @param {number[]} seats */
export function formatNames(view, seats) {
  return formatList(seats.map((seat) => nameInSentence(view, seat)));
}

/** Return the text with a capital first letter. @param {string} text */
export function capitalize(text) {
  return text.charAt(0).toLocaleUpperCase(language.value) + text.slice(1);
}

// Numbers and dates in the chosen language: ratings, changes, ordinals, days, and how long a game took.

import { hasText, language, t } from "../catalogue/index.js";

/** @typedef {{rating: number, uncertainty?: number, provisional?: boolean}} Rating */

/** The locale for dates of each language, where it is not the language itself: days before months, and 24 hours. @type {Record<string, string>} */
const DATE_LOCALES = { en: "en-GB" };
const MINUTE = 60_000;
const DAY = 86_400_000;

/** Return a whole number with separators: "1,684". @param {number} number */
export function numberText(number) {
  return new Intl.NumberFormat(language.value).format(number).replace("-", "−");
}

/** Return a rating; a provisional one has a question mark: "1,490?". @param {Rating} rating */
export function ratingText({ rating, provisional }) {
  return numberText(rating) + (provisional ? "?" : "");
}

/** Return a change with its sign: "+14", "−8", "±0". @param {number} change */
export function changeText(change) {
  if (!change) return "±0";
  return (change > 0 ? "+" : "−") + numberText(Math.abs(change));
}

/** Return the class that colours a change. @param {number} change */
export function changeClass(change) {
  return change > 0 ? "change change-up" : "change";
}

/** "1st", "22nd"; in German "1.", "22." @param {number} number */
export function ordinalText(number) {
  const rule = new Intl.PluralRules(language.value, { type: "ordinal" }).select(number);
  // Italian has a category for 8 and 11, which differ only where the number is a word.
  return t(hasText(`ordinal.${rule}`) ? `ordinal.${rule}` : "ordinal.other", { number: numberText(number) });
}

/** Return a moment in the chosen language. @param {number} moment milliseconds since 1970 @param {Intl.DateTimeFormatOptions} options */
export function formatDate(moment, options) {
  return new Intl.DateTimeFormat(DATE_LOCALES[language.value] ?? language.value, options).format(moment);
}

/** Return the time zone of this device. */
export function zoneHere() {
  return new Intl.DateTimeFormat().resolvedOptions().timeZone || "UTC";
}

/** Return the days between two moments by the calendar. @param {number} from @param {number} to */
export function daysBetween(from, to) {
  const midnight = (/** @type {number} */ moment) => new Date(moment).setHours(0, 0, 0, 0);
  return Math.round((midnight(to) - midnight(from)) / DAY);
}

/** Return the day of a moment: "today, 18:20", "yesterday", "Saturday", "8 November", "8 November 2025". @param {number} moment @param {number} [now] */
export function dayText(moment, now = Date.now()) {
  const days = daysBetween(moment, now);
  if (days <= 0) return t("day.today", { time: formatDate(moment, { hour: "2-digit", minute: "2-digit" }) });
  if (days === 1) return t("day.yesterday");
  if (days < 7) return formatDate(moment, { weekday: "long" });
  const isThisYear = new Date(moment).getFullYear() === new Date(now).getFullYear();
  return formatDate(moment, { day: "numeric", month: "long", ...(isThisYear ? {} : { year: "numeric" }) });
}

/** Return a moment with its date and time, for a tooltip. @param {number} moment */
export function momentText(moment) {
  return formatDate(moment, { dateStyle: "long", timeStyle: "short" });
}

/** Return a date in short: "8 Nov 2026". @param {number} moment */
export function dateText(moment) {
  return formatDate(moment, { day: "numeric", month: "short", year: "numeric" });
}

/** Return a date for the end of an axis, with the year only if it is not the present one: "8 Nov". @param {number} moment @param {number} [now] */
export function axisDateText(moment, now = Date.now()) {
  const isThisYear = new Date(moment).getFullYear() === new Date(now).getFullYear();
  return isThisYear ? formatDate(moment, { day: "numeric", month: "short" }) : dateText(moment);
}

/** "March 2026" @param {number} moment */
export function monthText(moment) {
  return formatDate(moment, { month: "long", year: "numeric" });
}

/** Return how long a game took: "35 min", "2 h 10 min", "3 days". @param {number} milliseconds */
export function lengthText(milliseconds) {
  const minutes = Math.max(1, Math.round(milliseconds / MINUTE));
  if (minutes < 60) return t("length.minutes", { count: minutes });
  if (minutes < 24 * 60) {
    const [hours, rest] = [Math.floor(minutes / 60), minutes % 60];
    return rest ? t("length.hours_minutes", { hours, minutes: rest }) : t("length.hours", { count: hours });
  }
  return t("length.days", { count: Math.round(minutes / (24 * 60)) });
}

/** How many units of a game's score make one point. @type {Record<string, number>} */
const PER_POINT = { planners: 2 };

/** Return how many units of a game's score make one point. @param {string} game */
export function perPoint(game) {
  return PER_POINT[game] ?? 1;
}

/** Return an average of scores, which the server sends ten times as large: "31.2". @param {string} game @param {number} tenfold */
export function averageText(game, tenfold) {
  const points = tenfold / 10 / perPoint(game);
  return new Intl.NumberFormat(language.value, { minimumFractionDigits: 1, maximumFractionDigits: 1 }).format(points).replace("-", "−");
}

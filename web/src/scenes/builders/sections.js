// The years of Builders as sections of the log.

import { t } from "../../catalogue/index.js";
import { YEARS } from "./game-data.js";

/** Return whether a year begins with an event. @param {any} event */
export function opensSection({ event }) {
  return event === "game_begun" || event === "year_begun";
}

/** Return the year in which an event happened. @param {any} view @param {number} later years that began after it */
export function sectionAt(view, later) {
  const now = YEARS.findIndex(({ year }) => year === view.play.game.year);
  return YEARS[Math.max(0, now - later)].year;
}

/** @param {number} year */
export function sectionTitle(year) {
  return t("builders.year_heading", { year });
}

// The sections of the log of Planners, which has neither rounds nor years: they begin with the foundations that bring the
// end of the game nearer.

import { t } from "../../catalogue/index.js";

/** Return whether a section begins with an event. @param {any} event */
export function opensSection({ event, token }) {
  return event === "game_begun" || (event === "project_laid" && token);
}

/** Return the foundations that were left when an event happened. @param {any} view @param {number} later foundations laid after it */
export function sectionAt(view, later) {
  return view.play.game.tokens + later;
}

/** @param {number} foundations that are left */
export function sectionTitle(foundations) {
  return t(foundations ? "planners.foundations_left" : "planners.no_foundation_left", { count: foundations });
}

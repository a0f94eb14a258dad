// When a tip is shown. The tips of a game are a list in its own module: each has an id, which is the key of its text, the
// number of the rule that it follows from, and a condition. A condition is a pure function of what the player sees: the
// view, and the events of the last update. It contains no rules; the prompt says what is possible.

import { choicesOf } from "../parts/prompt.js";

/**
 * @typedef {object} Tip
 * @property {string} id the key of its text
 * @property {string} rule its number in the RULES.md of the game
 * @property {(view: any, events: any[]) => boolean} when
 */

/** Return whether somebody plays at this table now, who could be shown tips. @param {any} view */
export function isPlaying(view) {
  const own = view?.seats[view.mine];
  return Boolean(own) && view.table.phase === "running" && !view.table.paused && !own.resigned && !own.stand_in;
}

/** Return whether the player must make a decision of one of these kinds. @param {any} view @param {...string} kinds */
export function isAsked(view, ...kinds) {
  return choicesOf(view).length > 0 && kinds.includes(view.play.decision.about);
}

/**
 * Return the first tip that is due and was not shown before, or null.
 * @param {Tip[]} tips @param {any} view @param {any[]} events of the last update @param {string[]} shown
 */
export function dueTip(tips, view, events, shown) {
  if (!isPlaying(view) || !view.play?.game) return null;
  return tips.find(({ id, when }) => !shown.includes(id) && when(view, events)) ?? null;
}

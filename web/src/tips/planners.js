// The tips of Planners. Several may be due at once: the first one is shown, so those for rare moments stand first.

import { DISTRICTS, hasFeature } from "../scenes/planners/cards.js";
import { isAsked } from "./due.js";

/** The number of foundation tokens from which the end of the game is near. */
const LAST_TOKENS = 2;
/** The number of cards from which a column is worth taking for more than one player. */
const LONG_COLUMN = 3;
/** The number of taken cards of which some may not be worth a space. */
const MANY_CARDS = 3;

/** Return whether a card that the player has taken has a feature. @param {any} view @param {...string} features */
function holds(view, ...features) {
  const cards = isAsked(view, "place") ? view.play.game.stage.cards : [];
  return cards.some((/** @type {number} */ card) => features.some((feature) => hasFeature(card, feature)));
}

/** Return the contracts of the player. @param {any} view */
function contractsOf(view) {
  return view.play.game.seats[view.mine].contracts;
}

/** Return whether a total above 0 of the player is equal to that of another in some district. @param {any} view */
function isTied(view) {
  const { standings } = view.play.game;
  return standings.slice(0, DISTRICTS.length).some((/** @type {any[]} */ ranks) => {
    const own = ranks.find(({ seat }) => seat === view.mine);
    return own.total > 0 && ranks.some(({ seat, total }) => seat !== view.mine && total === own.total);
  });
}

/** Return whether a row of the player has one compass, so that a second one brings the bonus. @param {any} view */
function hasCompass(view) {
  return view.play.game.seats[view.mine].compasses.includes(1);
}

/** @param {any} view */
function isNextToGiveBack(view) {
  const without = view.play.game.seats.filter((/** @type {any} */ { contracts }) => contracts === 0).length;
  return without === 1 && contractsOf(view) > 0;
}

/** Return whether the player's contracts keep a column from being taken. @param {any} view */
function isKeptOff(view) {
  const { columns, open_columns: open } = view.play.game;
  return contractsOf(view) > 0 && columns.some((/** @type {number[]} */ cards, /** @type {number} */ column) => cards.length > 0 && !open.includes(column));
}

/** @param {any} view */
function hasLongColumn(view) {
  const { columns, open_columns: open } = view.play.game;
  return open.some((/** @type {number} */ column) => columns[column].length >= LONG_COLUMN);
}

/** @type {import("./due.js").Tip[]} */
export const TIPS = [
  { id: "tips.planners.end", rule: "7.1", when: (view) => isAsked(view, "turn", "lay") && view.play.game.tokens <= LAST_TOKENS },
  { id: "tips.planners.tie", rule: "8.2", when: (view) => isAsked(view, "place") && isTied(view) },
  { id: "tips.planners.seaside", rule: "5.7", when: (view) => holds(view, "seaside") },
  { id: "tips.planners.foundation", rule: "5.6", when: (view) => holds(view, "foundation") },
  { id: "tips.planners.square", rule: "5.5", when: (view) => holds(view, "square") },
  { id: "tips.planners.compass", rule: "6.1", when: (view) => holds(view, "compass") && hasCompass(view) },
  { id: "tips.planners.tracks", rule: "5.3", when: (view) => holds(view, "tracks", "depot") },
  { id: "tips.planners.left", rule: "5.1", when: (view) => isAsked(view, "place") },
  { id: "tips.planners.discard", rule: "3.6", when: (view) => isAsked(view, "place") && view.play.game.stage.cards.length >= MANY_CARDS },
  { id: "tips.planners.give_back", rule: "4.2", when: (view) => isAsked(view, "turn") && isNextToGiveBack(view) },
  { id: "tips.planners.contracts", rule: "3.4", when: (view) => isAsked(view, "turn") && isKeptOff(view) },
  { id: "tips.planners.take", rule: "3.4", when: (view) => isAsked(view, "turn") && hasLongColumn(view) },
  { id: "tips.planners.lay", rule: "3.2", when: (view) => isAsked(view, "lay") },
];

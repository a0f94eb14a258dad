// The tips of Builders. Several may be due at once: the first one is shown, so those for rare moments stand first.

import { choiceOf } from "../parts/prompt.js";
import { BUILDINGS, YEARS, YEAR_BOARD, permitOf, yearOf } from "../scenes/builders/game-data.js";
import { isAsked } from "./due.js";

/** The number of buildings that are left to build when the end may be near. */
const LAST_BUILDINGS = 2;
/** An amount of money that soon goes beyond the end of the track. */
const MUCH_MONEY = 11;

/** @param {any} view */
function own(view) {
  return view.play.game.seats[view.mine];
}

/** @param {any} view */
function isOnYearBoard(view) {
  return view.play.game.area === YEAR_BOARD;
}

/** Return whether a command is offered to the player. @param {any} view @param {...string} commands */
function offers(view, ...commands) {
  return commands.some((command) => choiceOf(view, command) !== undefined);
}

/** Return whether a permit that can be taken shares a symbol with one that the player has. @param {any} view */
function hasMatchingPermit(view) {
  const symbols = new Set(own(view).permits.flatMap((/** @type {number} */ permit) => permitOf(permit).symbols));
  const open = choiceOf(view, "take_permit")?.permit.one_of ?? [];
  return open.some((/** @type {number} */ permit) => permitOf(permit).symbols.some((symbol) => symbols.has(symbol)));
}

/** Return whether the player may build on rubble. @param {any} view */
function canBuildOnRubble(view) {
  const plots = choiceOf(view, "choose_plot")?.plot.one_of ?? [];
  return plots.some((/** @type {number} */ plot) => view.play.game.city.rubble.includes(plot));
}

/** Return whether building costs more in the next year. @param {any} view */
function becomesDearer(view) {
  const { year } = view.play.game;
  return year < YEARS[YEARS.length - 1].year && yearOf(year + 1).build_cost > yearOf(year).build_cost;
}

/** @type {import("./due.js").Tip[]} */
export const TIPS = [
  {
    id: "tips.builders.end",
    rule: "11.1",
    when: (view) => isAsked(view, "place_pawn", "act") && view.play.game.seats.some((/** @type {any} */ { built }) => BUILDINGS - built <= LAST_BUILDINGS),
  },
  { id: "tips.builders.money", rule: "2.6", when: (view) => isAsked(view, "place_pawn", "act") && own(view).money >= MUCH_MONEY },
  { id: "tips.builders.cards", rule: "8.5", when: (view) => isAsked(view, "take_card") },
  { id: "tips.builders.rubble", rule: "7.4", when: (view) => isAsked(view, "choose_plot", "choose_permit") && canBuildOnRubble(view) },
  { id: "tips.builders.two_permits", rule: "7.3", when: (view) => isAsked(view, "choose_permit") },
  { id: "tips.builders.symbols", rule: "8.1", when: (view) => isAsked(view, "act", "bonus") && hasMatchingPermit(view) },
  { id: "tips.builders.permits", rule: "7.1", when: (view) => isAsked(view, "bonus") && offers(view, "take_permit") },
  { id: "tips.builders.goals", rule: "9.1", when: (view) => isAsked(view, "act", "bonus") && offers(view, "take_goal") },
  { id: "tips.builders.marker", rule: "2.6", when: (view) => isAsked(view, "act") && offers(view, "clean_up", "develop") },
  { id: "tips.builders.dearer", rule: "7.1", when: (view) => isAsked(view, "act") && offers(view, "build", "build_subsidised") && becomesDearer(view) },
  { id: "tips.builders.income", rule: "6.1", when: (view) => isAsked(view, "place_pawn") && isOnYearBoard(view) },
  { id: "tips.builders.two_players", rule: "2.2", when: (view) => isAsked(view, "place_pawn") && !isOnYearBoard(view) && view.play.game.seats.length === 2 },
  { id: "tips.builders.order", rule: "3.2", when: (view) => isAsked(view, "place_pawn") && !isOnYearBoard(view) },
  { id: "tips.builders.fee", rule: "4.2", when: (view) => isAsked(view, "act") },
];

// Which elements of the board can be picked, and which command each pick means. All choices come from the server's
// prompt.

import { choiceOf, choicesOf } from "../../parts/prompt.js";
import { NO_PLOT, YEAR_BOARD, spacesOf } from "./game-data.js";

/** @typedef {{do: string, [field: string]: any}} Command a command, perhaps incomplete */

/** The command for each action of a card and each bonus of a year. @type {Record<string, string>} */
const COMMANDS = {
  income: "take_income",
  material: "take_material",
  permit: "take_permit",
  goal: "take_goal",
  clean_up: "clean_up",
  develop: "develop",
  build: "build",
  build_subsidised: "build_subsidised",
  dollar: "take_dollar",
  pass: "pass",
  money: "take_money",
  step: "take_step",
};

/** Return the command for an action of a card or a bonus of a year. @param {string} action */
export function commandOf(action) {
  return COMMANDS[action];
}

/** @param {string} command */
export function actionOf(command) {
  return Object.keys(COMMANDS).find((action) => COMMANDS[action] === command) ?? null;
}

/** Commands that only open a further question. They are sent at once; undo takes them back. */
export const OPENING = ["build", "build_subsidised", "choose_permit"];

/** Return the spaces of the current area. @param {any} game */
export function currentSpaces(game) {
  return game.area === YEAR_BOARD ? [] : spacesOf(game, game.area);
}

/** Return the space of the current area with the pawn of the seat in turn, or null. @param {any} game */
function ownSpace(game) {
  const pawn = game.turn === null ? null : game.pawns[game.turn];
  return pawn && pawn[0] === game.area ? pawn[1] : null;
}

/**
 * Return the selected command. By default, it is the action of the seat's own space, if the prompt offers it.
 * @param {any} view @param {Record<string, any>} selection
 */
export function chosenCommand(view, selection) {
  if (selection.do) return /** @type {Command} */ (selection);
  const choices = choicesOf(view);
  if (!choices.length) return null;
  const { about } = view.play.decision;
  if (about === "act") {
    const game = view.play.game;
    const own = currentSpaces(game)[ownSpace(game) ?? -1];
    const name = own && commandOf(own.action);
    if (name && choiceOf(view, name)) return { do: name };
  }
  if (about === "take_card") return { do: "take_card", symbol: choiceOf(view, "take_card")?.symbol.one_of[0] };
  return choices.length === 1 ? { do: choices[0].do } : null;
}

/** Return the command once it is complete, else null. @param {any} view @param {Record<string, any>} selection @returns {Command | null} */
export function completeCommand(view, selection) {
  const chosen = chosenCommand(view, selection);
  const choice = chosen && choiceOf(view, chosen.do);
  if (!chosen || !choice) return null;
  /** @type {Command} */
  const complete = { do: choice.do };
  for (const [field, space] of Object.entries(choice)) {
    if (field === "do") continue;
    const only = space.one_of.length === 1 ? space.one_of[0] : undefined;
    const value = chosen[field] ?? only;
    if (!space.one_of.includes(value)) return null;
    complete[field] = value;
  }
  return complete;
}

/** @param {Command | null} one @param {Command | null} other */
export function isSame(one, other) {
  return one !== null && other !== null && Object.keys({ ...one, ...other }).every((field) => one[field] === other[field]);
}

/**
 * Return the values of a field that can be picked. Of several actions or bonuses, only the selected one has any, so that
 * the same can be picked whether or not the page has room for all displays.
 * @param {any} view @param {Record<string, any>} selection @param {string} command @param {string} field
 * @returns {any[]}
 */
export function pickable(view, selection, command, field) {
  const choice = choiceOf(view, command);
  if (!choice) return [];
  if (["act", "bonus"].includes(view.play.decision.about) && chosenCommand(view, selection)?.do !== command) return [];
  return choice[field].one_of;
}

/**
 * Return the plots that can be picked and the command of a pick, or null.
 * @param {any} view @param {Record<string, any>} selection
 * @returns {{command: string, plots: number[]} | null}
 */
export function pickablePlots(view, selection) {
  for (const command of ["choose_plot", "clean_up"]) {
    const plots = pickable(view, selection, command, "plot").filter((plot) => plot !== NO_PLOT);
    if (plots.length) return { command, plots };
  }
  return null;
}

/**
 * Return the command and the fee of picking a space of the current area, or null.
 * @param {any} view @param {number} space
 * @returns {{command: Command, fee: number} | null}
 */
export function spaceCommand(view, space) {
  const game = view.play.game;
  const standing = choiceOf(view, "place_pawn");
  if (standing) return standing.space.one_of.includes(space) ? { command: { do: "place_pawn", space }, fee: 0 } : null;
  if (view.play.decision?.about !== "act") return null;
  const name = commandOf(currentSpaces(game)[space].action);
  return choiceOf(view, name) ? { command: { do: name }, fee: feeOf(game, name) } : null;
}

/** Return the fee for an action of another space. @param {any} game @param {string} command */
export function feeOf(game, command) {
  const own = ownSpace(game);
  const at = currentSpaces(game).findIndex((space) => commandOf(space.action) === command);
  // Taking a dollar has no fee.
  if (own === null || at < 0 || command === "take_dollar") return 0;
  return game.costs.fee_per_step * Math.abs(at - own);
}

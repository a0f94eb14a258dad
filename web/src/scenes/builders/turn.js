// What may be picked now and what a pick means. The prompt is the server's; this only says where on the table each of its choices lies.

import { choiceOf, choicesOf } from "../../parts/prompt.js";
import { NO_PLOT, YEAR_BOARD, spacesOf } from "./game-data.js";

/** @typedef {{do: string, [field: string]: any}} Command a command, or as much of one as is chosen */

/** The command that carries out an action of a card. @type {Record<string, string>} */
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

/** What a year gives and the commands that take it are called alike. @param {string} action */
export function commandOf(action) {
  return COMMANDS[action];
}

/** @param {string} command */
export function actionOf(command) {
  return Object.keys(COMMANDS).find((action) => COMMANDS[action] === command) ?? null;
}

/** These only open the next question, so they are sent at once; undo closes it again. */
export const OPENING = ["build", "build_subsidised", "choose_permit"];

/** The spaces of the area that is being played. @param {any} game */
export function currentSpaces(game) {
  return game.area === YEAR_BOARD ? [] : spacesOf(game.action_cards[game.area - 1], game.seats.length);
}

/** The space that the seat in turn stands on in the present area, if it does. @param {any} game */
function ownSpace(game) {
  const pawn = game.turn === null ? null : game.pawns[game.turn];
  return pawn && pawn[0] === game.area ? pawn[1] : null;
}

/** What is chosen, or where nothing is yet: what one's own space is for, if it is offered. @param {any} view @param {Record<string, any>} selection */
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

/** The command, once nothing of it is missing. @param {any} view @param {Record<string, any>} selection @returns {Command | null} */
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
 * The values of a field that can be picked now. On a card only those of the action that is chosen are, since another one has a price.
 * @param {any} view @param {Record<string, any>} selection @param {string} command @param {string} field
 * @returns {any[]}
 */
export function pickable(view, selection, command, field) {
  const choice = choiceOf(view, command);
  if (!choice) return [];
  if (view.play.decision.about === "act" && chosenCommand(view, selection)?.do !== command) return [];
  return choice[field].one_of;
}

/**
 * The plots that can be picked, and what picking one means.
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
 * What picking a space of the present area means: a command, and what it costs to act from elsewhere.
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

/** What an action costs for being done from another space. @param {any} game @param {string} command */
export function feeOf(game, command) {
  const own = ownSpace(game);
  const at = currentSpaces(game).findIndex((space) => commandOf(space.action) === command);
  // A dollar can be had anywhere.
  if (own === null || at < 0 || command === "take_dollar") return 0;
  return game.costs.fee_per_step * Math.abs(at - own);
}

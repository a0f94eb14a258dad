// What the page offers for the open decision, and what a click does. The first click selects and shows the preview; a
// second click or the main button sends. Commands that only open a further question are sent at once.

import { previewOf } from "../../parts/use-preview.js";
import { choiceOf } from "../../parts/prompt.js";
import { choose, isBusy, selectionOf, send, sendAndContinue } from "../../parts/selection.js";
import { OPENING, chosenCommand, completeCommand, isSame } from "./turn.js";

/** @typedef {import("../../store.js").TableModel} TableModel */
/** @typedef {import("./turn.js").Command} Command */

/**
 * @typedef {object} Interaction
 * @property {Record<string, any>} selection
 * @property {Command | null} chosen the selected command, perhaps incomplete
 * @property {Command | null} command the same once it can be sent
 * @property {any} preview what `view.play` would be after it; null until known
 * @property {boolean} endsTurn whether the turn has no further decision after it
 * @property {(command: Command) => void} pick
 * @property {() => void} finish send the command
 */

/** Return the command if the server can preview it, else null. @param {Command | null} complete */
export function previewable(complete) {
  return complete && complete.do !== "confirm" && !OPENING.includes(complete.do) && complete.goal !== "blind" ? complete : null;
}

/** Return the confirmation of a turn, which is sent without asking when nothing else is left to do. @param {any} view @returns {Command | null} */
function confirmation(view) {
  return choiceOf(view, "confirm") ? { do: "confirm" } : null;
}

/** @param {TableModel} model @returns {Interaction} */
export function interactionOf(model) {
  const view = model.gameView.value;
  const selection = selectionOf(model);
  const complete = completeCommand(view, selection);
  const preview = previewOf(model, previewable(complete));
  const endsTurn = preview?.decision?.about === "confirm";
  const finish = () => {
    if (complete && !isBusy(model)) sendAndContinue(model, complete, confirmation);
  };
  return {
    selection,
    chosen: chosenCommand(view, selection),
    command: complete,
    preview,
    endsTurn,
    pick: (command) => {
      const picked = completeCommand(view, command);
      if (picked && OPENING.includes(picked.do)) send(model, picked);
      else if (picked && isSame(picked, complete) && (selection.do || endsTurn)) finish();
      else choose(model, command);
    },
    finish,
  };
}

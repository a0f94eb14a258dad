// What the page can do for the open decision: what is chosen, and what a click means. A first click chooses and shows what would
// follow; a second one, or the main button, does it. What only opens the next question is done at once.

import { previewOf } from "../../parts/use-preview.js";
import { choiceOf } from "../../parts/prompt.js";
import { choose, selectionOf, isBusy, send, sendAndContinue } from "../../parts/selection.js";
import { OPENING, chosenCommand, isSame, completeCommand } from "./turn.js";

/** @typedef {import("../../store.js").TableModel} TableModel */
/** @typedef {import("./turn.js").Command} Command */

/**
 * @typedef {object} Interaction
 * @property {Record<string, any>} selection
 * @property {Command | null} chosen what is chosen, maybe not all of it
 * @property {Command | null} command the same once it can be sent
 * @property {any} preview what `view.play` would be then; null while it is not known
 * @property {boolean} endsTurn whether nothing is left to decide in this turn after it
 * @property {(command: Command) => void} pick
 * @property {() => void} finish send what is chosen
 */

/** What can be looked preview to. @param {Command | null} complete */
export function previewable(complete) {
  return complete && complete.do !== "confirm" && !OPENING.includes(complete.do) && complete.goal !== "blind" ? complete : null;
}

/** A turn in which everything is done needs no further question. @param {any} view @returns {Command | null} */
function confirmation(view) {
  return choiceOf(view, "confirm") ? { do: "confirm" } : null;
}

/** @param {TableModel} model @returns {Interaction} */
export function interactionOf(model) {
  const view = model.view.value;
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

// The selection: what the player has chosen and not sent. The board and the decision bar share it. It belongs to one
// decision, survives reconnects and updates, and is discarded when another decision opens.

import { signal } from "@preact/signals";

/** @typedef {import("../store.js").TableModel} TableModel */

/**
 * Why an answer is not possible: a refusal by the server, with its code, or a reason that the page knows, by the key of
 * its text.
 * @typedef {{number: number, sentence: string, code?: string, reason?: string}} Refused
 */

/** @type {WeakMap<TableModel, {selection: import("@preact/signals").Signal<{number: number, fields: Record<string, any>}>, refusal: import("@preact/signals").Signal<Refused | null>, busy: import("@preact/signals").Signal<boolean>}>} */
const states = new WeakMap();

const NOTHING = Object.freeze({});

/** @param {TableModel} model */
function stateOf(model) {
  let state = states.get(model);
  if (!state) {
    state = {
      selection: signal({ number: 0, fields: NOTHING }),
      refusal: signal(/** @type {Refused | null} */ (null)),
      busy: signal(false),
    };
    states.set(model, state);
  }
  return state;
}

/** Return what is selected for the open decision. @param {TableModel} model @returns {Record<string, any>} */
export function selectionOf(model) {
  const { number, fields } = stateOf(model).selection.value;
  return number === model.decisionNumber.value ? fields : NOTHING;
}

/** @param {TableModel} model @param {Record<string, any>} fields */
export function choose(model, fields) {
  const state = stateOf(model);
  state.selection.value = { number: model.decisionNumber.value, fields };
  state.refusal.value = null;
}

/** Clear the selection. @param {TableModel} model */
export function clearSelection(model) {
  choose(model, NOTHING);
}

/** Return why the last answer was not possible, while the same decision is open. @param {TableModel} model @returns {Refused | null} */
export function refusalOf(model) {
  const refusal = stateOf(model).refusal.value;
  return refusal && refusal.number === model.decisionNumber.value ? refusal : null;
}

/**
 * Say why something cannot be chosen.
 * @param {TableModel} model @param {string} reason the key of the text @param {string} sentence
 */
export function sayWhyNot(model, reason, sentence) {
  stateOf(model).refusal.value = { number: model.decisionNumber.value, sentence, reason };
}

/** @param {TableModel} model */
export function isBusy(model) {
  return stateOf(model).busy.value;
}

/** @param {TableModel} model @param {() => Promise<any>} work */
async function run(model, work) {
  const state = stateOf(model);
  // A second click while a request is pending would be refused.
  if (state.busy.value) return;
  const number = model.decisionNumber.value;
  state.busy.value = true;
  state.refusal.value = null;
  try {
    await work();
    if (state.selection.value.number === number) state.selection.value = { number, fields: NOTHING };
  } catch (refusal) {
    const { message, code } = /** @type {Error & {code?: string}} */ (refusal);
    state.refusal.value = { number, sentence: message, code };
  } finally {
    state.busy.value = false;
  }
}

/** Send an answer. @param {TableModel} model @param {object} command */
export function send(model, command) {
  return run(model, () => model.decide(command));
}

/** Wait until this decision is no longer open. @param {TableModel} model @param {number} number */
function decisionClosed(model, number) {
  return new Promise((resolve) => {
    const stop = model.view.subscribe(() => {
      if (model.decisionNumber.value === number) return;
      resolve(undefined);
      // `subscribe` calls back at once, before `stop` is assigned.
      queueMicrotask(() => stop());
    });
  });
}

/**
 * Send an answer, and then further answers that need no question.
 * @param {TableModel} model @param {object} command
 * @param {(view: any) => object | null} next the next answer, or null if the player must decide
 */
export function sendAndContinue(model, command, next) {
  return run(model, async () => {
    /** @type {object | null} */
    let sent = command;
    while (sent) {
      const number = model.decisionNumber.value;
      await model.decide(sent);
      await decisionClosed(model, number);
      sent = next(model.view.value);
    }
  });
}

/** @param {TableModel} model */
export function undo(model) {
  return run(model, () => model.undo());
}

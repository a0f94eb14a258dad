// What you have put together and not yet sent. Board and decision bar share it. It belongs to one decision: it outlives
// lost connections and updates that leave the decision open, and is gone when another decision is asked.

import { signal } from "@preact/signals";

/** @typedef {import("../store.js").TableModel} TableModel */

/** @type {WeakMap<TableModel, {draft: import("@preact/signals").Signal<{number: number, fields: Record<string, any>}>, refusal: import("@preact/signals").Signal<{number: number, sentence: string} | null>, busy: import("@preact/signals").Signal<boolean>}>} */
const selections = new WeakMap();

const NOTHING = Object.freeze({});

/** @param {TableModel} model */
function selectionOf(model) {
  let selection = selections.get(model);
  if (!selection) {
    selection = {
      draft: signal({ number: 0, fields: NOTHING }),
      refusal: signal(/** @type {{number: number, sentence: string} | null} */ (null)),
      busy: signal(false),
    };
    selections.set(model, selection);
  }
  return selection;
}

/** @param {TableModel} model */
function openNumber(model) {
  return model.view.value?.play?.decision?.number ?? 0;
}

/** What is chosen so far for the open decision. @param {TableModel} model @returns {Record<string, any>} */
export function draftOf(model) {
  const { number, fields } = selectionOf(model).draft.value;
  return number === openNumber(model) ? fields : NOTHING;
}

/** @param {TableModel} model @param {Record<string, any>} fields */
export function choose(model, fields) {
  const selection = selectionOf(model);
  selection.draft.value = { number: openNumber(model), fields };
  selection.refusal.value = null;
}

/** Take everything back that has not been sent. @param {TableModel} model */
export function takeBack(model) {
  choose(model, NOTHING);
}

/** The server's no to what was sent last, while the same decision is open. @param {TableModel} model */
export function refusalOf(model) {
  const refusal = selectionOf(model).refusal.value;
  return refusal && refusal.number === openNumber(model) ? refusal.sentence : null;
}

/** @param {TableModel} model */
export function isBusy(model) {
  return selectionOf(model).busy.value;
}

/** @param {TableModel} model @param {() => Promise<any>} work */
async function run(model, work) {
  const selection = selectionOf(model);
  // A second click while the first is on its way would only be refused.
  if (selection.busy.value) return;
  const number = openNumber(model);
  selection.busy.value = true;
  selection.refusal.value = null;
  try {
    await work();
    if (selection.draft.value.number === number) selection.draft.value = { number, fields: NOTHING };
  } catch (refusal) {
    selection.refusal.value = { number, sentence: /** @type {Error} */ (refusal).message };
  } finally {
    selection.busy.value = false;
  }
}

/** Send an answer. @param {TableModel} model @param {object} command */
export function send(model, command) {
  return run(model, () => model.decide(command));
}

/** Wait until another decision is open than this. @param {TableModel} model @param {number} number */
function goneOn(model, number) {
  return new Promise((resolve) => {
    const stop = model.view.subscribe(() => {
      if (openNumber(model) === number) return;
      resolve(undefined);
      // The subscription begins by telling the present view, before there is anything to stop.
      queueMicrotask(() => stop());
    });
  });
}

/**
 * Send an answer and then what follows from it without a further question.
 * @param {TableModel} model @param {object} command
 * @param {(view: any) => object | null} next the answer to what is asked then, if it goes without saying
 */
export function sendThrough(model, command, next) {
  return run(model, async () => {
    /** @type {object | null} */
    let following = command;
    while (following) {
      const number = openNumber(model);
      await model.decide(following);
      await goneOn(model, number);
      following = next(model.view.value);
    }
  });
}

/** @param {TableModel} model */
export function undo(model) {
  return run(model, () => model.undo());
}

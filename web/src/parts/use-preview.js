// What the server says a command would lead to, asked while the command is only thought of. Everything that shows it reads
// the same answer, so that all previews agree.

import { signal } from "@preact/signals";
import { useEffect } from "preact/hooks";

/** @typedef {import("../store.js").TableModel} TableModel */
/** @typedef {import("@preact/signals").Signal<{key: string, play: any} | null>} Answer */

/** @type {WeakMap<TableModel, Answer>} */
const answers = new WeakMap();

/** @param {TableModel} model */
function answerOf(model) {
  let answer = answers.get(model);
  if (!answer) {
    answer = signal(/** @type {{key: string, play: any} | null} */ (null));
    answers.set(model, answer);
  }
  return answer;
}

/** One question: this command in this decision. @param {TableModel} model @param {object | null} command */
function keyOf(model, command) {
  const number = model.view.value.play?.decision?.number;
  return command && number ? `${number} ${JSON.stringify(command)}` : null;
}

/**
 * Ask what a command would lead to, whenever it is another one. The scene's decision bar calls this, once.
 * @param {TableModel} model @param {object | null} command one that could be taken back
 */
export function usePreview(model, command) {
  const key = keyOf(model, command);
  useEffect(() => {
    if (!key || !command) return undefined;
    let isWanted = true;
    model.preview(command).then(
      (play) => {
        if (isWanted) answerOf(model).value = { key, play };
      },
      // Without an answer there is no preview. Confirming the command says what is wrong with it.
      () => {},
    );
    return () => {
      isWanted = false;
    };
  }, [model, key]);
}

/** What `view.play` would be after this command; null until it is known. @param {TableModel} model @param {object | null} command */
export function previewOf(model, command) {
  const key = keyOf(model, command);
  const answer = answerOf(model).value;
  return key && answer?.key === key ? answer.play : null;
}

// Previews: what the server says a selected command would lead to. All parts of the page read the same preview, so that
// they agree.

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

/** Return the key of a preview: the decision and the command. @param {TableModel} model @param {object | null} command */
function keyOf(model, command) {
  const number = model.decisionNumber.value;
  return command && number ? `${number} ${JSON.stringify(command)}` : null;
}

/**
 * Request the preview of a command whenever the command changes. The decision bar of a scene calls this once.
 * @param {TableModel} model @param {object | null} command one that can be undone
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
      // Without a reply there is no preview. Sending the command shows the refusal.
      () => {},
    );
    return () => {
      isWanted = false;
    };
  }, [model, key]);
}

/** Return what `view.play` would be after this command; null until it is known. @param {TableModel} model @param {object | null} command */
export function previewOf(model, command) {
  const key = keyOf(model, command);
  const answer = answerOf(model).value;
  return key && answer?.key === key ? answer.play : null;
}

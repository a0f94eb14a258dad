// Hints: what a bot would do in the player's place, and why. A hint shows a sentence and, if the scene supports it,
// selects the same choice; it never sends a command.

import { signal } from "@preact/signals";
import { createContext } from "preact";
import { useContext } from "preact/hooks";
import { t } from "../catalogue/index.js";
import { Icon } from "./art.js";
import { choose } from "./selection.js";
import { isAwaited } from "./time-left.js";
import "../style/bots.css";

/** @typedef {import("../store.js").TableModel} TableModel */
/** @typedef {{number: number, isAsked: boolean, sentence: string | null, command: any}} Hint */

/** The scene that renders the decision bar. @type {import("preact").Context<import("../pages/table.js").Scene | null>} */
export const SceneContext = createContext(/** @type {import("../pages/table.js").Scene | null} */ (null));

/** @type {WeakMap<TableModel, import("@preact/signals").Signal<Hint>>} */
const hints = new WeakMap();
const NO_HINT = { number: 0, isAsked: false, sentence: null, command: null };

/** @param {TableModel} model */
function signalOf(model) {
  let hint = hints.get(model);
  if (!hint) hints.set(model, (hint = signal(/** @type {Hint} */ (NO_HINT))));
  return hint;
}

/** Return the hint for the open decision, or `NO_HINT`. @param {TableModel} model @returns {Hint} */
function hintOf(model) {
  const hint = signalOf(model).value;
  return hint.number && hint.number === model.decisionNumber.value ? hint : NO_HINT;
}

/** Return whether the hint recommends this command. @param {TableModel} model @param {object | null} command */
export function isHinted(model, command) {
  const hinted = hintOf(model).command;
  return Boolean(hinted && command) && JSON.stringify(hinted) === JSON.stringify(command);
}

/** Return the sentence of the hint, or null. @param {TableModel} model */
export function hintSentence(model) {
  return hintOf(model).sentence;
}

/** @param {any} reason @param {any} view */
function sentenceOf(reason, view) {
  return reason ? t(reason.key, reason.values) : t("hint.no_reason", { what: t(`about.${view.table.game}.${view.play.decision.about}`) });
}

/** @param {{model: TableModel}} props */
export function HintButton({ model }) {
  const scene = useContext(SceneContext);
  const view = model.gameView.value;
  const decision = view.play?.decision;
  const { isAsked, sentence } = hintOf(model);
  if (!view.table.hints || !isAwaited(view, view.mine)) return null;
  const ask = async () => {
    const { number } = decision;
    const hint = signalOf(model);
    hint.value = { ...NO_HINT, number, isAsked: true };
    try {
      const { command, reason } = await model.request("hint", { decision: number });
      if (model.decisionNumber.value !== number) return;
      hint.value = { number, isAsked: false, sentence: sentenceOf(reason, view), command };
      const selection = scene?.selectionFor?.(command, model.view.value);
      if (selection) choose(model, selection);
    } catch (refusal) {
      hint.value = { ...NO_HINT, number, sentence: /** @type {Error} */ (refusal).message };
    }
  };
  return (
    <button type="button" class="quiet hint-button" disabled={isAsked || sentence !== null} onClick={ask}>
      <Icon name="bulb" />
      {t("hint.button")}
    </button>
  );
}

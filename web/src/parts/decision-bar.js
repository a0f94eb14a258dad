// The bar of every decision: a title, a further sentence, the buttons, and below them the hand.

import { useEffect } from "preact/hooks";
import { t } from "../catalogue/index.js";
import { Icon } from "./art.js";
import { HintButton, hintSentence, isHinted } from "./hint.js";
import { clearSelection, isBusy, refusalOf, selectionOf, send, undo } from "./selection.js";
import "../style/decision-bar.css";

/** @typedef {import("../store.js").TableModel} TableModel */

/** @param {{model: TableModel, title: string, more?: string, actions?: any, children?: any, class?: string}} props */
export function DecisionBar({ model, title, more, actions, children, class: name = "" }) {
  const refusal = refusalOf(model);
  useEffect(() => {
    const listen = (/** @type {KeyboardEvent} */ event) => {
      if (event.key === "Escape" && Object.keys(selectionOf(model)).length) clearSelection(model);
    };
    addEventListener("keydown", listen);
    return () => removeEventListener("keydown", listen);
  }, [model]);
  const hint = hintSentence(model);
  const canUndo = model.gameView.value.play?.decision?.undoable ?? false;
  return (
    <div class={`decision-bar ${name}`}>
      <div class="decision-head">
        <h2 class="decision-title" tabIndex={-1}>{title}</h2>
        {hint ? (
          <p class="decision-more hint" role="status">
            <Icon name="bulb" />
            {hint}
          </p>
        ) : (
          more && <p class="decision-more">{more}</p>
        )}
        <div class="decision-actions">
          {refusal && (
            <p class="error" role="alert">
              {refusal}
            </p>
          )}
          <HintButton model={model} />
          {canUndo && (
            <button type="button" onClick={() => undo(model)} disabled={isBusy(model)}>
              <Icon name="undo" />
              {t("do.undo")}
            </button>
          )}
          {actions}
        </div>
      </div>
      <div class="hand-row">{children}</div>
    </div>
  );
}

/** The main button, which sends the command. @param {{model: TableModel, command: object | null, children: any, icon?: boolean}} props */
export function AnswerButton({ model, command, children, icon = true }) {
  return (
    <button type="button" class={`primary answer ${isHinted(model, command) ? "hinted" : ""}`} disabled={!command || isBusy(model)} onClick={() => command && send(model, command)}>
      {icon && <Icon name="check" />}
      {children}
    </button>
  );
}

/** A further button that sends another command. @param {{model: TableModel, command: object, children: any, isQuiet?: boolean}} props */
export function SecondaryButton({ model, command, children, isQuiet = false }) {
  return (
    <button type="button" class={`${isQuiet ? "quiet" : ""} ${isHinted(model, command) ? "hinted" : ""}`} disabled={isBusy(model)} onClick={() => send(model, command)}>
      {children}
    </button>
  );
}

/** A button that clears the selection. @param {{model: TableModel}} props */
export function ClearButton({ model }) {
  return (
    <button type="button" onClick={() => clearSelection(model)}>
      <Icon name="undo" />
      {t("do.back")} <kbd>esc</kbd>
    </button>
  );
}

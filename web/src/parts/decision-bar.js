// The bar of every decision: a title, a further sentence, the buttons, and below them the hand.

import { useComputed } from "@preact/signals";
import { useContext, useEffect } from "preact/hooks";
import { t } from "../catalogue/index.js";
import { OrderRulesContext, ORDERS } from "../orders/load.js";
import { ruleOfDecision, ruleOfReason, ruleOfRefusal } from "../rules/links.js";
import { RuleLink } from "../rules/rule-link.js";
import { Icon } from "./art.js";
import { sealNote } from "./device-seals.js";
import { HintButton, hintSentence, isHinted } from "./hint.js";
import { lazy } from "./lazy.js";
import { clearSelection, isBusy, refusalOf, selectionOf, send, undo } from "./selection.js";
import "../style/decision-bar.css";

/** @typedef {import("../store.js").TableModel} TableModel */

/**
 * @param {object} props
 * @param {TableModel} props.model
 * @param {string} props.title
 * @param {string} [props.more]
 * @param {string} [props.reason] the key of the text that says why something is not possible, if one is shown
 * @param {any} [props.actions]
 * @param {any} [props.children]
 * @param {string} [props.class]
 */
export function DecisionBar({ model, title, more, reason, actions, children, class: name = "" }) {
  const refusal = refusalOf(model);
  const view = model.gameView.value;
  const { game } = view.table;
  useEffect(() => {
    const listen = (/** @type {KeyboardEvent} */ event) => {
      if (event.key !== "Escape" || !Object.keys(selectionOf(model)).length) return;
      event.preventDefault();
      clearSelection(model);
    };
    addEventListener("keydown", listen);
    return () => removeEventListener("keydown", listen);
  }, [model]);
  const hasOrders = useComputed(() => Boolean(model.view.value?.orders)).value;
  const orders = useContext(OrderRulesContext) && hasOrders ? lazy(ORDERS) : null;
  const acting = useComputed(() => (orders ? orders.nextNote(model.view.value) : null)).value;
  const hint = hintSentence(model);
  // Who is choosing another answer reads about that.
  const note = Object.keys(selectionOf(model)).length ? null : (acting ?? sealNote(view));
  const canUndo = view.play?.decision?.undoable ?? false;
  return (
    <div class={`decision-bar ${name}`}>
      <div class="decision-head">
        <h2 class="decision-title" tabIndex={-1}>
          {title}
          <RuleLink game={game} rule={reason ? ruleOfReason(view, reason) : ruleOfDecision(view)} />
        </h2>
        {hint ? (
          <p class="decision-more hint" role="status">
            <Icon name="bulb" />
            {hint}
          </p>
        ) : (
          (note ?? more) && <p class="decision-more">{note ?? more}</p>
        )}
        <div class="decision-actions">
          {refusal && (
            <p class="error" role="alert">
              {refusal.sentence}
              <RuleLink game={game} rule={refusal.reason ? ruleOfReason(view, refusal.reason) : ruleOfRefusal(view, refusal.code ?? "")} />
            </p>
          )}
          {orders && <orders.OrdersButton model={model} />}
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

// The decision bar: the choices, their price and their effects, and the player's permits and goals.

import { useEffect } from "preact/hooks";
import { t } from "../../catalogue/index.js";
import { usePreview } from "../../parts/use-preview.js";
import { Icon } from "../../parts/art.js";
import { ClearButton, DecisionBar } from "../../parts/decision-bar.js";
import { layout } from "../../parts/layout.js";
import { capitalize, formatNames } from "../../parts/names.js";
import { choiceOf, choicesOf } from "../../parts/prompt.js";
import { useRefocus } from "../../parts/refocus.js";
import { isBusy, selectionOf, undo } from "../../parts/selection.js";
import { NO_PLOT, yearOf } from "./game-data.js";
import { GoalRow, PermitRow, StockRow } from "./displays.js";
import { Goals, Permits } from "./hand.js";
import { isCompact } from "./layouts.js";
import { PreviewPanel } from "./preview-panel.js";
import { SmallPermit, Symbol } from "./pieces.js";
import { interactionOf, previewable } from "./interaction.js";
import { buttonText, decisionText } from "./decision-text.js";
import { actionOf } from "./turn.js";
import { bonusText, dollars } from "./labels.js";

/** @typedef {import("../../store.js").TableModel} TableModel */
/** @typedef {import("./interaction.js").Interaction} Interaction */

/** @param {{model: TableModel}} props */
export function Decision({ model }) {
  const view = model.gameView.value;
  const interaction = interactionOf(model);
  usePreview(model, previewable(interaction.command));
  useKeys(model);
  useRefocus(model);
  const decision = view.play?.decision;
  if (!decision) return <DecisionBar model={model} title={t("decision.over")} />;
  if (view.mine === null) return <DecisionBar model={model} class="watching-bar" title={t("decision.watch")} more={t("builders.watch")} />;
  const isAsked = choicesOf(view).length > 0;
  const onReturn = () => undo(model);
  const text = isAsked ? decisionText(view, interaction) : { title: t("decision.wait", { names: formatNames(view, decision.awaited), what: t(`about.builders.${decision.about}`) }) };
  const choices = isAsked && isCompact(layout.value) ? shownChoices(view, interaction) : null;
  const hasOptions = decision.about === "bonus" && choicesOf(view).length > 1;
  const hasHand = !(hasOptions && isCompact(layout.value) && interaction.preview);
  return (
    <DecisionBar model={model} class={`builders-bar ${interaction.preview ? "previewing" : ""}`} {...text} actions={isAsked && <Actions model={model} interaction={interaction} />}>
      {hasOptions && <BonusChoice view={view} interaction={interaction} />}
      {choices}
      {!choices && hasHand && (
        <div class="hand">
          <Permits view={view} interaction={interaction} onReturn={onReturn} />
          <Goals view={view} interaction={interaction} hasNeighbours={hasOptions} />
        </div>
      )}
      <PreviewPanel view={view} interaction={interaction} />
    </DecisionBar>
  );
}

/** @param {{model: TableModel, interaction: Interaction}} props */
function Actions({ model, interaction }) {
  const view = model.gameView.value;
  const cleaning = interaction.chosen?.do === "clean_up" ? choiceOf(view, "clean_up") : undefined;
  const canStepOnly = cleaning?.plot.one_of.includes(NO_PLOT) && interaction.chosen?.plot !== NO_PLOT;
  const canClear = Object.keys(selectionOf(model)).length > 0 && !view.play.decision.undoable;
  return (
    <>
      {canStepOnly && (
        <button type="button" class="secondary" onClick={() => interaction.pick({ do: "clean_up", plot: NO_PLOT })}>
          {t("builders.do.step_only", { amount: dollars(view.play.game.costs.step) })}
        </button>
      )}
      {choiceOf(view, "decline_card") && interaction.chosen?.do !== "decline_card" && (
        <button type="button" class="secondary" onClick={() => interaction.pick({ do: "decline_card" })}>
          {t("builders.do.decline")}
        </button>
      )}
      {/* Where a step can be undone, the Escape key and a click elsewhere clear the selection. */}
      {canClear && <ClearButton model={model} />}
      <button type="button" class="primary answer" disabled={!interaction.command || isBusy(model)} onClick={interaction.finish}>
        {buttonText(view, interaction)} {interaction.command && <kbd>↵</kbd>}
      </button>
    </>
  );
}

/** The bonuses of the year, to choose from. @param {{view: any, interaction: Interaction}} props */
function BonusChoice({ view, interaction }) {
  const year = yearOf(view.play.game.year);
  return (
    <div class="bonus-choice">
      {choicesOf(view).map((choice) => {
        const bonus = actionOf(choice.do) ?? "";
        const isChosen = interaction.chosen?.do === choice.do;
        return (
          <button key={bonus} type="button" data-pick="bonus" data-bonus={bonus} class={`bonus-option can ${isChosen ? "chosen" : ""}`} aria-pressed={isChosen} title={capitalize(bonusText(year, bonus))} onClick={() => interaction.pick({ do: choice.do })}>
            <Symbol name={bonus === "money" ? "income" : bonus} width={24} />
            <span>{capitalize(bonusText(year, bonus, true))}</span>
          </button>
        );
      })}
    </div>
  );
}

/**
 * Return what can be taken now, in place of the hand, or null. Only wide pages have the displays beside the city.
 * @param {any} view @param {Interaction} interaction
 */
function shownChoices(view, interaction) {
  const wants = (/** @type {string} */ command) => choiceOf(view, command) && interaction.chosen?.do === command;
  if (wants("take_permit")) {
    return (
      <div class="choices">
        <PermitRow view={view} interaction={interaction} />
        <div class="own-permits">
          <p class="small muted">{t("builders.hand.permits")}</p>
          <ul class="small-permits">
            {view.play.game.seats[view.mine].permits.map((/** @type {number} */ permit) => (
              <SmallPermit key={permit} permit={permit} />
            ))}
          </ul>
        </div>
      </div>
    );
  }
  if (wants("take_goal")) {
    return (
      <div class="choices">
        <GoalRow view={view} interaction={interaction} />
      </div>
    );
  }
  const symbols = choiceOf(view, "take_card")?.symbol.one_of;
  return (
    symbols && (
      <div class="choices">
        <StockRow view={view} game={view.play.game} interaction={interaction} symbols={symbols} />
      </div>
    )
  );
}

/** Enter sends the selected command and Escape undoes the last step, unless another control uses the key. @param {TableModel} model */
function useKeys(model) {
  useEffect(() => {
    const listen = (/** @type {KeyboardEvent} */ event) => {
      const isElsewhere = event.target instanceof Element && event.target.closest("button, a, [role=button], input, textarea, select, .rules-panel, .menu, .log");
      if (event.key !== "Enter" || isElsewhere || event.defaultPrevented) return;
      event.preventDefault();
      interactionOf(model).finish();
    };
    addEventListener("keydown", listen, { capture: true });
    return () => removeEventListener("keydown", listen, { capture: true });
  }, [model]);
  useEffect(() => {
    const listen = (/** @type {KeyboardEvent} */ event) => {
      const isElsewhere = event.target instanceof Element && event.target.closest("input, textarea, select, dialog, .log");
      // The same key closes what is open and clears the selection, which comes first.
      if (event.key !== "Escape" || isElsewhere || event.defaultPrevented || Object.keys(selectionOf(model)).length) return;
      if (model.gameView.value.play?.decision?.undoable && choicesOf(model.gameView.value).length) undo(model);
    };
    addEventListener("keydown", listen);
    return () => removeEventListener("keydown", listen);
  }, [model]);
}

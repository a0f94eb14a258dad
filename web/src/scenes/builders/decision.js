// The decision bar: the choices, their price and their effects, and the player's permits and goals.

import { useEffect } from "preact/hooks";
import { t } from "../../catalogue/index.js";
import { usePreview } from "../../parts/use-preview.js";
import { Icon } from "../../parts/art.js";
import { ClearButton, DecisionBar } from "../../parts/decision-bar.js";
import { capitalize, formatNames } from "../../parts/names.js";
import { narrow } from "../../parts/narrow.js";
import { choiceOf, choicesOf } from "../../parts/prompt.js";
import { useRefocus } from "../../parts/refocus.js";
import { isBusy, selectionOf, undo } from "../../parts/selection.js";
import { NO_PLOT, yearOf } from "./game-data.js";
import { GoalDisplay, PermitDisplay, Stock } from "./displays.js";
import { Goals, Permits } from "./hand.js";
import { PreviewPanel } from "./preview-panel.js";
import { Symbol } from "./pieces.js";
import { interactionOf, previewable } from "./interaction.js";
import { buttonText, decisionText } from "./decision-text.js";
import { actionOf } from "./turn.js";
import { bonusText, dollars } from "./labels.js";

/** @typedef {import("../../store.js").TableModel} TableModel */
/** @typedef {import("./interaction.js").Interaction} Interaction */

/** @param {{model: TableModel}} props */
export function Decision({ model }) {
  const view = model.view.value;
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
  return (
    <DecisionBar model={model} class="builders-bar" {...text} actions={isAsked && <Actions model={model} interaction={interaction} />}>
      {isAsked && narrow.value && <Choices model={model} interaction={interaction} />}
      <Permits view={view} interaction={interaction} onReturn={onReturn} />
      <Goals view={view} interaction={interaction} />
      {decision.about === "bonus" && choicesOf(view).length > 1 && <BonusChoice view={view} interaction={interaction} />}
      <PreviewPanel view={view} interaction={interaction} />
    </DecisionBar>
  );
}

/** @param {{model: TableModel, interaction: Interaction}} props */
function Actions({ model, interaction }) {
  const view = model.view.value;
  const cleaning = interaction.chosen?.do === "clean_up" ? choiceOf(view, "clean_up") : undefined;
  const canStepOnly = cleaning?.plot.one_of.includes(NO_PLOT) && interaction.chosen?.plot !== NO_PLOT;
  return (
    <>
      {canStepOnly && (
        <button type="button" onClick={() => interaction.pick({ do: "clean_up", plot: NO_PLOT })}>
          {t("builders.do.step_only", { amount: dollars(view.play.game.costs.step) })}
        </button>
      )}
      {choiceOf(view, "decline_card") && interaction.chosen?.do !== "decline_card" && (
        <button type="button" class="quiet" onClick={() => interaction.pick({ do: "decline_card" })}>
          {t("builders.do.decline")}
        </button>
      )}
      {Object.keys(selectionOf(model)).length > 0 && !(narrow.value && view.play.decision.undoable) && <ClearButton model={model} />}
      <button type="button" class="primary answer" disabled={!interaction.command || isBusy(model)} onClick={interaction.finish}>
        <Icon name="check" />
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
          <button key={bonus} type="button" data-pick="bonus" class={`bonus-option can ${isChosen ? "chosen" : ""}`} aria-pressed={isChosen} onClick={() => interaction.pick({ do: choice.do })}>
            <Symbol name={bonus === "money" ? "income" : bonus} width={24} />
            {capitalize(bonusText(year, bonus))}
          </button>
        );
      })}
    </div>
  );
}

/**
 * On a phone the displays are behind a tab, so what can be taken now is shown beside the hand.
 * @param {{model: TableModel, interaction: Interaction}} props
 */
function Choices({ model, interaction }) {
  const view = model.view.value;
  const { game } = view.play;
  const isBonus = view.play.decision.about === "bonus";
  const wants = (/** @type {string} */ command) => choiceOf(view, command) && (isBonus || interaction.chosen?.do === command);
  return (
    <>
      {wants("take_permit") && <PermitDisplay view={view} interaction={interaction} />}
      {wants("take_goal") && <GoalDisplay view={view} game={game} interaction={interaction} />}
      {wants("take_card") && <Stock view={view} game={game} interaction={interaction} />}
    </>
  );
}

/** Enter sends the selected command and Escape undoes the last step, unless another control uses the key. @param {TableModel} model */
function useKeys(model) {
  useEffect(() => {
    const listen = (/** @type {KeyboardEvent} */ event) => {
      const isElsewhere = event.target instanceof Element && event.target.closest("input, textarea, select, .rules-panel, .menu, .log");
      if (isElsewhere || event.defaultPrevented) return;
      if (event.key === "Enter" && !(event.target instanceof Element && event.target.closest("button, a, [role=button]"))) {
        event.preventDefault();
        interactionOf(model).finish();
      } else if (event.key === "Escape" && !Object.keys(selectionOf(model)).length) {
        if (model.view.value.play?.decision?.undoable && choicesOf(model.view.value).length) undo(model);
      }
    };
    // In the capture phase, because the decision bar clears the selection on Escape.
    addEventListener("keydown", listen, { capture: true });
    return () => removeEventListener("keydown", listen, { capture: true });
  }, [model]);
}

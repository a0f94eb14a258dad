// The bar at the bottom: what you may do now, what it costs and changes, your permits and your goals.

import { useEffect } from "preact/hooks";
import { t } from "../../catalogue/index.js";
import { usePreview } from "../../parts/use-preview.js";
import { Icon } from "../../parts/art.js";
import { Back, Bar } from "../../parts/decision-bar.js";
import { capital, people } from "../../parts/names.js";
import { narrow } from "../../parts/narrow.js";
import { choiceOf, choicesOf } from "../../parts/prompt.js";
import { useRefocus } from "../../parts/refocus.js";
import { selectionOf, isBusy, undo } from "../../parts/selection.js";
import { NO_PLOT, yearOf } from "./box.js";
import { GoalDisplay, PermitDisplay, Stock } from "./displays.js";
import { Goals, Permits } from "./hand.js";
import { PreviewPanel } from "./preview-panel.js";
import { Symbol } from "./pieces.js";
import { previewable, taskOf } from "./task.js";
import { buttonText, decisionText } from "./decision-text.js";
import { actionOf } from "./turn.js";
import { bonusWords, dollars } from "./words.js";

/** @typedef {import("../../store.js").TableModel} TableModel */
/** @typedef {import("./task.js").Task} Task */

/** @param {{model: TableModel}} props */
export function Decision({ model }) {
  const view = model.view.value;
  const task = taskOf(model);
  usePreview(model, previewable(task.whole));
  useKeys(model);
  useRefocus(model);
  const decision = view.play?.decision;
  if (!decision) return <Bar model={model} title={t("decision.over")} />;
  if (view.mine === null) return <Bar model={model} class="watching-bar" title={t("decision.watch")} more={t("builders.watch")} />;
  const isAsked = choicesOf(view).length > 0;
  const onReturn = () => undo(model);
  const text = isAsked ? decisionText(view, task) : { title: t("decision.wait", { names: people(view, decision.awaited), what: t(`about.builders.${decision.about}`) }) };
  return (
    <Bar model={model} class="builders-bar" {...text} actions={isAsked && <Actions model={model} task={task} />}>
      {isAsked && narrow.value && <Choices model={model} task={task} />}
      <Permits view={view} task={task} onReturn={onReturn} />
      <Goals view={view} task={task} />
      {decision.about === "bonus" && choicesOf(view).length > 1 && <BonusChoice view={view} task={task} />}
      <PreviewPanel view={view} task={task} />
    </Bar>
  );
}

/** @param {{model: TableModel, task: Task}} props */
function Actions({ model, task }) {
  const view = model.view.value;
  const cleaning = task.chosen?.do === "clean_up" ? choiceOf(view, "clean_up") : undefined;
  const canStepOnly = cleaning?.plot.one_of.includes(NO_PLOT) && task.chosen?.plot !== NO_PLOT;
  return (
    <>
      {canStepOnly && (
        <button type="button" onClick={() => task.pick({ do: "clean_up", plot: NO_PLOT })}>
          {t("builders.do.step_only", { amount: dollars(view.play.game.costs.step) })}
        </button>
      )}
      {choiceOf(view, "decline_card") && task.chosen?.do !== "decline_card" && (
        <button type="button" class="quiet" onClick={() => task.pick({ do: "decline_card" })}>
          {t("builders.do.decline")}
        </button>
      )}
      {Object.keys(selectionOf(model)).length > 0 && !(narrow.value && view.play.decision.undoable) && <Back model={model} />}
      <button type="button" class="primary answer" disabled={!task.whole || isBusy(model)} onClick={task.finish}>
        <Icon name="check" />
        {buttonText(view, task)} {task.whole && <kbd>↵</kbd>}
      </button>
    </>
  );
}

/** What the year gives, one beside the other. @param {{view: any, task: Task}} props */
function BonusChoice({ view, task }) {
  const year = yearOf(view.play.game.year);
  return (
    <div class="bonus-choice">
      {choicesOf(view).map((choice) => {
        const bonus = actionOf(choice.do) ?? "";
        const isChosen = task.chosen?.do === choice.do;
        return (
          <button key={bonus} type="button" data-pick="bonus" class={`bonus-option can ${isChosen ? "chosen" : ""}`} aria-pressed={isChosen} onClick={() => task.pick({ do: choice.do })}>
            <Symbol name={bonus === "money" ? "income" : bonus} width={24} />
            {capital(bonusWords(year, bonus))}
          </button>
        );
      })}
    </div>
  );
}

/** On a phone the displays are behind a tab; what can be taken now comes to the hand. @param {{model: TableModel, task: Task}} props */
function Choices({ model, task }) {
  const view = model.view.value;
  const { game } = view.play;
  const isBonus = view.play.decision.about === "bonus";
  const wants = (/** @type {string} */ command) => choiceOf(view, command) && (isBonus || task.chosen?.do === command);
  return (
    <>
      {wants("take_permit") && <PermitDisplay view={view} task={task} />}
      {wants("take_goal") && <GoalDisplay view={view} game={game} task={task} />}
      {wants("take_card") && <Stock view={view} game={game} task={task} />}
    </>
  );
}

/** Enter does what is chosen, Escape takes the last step back; both wherever nothing else wants the key. @param {TableModel} model */
function useKeys(model) {
  useEffect(() => {
    const listen = (/** @type {KeyboardEvent} */ event) => {
      const isElsewhere = event.target instanceof Element && event.target.closest("input, textarea, select, .drawer, .menu, .log");
      if (isElsewhere || event.defaultPrevented) return;
      if (event.key === "Enter" && !(event.target instanceof Element && event.target.closest("button, a, [role=button]"))) {
        event.preventDefault();
        taskOf(model).finish();
      } else if (event.key === "Escape" && !Object.keys(selectionOf(model)).length) {
        if (model.view.value.play?.decision?.undoable && choicesOf(model.view.value).length) undo(model);
      }
    };
    // Before the bar hears of it, which gives up what is only chosen.
    addEventListener("keydown", listen, { capture: true });
    return () => removeEventListener("keydown", listen, { capture: true });
  }, [model]);
}

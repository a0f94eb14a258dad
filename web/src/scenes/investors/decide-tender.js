// Decisions about a tender: accepting it, sealing an influence card, sealing an option tile.

import { t } from "../../catalogue/index.js";
import { AnswerButton, ClearButton, DecisionBar, SecondaryButton } from "../../parts/decision-bar.js";
import { capitalize } from "../../parts/names.js";
import { choiceOf } from "../../parts/prompt.js";
import { choose, sayWhyNot, selectionOf, send } from "../../parts/selection.js";
import { ChequeHand, InfluenceCards, OptionTiles } from "./hand.js";
import { actionName, targetText } from "./labels.js";

/** @typedef {import("../../store.js").TableModel} TableModel */

/** @param {{model: TableModel}} props */
export function Considering({ model }) {
  const view = model.gameView.value;
  const game = view.play.game;
  return (
    <DecisionBar
      model={model}
      title={t("decision.consider")}
      more={t("decision.consider.more")}
      actions={
        <>
          {choiceOf(view, "reject_tender") && (
            <SecondaryButton model={model} command={{ do: "reject_tender" }}>
              {t("do.reject")}
            </SecondaryButton>
          )}
          <AnswerButton model={model} command={{ do: "accept_tender" }}>
            {t("do.accept")}
          </AnswerButton>
        </>
      }
    >
      <InfluenceCards offered={null} sealed={null} influence={game.seats[view.mine].influence} />
      <ChequeHand cheques={game.hand ?? []} />
    </DecisionBar>
  );
}

/** @param {{model: TableModel}} props */
export function Influence({ model }) {
  const view = model.gameView.value;
  const game = view.play.game;
  const influence = game.seats[view.mine].influence;
  const choice = choiceOf(view, "play_influence");
  const canAbstain = choiceOf(view, "abstain") !== undefined;
  const answer = view.play.decision.answer ?? null;
  const sealed = answer?.do === "play_influence" ? answer.card : null;
  const selected = selectionOf(model).card ?? null;
  const pick = (/** @type {number} */ card) => {
    // Changing a sealed card takes one click. Sealing the first may reveal all cards, so it needs a confirmation.
    if (answer || selected === card) send(model, { do: "play_influence", card });
    else choose(model, { card });
  };
  const text = influenceText(game, influence, answer, selected);
  return (
    <DecisionBar
      model={model}
      {...text}
      actions={
        <>
          {canAbstain && answer?.do !== "abstain" && (
            <SecondaryButton model={model} command={{ do: "abstain" }} isQuiet>
              {t("do.abstain")}
            </SecondaryButton>
          )}
          {selected !== null && !answer && <ClearButton model={model} />}
          {!answer && (
            <AnswerButton model={model} command={selected === null ? null : { do: "play_influence", card: selected }}>
              {selected === null ? t("do.seal_card_none") : t("do.seal_card", { card: selected })}
            </AnswerButton>
          )}
        </>
      }
    >
      <InfluenceCards offered={choice?.card.one_of ?? []} sealed={sealed} chosen={selected} influence={influence} onPick={pick} onWhyNot={(reason, sentence) => sayWhyNot(model, reason, sentence)} />
      <ChequeHand cheques={game.hand ?? []} />
    </DecisionBar>
  );
}

/** @param {any} game @param {number} influence @param {any} answer @param {number | null} selected */
function influenceText(game, influence, answer, selected) {
  if (answer?.do === "abstain") return { title: t("decision.influence.abstained"), more: t("decision.influence.abstained.more") };
  if (answer) {
    const card = answer.card;
    return { title: t("decision.influence.sealed", { card }), more: t("decision.influence.sealed.more", { card, influence }) };
  }
  if (selected !== null) {
    return { title: t("decision.influence.chosen", { card: selected }), more: t("decision.influence.chosen.more", { card: selected, influence }) };
  }
  const title = game.action ? t("decision.influence.action", { action: actionName(game.action) }) : t("decision.influence");
  return { title, more: t("decision.influence.more", { influence }) };
}

/** @param {{model: TableModel}} props */
export function Options({ model }) {
  const view = model.gameView.value;
  const choice = choiceOf(view, "choose_option");
  const sealed = view.play.decision.answer?.option ?? null;
  const selected = selectionOf(model).option ?? null;
  const pick = (/** @type {string} */ option) => {
    if (sealed || selected === option) send(model, { do: "choose_option", option });
    else choose(model, { option });
  };
  return (
    <DecisionBar
      model={model}
      title={sealed ? t("decision.option.sealed", { option: capitalize(targetText(sealed)) }) : t("decision.option")}
      more={t(sealed ? "decision.option.sealed.more" : "decision.option.more")}
      actions={
        !sealed && (
          <>
            {selected && <ClearButton model={model} />}
            <AnswerButton model={model} command={selected ? { do: "choose_option", option: selected } : null}>
              {selected ? t("do.choose_option", { option: targetText(selected) }) : t("do.choose_option_none")}
            </AnswerButton>
          </>
        )
      }
    >
      <OptionTiles offered={choice?.option.one_of ?? []} sealed={sealed} chosen={selected} onPick={pick} onWhyNot={(reason, sentence) => sayWhyNot(model, reason, sentence)} />
      <ChequeHand cheques={view.play.game.hand ?? []} />
    </DecisionBar>
  );
}

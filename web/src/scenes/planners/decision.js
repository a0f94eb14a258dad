// The decision bar: the choices, the cards in hand, and the preview of the selected command.

import { t } from "../../catalogue/index.js";
import { usePreview } from "../../parts/use-preview.js";
import { Icon } from "../../parts/art.js";
import { AnswerButton, ClearButton, DecisionBar, SecondaryButton } from "../../parts/decision-bar.js";
import { layout } from "../../parts/layout.js";
import { formatNames } from "../../parts/names.js";
import { narrow } from "../../parts/narrow.js";
import { choiceOf, choicesOf } from "../../parts/prompt.js";
import { useRefocus } from "../../parts/refocus.js";
import { isBusy, selectionOf } from "../../parts/selection.js";
import { ruleOfReason } from "../../rules/links.js";
import { RuleLink } from "../../rules/rule-link.js";
import { moveFocus } from "./arrow-keys.js";
import { selectOrConfirm } from "./board.js";
import { bonusCard, hasFeature } from "./cards.js";
import { CardFace, Symbol } from "./card-face.js";
import { Hand, OthersHand } from "./hand.js";
import { reasonOf, unavailableReason } from "./market.js";
import { Preview } from "./preview.js";
import { pointsNow } from "./ranks.js";
import { BONUSES, interactionOf, rowsFor } from "./interaction.js";
import { cardName, columnLetter, halvesText, rowName, spaceName } from "./labels.js";

/** @typedef {import("../../store.js").TableModel} TableModel */
/** @typedef {import("./interaction.js").Interaction} Interaction */
/** @typedef {{model: TableModel, interaction: Interaction}} PartProps */

/** @type {Record<string, (props: PartProps) => any>} */
const PARTS = { turn: Turning, lay: Laying, place: Placing, bonus: Choosing, confirm: Confirming };

/** @param {{model: TableModel}} props */
export function Decision({ model }) {
  const view = model.gameView.value;
  const decision = view.play?.decision;
  const interaction = interactionOf(view, selectionOf(model));
  usePreview(model, interaction.previewable);
  useRefocus(model);
  if (!decision) return <DecisionBar model={model} title={t("decision.over")} />;
  if (view.mine === null) return <DecisionBar model={model} class="watching-bar" title={t("decision.watch")} more={t("planners.decision.watch")} />;
  if (!choicesOf(view).length) {
    const { awaited, about } = decision;
    return (
      <DecisionBar model={model} class="at-rest" title={t("decision.wait", { names: formatNames(view, awaited), what: t(`about.planners.${about}`) })}>
        <OthersHand view={view} />
      </DecisionBar>
    );
  }
  const Part = PARTS[decision.about];
  return Part ? <Part model={model} interaction={interaction} /> : null;
}

/** Buttons to return contracts with a token, if the prompt offers it. @param {{model: TableModel}} props */
function Releases({ model }) {
  const counts = choiceOf(model.gameView.value, "release")?.count.one_of ?? [];
  return counts.map((/** @type {number} */ count) => (
    <SecondaryButton key={count} model={model} command={{ do: "release", count }} isQuiet>
      <span class="pl-release" aria-hidden="true" title={t("planners.do.release", { count })}>
        <Symbol name="contract" width={20} />−{count}
      </span>
      <span class="pl-release-text">{t("planners.do.release", { count })}</span>
    </SecondaryButton>
  ));
}

/** Return the class of a bar with further buttons, which leave the others less room. @param {any} view @param {boolean} hasOthers */
function crowding(view, hasOthers) {
  return hasOthers || choiceOf(view, "release") ? "pl-crowded" : "";
}

/**
 * A button that clears the selection, if there is one. Picking something else replaces the selection, so that a bar
 * with little room does without.
 * @param {{model: TableModel}} props
 */
function ClearSelection({ model }) {
  return layout.value === "wide" && Object.keys(selectionOf(model)).length > 0 ? <ClearButton model={model} /> : null;
}

/** @param {PartProps} props */
function Turning({ model, interaction }) {
  const view = model.gameView.value;
  const game = view.play.game;
  if (interaction.command?.do === "pass") {
    return (
      <DecisionBar
        model={model}
        title={t("planners.decision.pass")}
        reason="planners.decision.pass"
        actions={
          <AnswerButton model={model} command={interaction.command}>
            {t("planners.do.pass")}
          </AnswerButton>
        }
      />
    );
  }
  const { contracts } = game.seats[view.mine];
  const isTight = narrow.value || layout.value === "side" || layout.value === "short";
  const answer = interaction.isDeckChosen ? t("planners.do.draw") : interaction.column !== null ? t("planners.do.take", { letter: columnLetter(interaction.column) }) : t("do.confirm");
  return (
    <DecisionBar
      model={model}
      class={crowding(view, false)}
      title={t("planners.decision.turn")}
      more={t("planners.decision.turn.more", { count: contracts })}
      actions={
        <>
          <Releases model={model} />
          <ClearSelection model={model} />
          <AnswerButton model={model} command={interaction.command}>
            {answer} {interaction.command && <kbd>↵</kbd>}
          </AnswerButton>
        </>
      }
    >
      <ul class="pl-choices" aria-label={t("planners.choices")} onKeyDown={moveFocus}>
        {interaction.deck && (
          <Choice model={model} isChosen={interaction.isDeckChosen} onPick={() => selectOrConfirm(model, interaction, { deck: true }, interaction.isDeckChosen)}>
            <Symbol name="deck" width={44} />
            <b>{t("planners.choice.draw")}</b>
            <span class="small muted pl-choice-more">{t("planners.choice.draw.more")}</span>
          </Choice>
        )}
        {game.columns.map((/** @type {number[]} */ cards, /** @type {number} */ column) =>
          interaction.columns.has(column) ? (
            <Choice key={column} model={model} isChosen={interaction.column === column} onPick={() => selectOrConfirm(model, interaction, { column }, interaction.column === column)}>
              <Fan cards={cards} />
              <b>{t(isTight ? "planners.column" : "planners.choice.take", { letter: columnLetter(column) })}</b>
              <span class="small muted">{t("planners.column.count", { count: cards.length })}</span>
            </Choice>
          ) : (
            <li key={column} class="pl-closed small muted" data-why>
              <b>{t("planners.column", { letter: columnLetter(column) })}</b>
              <span>
                {unavailableReason(view, cards)}
                <RuleLink game="planners" rule={ruleOfReason(view, reasonOf(view, cards) ?? "")} />
              </span>
            </li>
          ),
        )}
      </ul>
      {interaction.column !== null && <Preview model={model} interaction={interaction} title={t("planners.preview.take", { letter: columnLetter(interaction.column) })} />}
    </DecisionBar>
  );
}

/** @param {{model: TableModel, isChosen: boolean, bonus?: string, onPick: () => void, children: any}} props */
function Choice({ model, isChosen, bonus, onPick, children }) {
  return (
    <li>
      <button type="button" class={`pl-choice ${isChosen ? "chosen" : ""}`} data-pick="choice" data-bonus={bonus} aria-pressed={isChosen} disabled={isBusy(model)} onClick={onPick}>
        {children}
      </button>
    </li>
  );
}

/** Overlapping cards. @param {{cards: number[]}} props */
function Fan({ cards }) {
  return (
    <span class="pl-fan" aria-hidden="true">
      {cards.map((id) => (
        <span key={id}>
          <CardFace id={id} isSmall />
        </span>
      ))}
    </span>
  );
}

/** @param {PartProps} props */
function Laying({ model, interaction }) {
  const view = model.gameView.value;
  const game = view.play.game;
  const card = /** @type {number} */ (interaction.card);
  const isFoundation = hasFeature(card, "foundation");
  const more = !isFoundation ? "planners.decision.lay.more" : game.tokens > 1 ? "planners.decision.lay.foundation" : "planners.decision.lay.last";
  return (
    <DecisionBar
      model={model}
      class={crowding(view, false)}
      title={t(interaction.column === null ? "planners.decision.lay" : "planners.decision.lay.chosen", { letter: columnLetter(interaction.column ?? 0) })}
      more={t(more, { count: game.tokens - 1 })}
      actions={
        <>
          <Releases model={model} />
          <ClearSelection model={model} />
          <AnswerButton model={model} command={interaction.command}>
            {interaction.column === null ? t("do.confirm") : t("planners.do.lay", { letter: columnLetter(interaction.column) })} {interaction.command && <kbd>↵</kbd>}
          </AnswerButton>
        </>
      }
    >
      <div class="pl-drawn" role="img" aria-label={t("planners.drawn", { card: cardName(card) })} title={cardName(card)}>
        <CardFace id={card} />
      </div>
      <ul class="pl-choices" aria-label={t("planners.choices")} onKeyDown={moveFocus}>
        {[...interaction.columns].map((column) => (
          <Choice key={column} model={model} isChosen={interaction.column === column} onPick={() => selectOrConfirm(model, interaction, { column }, interaction.column === column)}>
            {game.columns[column].length ? <Fan cards={game.columns[column]} /> : <span class="pl-fan none" />}
            <b>{t("planners.column", { letter: columnLetter(column) })}</b>
            <span class="small muted">{t("planners.column.count", { count: game.columns[column].length })}</span>
          </Choice>
        ))}
      </ul>
    </DecisionBar>
  );
}

/** @param {PartProps} props */
function Placing({ model, interaction }) {
  const view = model.gameView.value;
  const { stage } = view.play.game;
  const { card, space } = interaction;
  const rows = rowsFor(view, card);
  const isFree = card !== null && rows.length > 1 && space === null;
  const more = card === null ? "planners.decision.place.more" : isFree ? "planners.decision.place.row" : rows.length ? "planners.decision.place.chosen" : "planners.decision.place.nowhere";
  return (
    <DecisionBar
      model={model}
      class={crowding(view, card !== null && rows.length > 0)}
      title={t("planners.decision.place")}
      more={t(more)}
      reason={more === "planners.decision.place.nowhere" ? more : undefined}
      actions={
        <>
          <Releases model={model} />
          <ClearSelection model={model} />
          {card !== null && rows.length > 0 && (
            <SecondaryButton model={model} command={{ do: "discard", card }}>
              {t(narrow.value ? "planners.do.discard.short" : "planners.do.discard")}
            </SecondaryButton>
          )}
          <AnswerButton model={model} command={interaction.command}>
            {interaction.command?.do === "discard"
              ? t("planners.do.discard")
              : space !== null
                ? t("planners.do.place", { row: rowName(interaction.command?.placement[1]) })
                : t("do.confirm")}{" "}
            {interaction.command && <kbd>↵</kbd>}
          </AnswerButton>
        </>
      }
    >
      <Hand model={model} interaction={interaction} />
      {interaction.command && space !== null && <Preview model={model} interaction={interaction} title={t("planners.preview.place", { space: spaceName(space) })} />}
    </DecisionBar>
  );
}

/** @param {PartProps} props */
function Choosing({ model, interaction }) {
  const view = model.gameView.value;
  const game = view.play.game;
  const offers = choicesOf(view).filter((choice) => choice.do in BONUSES);
  const decline = choiceOf(view, "decline");
  const more = interaction.bonus === null ? "planners.decision.bonus.more" : interaction.command ? "planners.decision.bonus.chosen" : `planners.decision.bonus.where.${interaction.bonus}`;
  return (
    <DecisionBar
      model={model}
      class={crowding(view, Boolean(decline))}
      title={t("planners.decision.bonus", { row: rowName(game.stage.row) })}
      more={t(more)}
      actions={
        <>
          <Releases model={model} />
          {decline && (
            <SecondaryButton model={model} command={{ do: "decline" }} isQuiet>
              {t("planners.do.decline")}
            </SecondaryButton>
          )}
          <ClearSelection model={model} />
          <AnswerButton model={model} command={interaction.command}>
            {t("planners.do.bonus")} {interaction.command && <kbd>↵</kbd>}
          </AnswerButton>
        </>
      }
    >
      <ul class="pl-choices" aria-label={t("planners.choices")} onKeyDown={moveFocus}>
        {offers.map((offer) => {
          const bonus = BONUSES[/** @type {keyof typeof BONUSES} */ (offer.do)];
          const card = bonusCard(bonus);
          return (
            <Choice key={bonus} model={model} bonus={bonus} isChosen={interaction.bonus === bonus} onPick={() => selectOrConfirm(model, interaction, { bonus }, interaction.bonus === bonus && interaction.command !== null)}>
              {card ? (
                <span class="pl-fan one">
                  <CardFace id={card} isSmall />
                </span>
              ) : (
                <Symbol name={bonus} width={44} />
              )}
              <b>{t(`planners.bonus.${bonus}`)}</b>
              <span class="small muted">{t("planners.bonus.supply", { left: game.bonuses[bonus] })}</span>
            </Choice>
          );
        })}
      </ul>
      {interaction.command && <Preview model={model} interaction={interaction} title={t("planners.preview.bonus")} />}
    </DecisionBar>
  );
}

/** @param {PartProps} props */
function Confirming({ model, interaction }) {
  const view = model.gameView.value;
  const own = view.play.game.seats[view.mine];
  const isFull = !own.cards.includes(0);
  const points = pointsNow(view.play.game, view.mine);
  return (
    <DecisionBar
      model={model}
      title={t("planners.decision.confirm")}
      more={t(isFull ? "planners.decision.confirm.full" : "planners.decision.confirm.more")}
      actions={
        <>
          <Releases model={model} />
          <AnswerButton model={model} command={interaction.command}>
            {t("planners.do.confirm")} <kbd>↵</kbd>
          </AnswerButton>
        </>
      }
    >
      <p class="pl-summary">
        <Icon name="check" />
        {t("planners.summary", { count: points / 2, points: halvesText(points), contracts: own.contracts })}
      </p>
    </DecisionBar>
  );
}

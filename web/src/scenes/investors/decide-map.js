// Decisions on the map: placing, moving, swapping, replacing and removing sticks, and laying tiles.

import { t } from "../../catalogue/index.js";
import { SEAT_COLOURS, Symbol } from "../../parts/art.js";
import { AnswerButton, ClearButton, DecisionBar, SecondaryButton } from "../../parts/decision-bar.js";
import { capitalize, nameInSentence } from "../../parts/names.js";
import { Preview, PreviewCard } from "../../parts/preview.js";
import { choiceOf, choicesOf } from "../../parts/prompt.js";
import { choose, isBusy, selectionOf, send } from "../../parts/selection.js";
import { consequences, coordinate } from "./city.js";
import { ChequeHand } from "./hand.js";
import { mapInteraction } from "./map-interaction.js";
import { BONUS, PRESTIGE, REMOVAL, SUBSIDY } from "./values.js";
import { kindName, money, ownerText, placeName, standingText, streetName, streetText, targetText } from "./labels.js";

/** @typedef {import("../../store.js").TableModel} TableModel */

/** Return the title and further sentence for the current selection. @param {any} view @param {Record<string, any>} selection */
function mapText(view, selection) {
  const game = view.play.game;
  const place = choiceOf(view, "place_stick");
  const replace = choiceOf(view, "replace_stick");
  const effect = game.action?.split("/")[0];
  if (place || replace) {
    const { street = null, lift = null } = selection;
    const needsLift = Boolean((place ?? replace)?.lift);
    if (street !== null && (!needsLift || lift !== null)) {
      const values = { street: streetName(game, street), owner: ownerText(view, game.sticks[street]) };
      const key = replace ? "decision.replace.chosen" : "decision.place.chosen";
      return { title: t(key), more: t(`${key}.more`, values) };
    }
    if (street !== null) return { title: t("decision.place.need_lift"), more: streetName(game, street) };
    if (lift !== null) return { title: t("decision.place.need_street"), more: streetName(game, lift) };
    const more = needsLift ? t("decision.place.lift") : undefined;
    const reason = needsLift ? "decision.place.lift" : undefined;
    if (replace) return { title: t("decision.replace"), more, reason };
    if (effect === "two") {
      const isSecond = game.stage.first !== null;
      return { title: t(isSecond ? "decision.two.second" : "decision.two"), more: more ?? t("decision.two.more"), reason };
    }
    if (effect === "free") return { title: t("decision.free"), more, reason };
    const target = game.stage.rights?.[0]?.target ?? "options";
    return { title: t("decision.place"), more: more ?? t("decision.place.more", { target: targetText(target) }), reason };
  }
  if (choiceOf(view, "move_stick")) {
    const { start = null, end = null } = selection;
    if (start === null) return { title: t("decision.move") };
    if (end === null) return { title: t("decision.move.start"), more: t("decision.move.start.more", { street: streetText(start) }) };
    return { title: t("decision.move.chosen"), more: t("decision.move.chosen.more", { from: streetText(start), to: streetText(end) }) };
  }
  const sticks = selection.sticks ?? [];
  if (sticks.length === 2) {
    const [one, other] = sticks.map(streetText);
    return { title: t("decision.swap.chosen"), more: t("decision.swap.chosen.more", { one: capitalize(one), other }) };
  }
  return sticks.length ? { title: t("decision.swap.one"), more: streetName(game, sticks[0]) } : { title: t("decision.swap") };
}

/** @param {{model: TableModel}} props */
export function MapDecision({ model }) {
  const view = model.gameView.value;
  const game = view.play.game;
  const selection = selectionOf(model);
  const interaction = mapInteraction(view, selection);
  const waive = game.action ? (game.stage.first === null || game.stage.first === undefined ? "do.waive_action" : "do.waive_second") : "do.waive";
  return (
    <DecisionBar
      model={model}
      {...mapText(view, selection)}
      actions={
        <>
          {choicesOf(view).some((choice) => choice.do === "waive") && (
            <SecondaryButton model={model} command={{ do: "waive" }} isQuiet>
              {t(waive)}
            </SecondaryButton>
          )}
          {Object.keys(selection).length > 0 && <ClearButton model={model} />}
          <AnswerButton model={model} command={interaction?.command ?? null}>
            {t("do.confirm")} {interaction?.command && <kbd>↵</kbd>}
          </AnswerButton>
        </>
      }
    >
      <Sticks view={view} isPlacing={Boolean(interaction?.command) && (choiceOf(view, "place_stick") ?? choiceOf(view, "replace_stick")) !== undefined && selection.lift === undefined} />
      <SettlementPreview view={view} changes={interaction?.command ? interaction.changes : []} />
      <ChequeHand cheques={game.hand ?? []} />
    </DecisionBar>
  );
}

/** @param {{view: any, isPlacing: boolean}} props */
function Sticks({ view, isPlacing }) {
  const count = view.play.game.seats[view.mine].sticks;
  return (
    <div class="own-sticks">
      <p class="small muted hand-title">
        <span>{t("preview.sticks")}</span>
        <span>{isPlacing ? t("preview.sticks_left", { count, after: count - 1 }) : t("preview.sticks_now", { count })}</span>
      </p>
      <div class="stick-stock" aria-hidden="true">
        {Array.from({ length: count }, (_, index) => (
          <span key={index} class={isPlacing && index === count - 1 ? "leaving" : ""}>
            <Symbol name={`stick-${SEAT_COLOURS[view.mine]}-h`} width={64} height={13} />
          </span>
        ))}
      </div>
    </div>
  );
}

/** The districts that the changes would settle, by counting sticks. @param {{view: any, changes: [number, number][]}} props */
function SettlementPreview({ view, changes }) {
  const game = view.play.game;
  const outcomes = consequences(game, changes);
  if (!outcomes.length) return <Preview />;
  const settled = outcomes.filter(({ isRebuilt, after }) => !isRebuilt && after.settles !== null);
  return (
    <Preview>
      {outcomes.map((outcome) => (
        <Outcome key={outcome.district} view={view} outcome={outcome} settled={settled} />
      ))}
      {settled.length > 0 && game.stage.name === "investing" && (
        <PreviewCard icon={<ActionPile />} title={t("preview.action")} more={t("preview.action.more")} />
      )}
    </Preview>
  );
}

function ActionPile() {
  return (
    <span class="pile actions" aria-hidden="true">
      <Symbol name="action-sub4" width={20} />
    </span>
  );
}

/** @param {{view: any, outcome: ReturnType<typeof consequences>[number], settled: ReturnType<typeof consequences>}} props */
function Outcome({ view, outcome, settled }) {
  const game = view.play.game;
  const { district, kind, isRebuilt, after } = outcome;
  const place = capitalize(placeName(game, district));
  if (isRebuilt || after.settles === null) {
    return (
      <PreviewCard
        icon={<Symbol name={`${kind}-${isRebuilt ? "built" : "ruin"}`} width={48} />}
        title={t(isRebuilt ? "preview.stays_rebuilt" : "preview.stays", { place })}
        more={isRebuilt ? t("preview.already") : capitalize(standingText(view, after, kind))}
      />
    );
  }
  const seat = after.settles;
  // If two districts of the kind are settled at once, only one gets the bonus, so none is promised.
  const isAlone = settled.filter((other) => other.kind === kind).length === 1;
  const bonus = isAlone && game.open_bonuses.includes(kind) ? BONUS : 0;
  const points = PRESTIGE[kind] + bonus;
  const before = game.seats[seat].prestige;
  return (
    <PreviewCard
      icon={<Symbol name={`${kind}-built`} width={48} />}
      title={t("preview.rebuilt", { place })}
      gain={
        <>
          <Symbol name="n-prestige" width={16} />
          {t("preview.for", { points, name: nameInSentence(view, seat) })} {bonus > 0 && t("preview.bonus")}
        </>
      }
      more={t("preview.prestige", { name: capitalize(nameInSentence(view, seat)), before, after: before + points })}
      isMine={seat === view.mine}
    />
  );
}

/** @param {{model: TableModel}} props */
export function Laying({ model }) {
  const view = model.gameView.value;
  const tile = view.play.game.stage.tile;
  const space = selectionOf(model).space ?? null;
  const kind = kindName(tile);
  return (
    <DecisionBar
      model={model}
      title={space === null ? t("decision.laying", { kind }) : t("decision.laying.chosen", { kind, at: coordinate(space) })}
      more={t("decision.laying.more")}
      actions={
        <>
          {space !== null && <ClearButton model={model} />}
          <AnswerButton model={model} command={space === null ? null : { do: "lay_tile", space }}>
            {t("do.confirm")}
          </AnswerButton>
        </>
      }
    >
      <span class={`tile-in-hand kind-${tile}`}>
        <Symbol name={tile === "park" ? "park" : `${tile}-ruin`} width={84} />
      </span>
    </DecisionBar>
  );
}

/** @param {{model: TableModel}} props */
export function Claiming({ model }) {
  const view = model.gameView.value;
  const game = view.play.game;
  const choice = choiceOf(view, "claim_subsidy");
  const isRemoval = choice?.sticks !== undefined;
  const selection = selectionOf(model);
  /** @type {number[]} */
  const sticks = selection.sticks ?? [];
  /** @type {"influence" | "cheques" | null} */
  const chosen = selection.mode ?? null;
  const times = isRemoval ? sticks.length : 1;
  const each = isRemoval ? REMOVAL : SUBSIDY;
  const amounts = { influence: String(each.influence * times), cheques: money(each.cheques_most * times) };
  const command = (/** @type {string} */ mode) => ({ do: "claim_subsidy", mode, ...(isRemoval ? { sticks } : {}) });
  const pick = (/** @type {string} */ mode) => (mode === chosen ? send(model, command(mode)) : choose(model, { ...selection, mode }));
  return (
    <DecisionBar
      model={model}
      title={t(isRemoval ? "decision.claim.removal" : "decision.claim")}
      more={isRemoval ? t("decision.claim.removal.more", { count: sticks.length }) : t("decision.claim.more", { count: game.bank })}
      actions={
        <>
          {(sticks.length > 0 || chosen) && <ClearButton model={model} />}
          <AnswerButton model={model} command={chosen && command(chosen)}>
            {chosen ? claimText(chosen, isRemoval, sticks.length, amounts) : t("do.claim_none")}
          </AnswerButton>
        </>
      }
    >
      <div class="claims">
        {choice?.mode.one_of.map((/** @type {"influence" | "cheques"} */ mode) => (
          <button key={mode} type="button" class={`claim ${mode === chosen ? "chosen" : ""}`} aria-pressed={mode === chosen} disabled={isBusy(model)} onClick={() => pick(mode)}>
            <Symbol name={mode === "influence" ? "n-influence" : "cheque-back"} width={mode === "influence" ? 34 : 60} height={34} />
            <span>
              <b>{claimText(mode, isRemoval, sticks.length, amounts)}</b>
              <span class="small muted">{t(`claim.${mode}.note`)}</span>
            </span>
          </button>
        ))}
      </div>
      {isRemoval && <RemovedSticks sticks={sticks} />}
      <ChequeHand cheques={game.hand ?? []} />
    </DecisionBar>
  );
}

/** @param {string} mode @param {boolean} isRemoval @param {number} count @param {{influence: string, cheques: string}} amounts */
function claimText(mode, isRemoval, count, amounts) {
  const values = { influence: amounts.influence, amount: amounts.cheques, count };
  if (isRemoval && !count) return t(`claim.${mode}.nothing`);
  return t(isRemoval ? `claim.${mode}.removal` : `claim.${mode}`, values);
}

/** @param {{sticks: number[]}} props */
function RemovedSticks({ sticks }) {
  return (
    <ul class="chosen-streets small">
      {sticks.map((street) => (
        <li key={street}>{capitalize(streetText(street))}</li>
      ))}
    </ul>
  );
}

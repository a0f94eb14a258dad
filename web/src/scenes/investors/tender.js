// Above the city: the current tender or action card. Below it: the years with their action cards, and the bank.

import { t } from "../../catalogue/index.js";
import { Chip, Symbol } from "../../parts/art.js";
import { capitalize, formatNames } from "../../parts/names.js";
import { OPTIONS, OptionDrawing } from "./hand.js";
import { YEARS } from "./values.js";
import { actionName, actionParts, actionSymbol, kindName, targetText, tenderParts } from "./labels.js";

/** @param {{view: any}} props */
export function TenderPanel({ view }) {
  const game = view.play.game;
  return (
    <section class="tender card">
      <span class="pile" title={t("tender.deck", { count: game.tender_deck })}>
        {game.tender_deck}
        <span class="hidden-visually">{t("tender.deck", { count: game.tender_deck })}</span>
      </span>
      {game.action ? <ActionText key={game.action} card={game.action} /> : game.stage.name === "laying" ? <LayingText view={view} /> : <TenderText view={view} />}
      <span class="deck-text small muted">
        {t("action.deck", { count: game.action_deck })}
        <span class="discard">{game.tender_discard.length > 0 && t("tender.discard", { count: game.tender_discard.length })}</span>
      </span>
      <span class="pile actions" aria-hidden="true" title={t("action.deck", { count: game.action_deck })}>
        <Symbol name="action-sub4" width={22} />
        <span class="pile-count">{game.action_deck}</span>
      </span>
    </section>
  );
}

/** @param {{view: any}} props */
function TenderText({ view }) {
  const game = view.play.game;
  if (!game.tender) {
    return (
      <div class="tender-text">
        <h2>{t("tender.none")}</h2>
      </div>
    );
  }
  const { target, mode, rights } = tenderParts(game.tender);
  const isKind = target !== "edge" && target !== "options";
  const invests = game.stage.name === "investing" ? game.stage.rights.map((/** @type {any} */ right) => right.seat) : null;
  return (
    <>
      <TenderFace key={game.tender} card={game.tender} />
      <div class="tender-text">
        <h2>{t(`tender.title.${isKind ? "kind" : target}`, { target: targetText(target) })}</h2>
        <p class="small muted tender-how">
          {invests ? t("tender.order", { names: formatNames(view, invests) }) : t(`tender.how.${mode}`, { count: rights })}
        </p>
        <p class="small muted tender-brief" aria-hidden="true">
          {invests ? <Investing seats={invests} /> : t(`tender.brief.${mode}`, { count: rights })}
        </p>
      </div>
    </>
  );
}

/** The seats that may invest, in this order, where their names have no room. @param {{seats: number[]}} props */
function Investing({ seats }) {
  return (
    <span class="tender-order">
      {t("tender.brief.order")}
      {seats.map((seat) => (
        <Chip key={seat} seat={seat} size={16} />
      ))}
    </span>
  );
}

/** The front of a tender card: its target, how it is won, and the number of investors. @param {{card: string}} props */
function TenderFace({ card }) {
  const { target, mode, rights } = tenderParts(card);
  if (target === "options") {
    return (
      <span class="face options-face" aria-hidden="true">
        {OPTIONS.map((option) => (
          <OptionDrawing key={option} option={option} width={36} />
        ))}
      </span>
    );
  }
  const isKind = target !== "edge";
  const drawing = isKind ? `${target}-built` : `target-${target}`;
  const how = mode === "influence" ? "n-influence" : "n-cheque";
  return (
    <span class={`face kind-${isKind ? target : "none"}`} aria-hidden="true">
      <Symbol name={drawing} width={isKind ? 54 : 44} />
      <span class="face-how">
        <b class="serif">{rights}</b>
        <Symbol name={how} width={22} />
      </span>
    </span>
  );
}

/** @param {{card: string}} props */
function ActionText({ card }) {
  const { effect, mode } = actionParts(card);
  return (
    <>
      <span class="face action-face" aria-hidden="true">
        <Symbol name={actionSymbol(card)} width={40} />
        {mode && <Symbol name={mode === "influence" ? "n-influence" : "n-cheque"} width={22} />}
      </span>
      <div class="tender-text">
        <h2>{actionName(card)}</h2>
        <p class="small muted tender-how">
          {t(`action.what.${effect}`)} {mode && t(`action.by.${mode}`)}
        </p>
        {mode && (
          <p class="small muted tender-brief" aria-hidden="true">
            {t(`action.by.${mode}`)}
          </p>
        )}
      </div>
    </>
  );
}

/** @param {{view: any}} props */
function LayingText({ view }) {
  const { stage, bag } = view.play.game;
  return (
    <>
      <span class={`face kind-${stage.tile}`} aria-hidden="true">
        <Symbol name={stage.tile === "park" ? "park" : `${stage.tile}-ruin`} width={54} />
      </span>
      <div class="tender-text">
        <h2>{capitalize(kindName(stage.tile))}</h2>
        <p class="small muted">{t("bag.count", { count: bag })}</p>
      </div>
    </>
  );
}

/** @param {{years: string[], bank: number, bonuses: string[]}} props */
export function Years({ years, bank, bonuses }) {
  return (
    <div class="below-city">
      <ol class="years card" aria-label={t("years.title")}>
        {YEARS.map((year, index) => {
          const card = years[index];
          const isNext = index === years.length;
          const isOpen = card?.startsWith("bonus_") && bonuses.includes(card.slice("bonus_".length));
          return (
            <li
              key={year}
              class={`${card ? "done" : ""} ${isNext ? "next" : ""} ${isOpen ? "open-bonus" : ""}`}
              title={card ? t("years.laid", { year, action: `${actionName(card)}. ${t(`action.what.${actionParts(card).effect}`)}` }) : undefined}
            >
              {card ? (
                <Symbol name={actionSymbol(card)} width={20} label={actionName(card)} />
              ) : (
                <span class="year-gap">{isNext ? t("years.next") : ""}</span>
              )}
              <span>
                <span class="century">{String(year).slice(0, 2)}</span>
                {String(year).slice(2)}
              </span>
            </li>
          );
        })}
      </ol>
      <span class="bank card" title={t("bank.count", { count: bank })}>
        <Symbol name="cheque-back" width={44} height={24} />
        <b>{bank}</b>
        <span class="hidden-visually">{t("bank.count", { count: bank })}</span>
      </span>
    </div>
  );
}

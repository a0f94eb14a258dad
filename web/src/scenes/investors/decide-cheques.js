// Decisions about money: bidding openly, paying for an option, sealing cheques, and drawing from the bank.

import { t } from "../../catalogue/index.js";
import { Chip, Symbol } from "../../parts/art.js";
import { AnswerButton, ClearButton, DecisionBar, SecondaryButton } from "../../parts/decision-bar.js";
import { formatNames, nameInSentence } from "../../parts/names.js";
import { choiceOf, fitsSome, total } from "../../parts/prompt.js";
import { choose, selectionOf, send } from "../../parts/selection.js";
import { ChequeHand, ChequePicker, Note, valuesAt } from "./hand.js";
import { actionName, money, targetText, tenderParts } from "./labels.js";

/** @typedef {import("../../store.js").TableModel} TableModel */

/** @param {number[]} chosen @param {number} index */
function toggled(chosen, index) {
  return chosen.includes(index) ? chosen.filter((each) => each !== index) : [...chosen, index];
}

/** Return the indices of these values in the hand, each used once. @param {number[]} cheques @param {number[]} values */
export function placesOf(cheques, values) {
  const left = [...values];
  return cheques.flatMap((cheque, index) => {
    const found = left.indexOf(cheque);
    if (found < 0) return [];
    left.splice(found, 1);
    return [index];
  });
}

/** @param {{model: TableModel}} props */
export function Bidding({ model }) {
  const view = model.gameView.value;
  const { stage, action, tender, hand } = view.play.game;
  const raise = choiceOf(view, "raise_bid");
  const sums = stage.bids.map(total);
  const lead = Math.max(...sums);
  const leader = sums.indexOf(lead);
  const alreadyBid = sums[view.mine];
  /** @type {number[]} */
  const chosen = selectionOf(model).cheques ?? [];
  const values = raise ? valuesAt(raise.cheques.some_of, chosen) : [];
  const isEnough = raise ? fitsSome(raise.cheques, values) : false;
  const sum = alreadyBid + total(values);
  const title = !raise
    ? t("decision.bid.cannot", { amount: money(lead) })
    : lead
      ? t("decision.bid.beat", { name: nameInSentence(view, leader), amount: money(lead) })
      : t("decision.bid.first");
  const what = action
    ? t("decision.bid.for_action", { action: actionName(action) })
    : t("decision.bid.for", { target: targetText(tenderParts(tender).target) });
  return (
    <DecisionBar
      model={model}
      title={title}
      more={what}
      reason={!raise ? "decision.bid.cannot" : lead && !isEnough ? "decision.bid.missing" : undefined}
      actions={
        <>
          <SecondaryButton model={model} command={{ do: "pass_bid" }}>
            {t("do.pass")}
          </SecondaryButton>
          {raise && (
            <AnswerButton model={model} command={isEnough ? { do: "raise_bid", cheques: values } : null}>
              {t("do.bid", { amount: money(sum) })}
            </AnswerButton>
          )}
        </>
      }
    >
      {raise ? (
        <>
          <ChequePicker
            cheques={raise.cheques.some_of}
            locked={stage.bids[view.mine]}
            chosen={chosen}
            onToggle={(index) => choose(model, { cheques: toggled(chosen, index) })}
          />
          <Sum alreadyBid={alreadyBid} chosen={total(values)} sum={sum} note={isEnough ? t("decision.bid.enough", { amount: money(sum) }) : lead ? t("decision.bid.missing", { amount: money(lead) }) : t("decision.bid.any")} />
          <OpenBids view={view} />
        </>
      ) : (
        <>
          <OpenBids view={view} />
          <ChequeHand cheques={hand ?? []} />
        </>
      )}
    </DecisionBar>
  );
}

/** @param {{alreadyBid?: number, chosen: number, sum: number, note: string}} props */
function Sum({ alreadyBid = 0, chosen, sum, note }) {
  return (
    <div class="sum" aria-live="polite">
      <b class="serif sum-total">{money(sum)}</b>
      <span class="small muted">
        {alreadyBid > 0 ? t("decision.bid.sum", { bid: money(alreadyBid), chosen: money(chosen) }) : t("decision.bid.chosen", { chosen: money(chosen) })}
      </span>
      <span class="small">{note}</span>
    </div>
  );
}

/** The open bids of all seats. @param {{view: any}} props */
function OpenBids({ view }) {
  const { bids, passed } = view.play.game.stage;
  const sums = bids.map(total);
  const lead = Math.max(...sums);
  return (
    <ul class="open-bids">
      {sums.map((/** @type {number} */ sum, /** @type {number} */ seat) => (
        <li key={seat} class={`small ${passed[seat] ? "muted" : ""} ${sum && sum === lead ? "leads" : ""}`}>
          <Chip seat={seat} size={20} />
          <span class="open-bid-name">{seat === view.mine ? t("seat.you") : nameInSentence(view, seat)}</span>
          <b>{passed[seat] ? t("stats.passed") : sum ? money(sum) : "–"}</b>
        </li>
      ))}
    </ul>
  );
}

/** @param {{model: TableModel}} props */
export function PayCheque({ model }) {
  const view = model.gameView.value;
  const choice = choiceOf(view, "pay_cheque");
  /** @type {number[]} */
  const offered = choice?.cheque.one_of ?? [];
  const answer = view.play.decision.answer?.cheque ?? null;
  const selected = selectionOf(model).cheque ?? null;
  const hand = view.play.game.hand ?? [];
  const chosen = selected ?? answer;
  const pick = (/** @type {number} */ index) => {
    const cheque = hand[index];
    if (!offered.includes(cheque)) return;
    if (answer !== null || selected === cheque) send(model, { do: "pay_cheque", cheque });
    else choose(model, { cheque });
  };
  const option = targetText(view.play.game.options?.[view.mine] ?? "options");
  return (
    <DecisionBar
      model={model}
      title={answer === null ? t("decision.pay", { option }) : t("decision.pay.sealed", { amount: money(answer) })}
      more={t(answer === null ? "decision.pay.more" : "decision.pay.sealed.more")}
      actions={
        answer === null && (
          <>
            {selected !== null && <ClearButton model={model} />}
            <AnswerButton model={model} command={selected === null ? null : { do: "pay_cheque", cheque: selected }}>
              {selected === null ? t("do.pay_none") : t("do.pay", { amount: money(selected) })}
            </AnswerButton>
          </>
        )
      }
    >
      <ChequePicker cheques={hand} chosen={chosen === null ? [] : [hand.indexOf(chosen)]} onToggle={pick} />
    </DecisionBar>
  );
}

/** @param {{model: TableModel}} props */
export function SealCheques({ model }) {
  const view = model.gameView.value;
  const game = view.play.game;
  const space = choiceOf(view, "bid_cheques")?.cheques;
  const answer = view.play.decision.answer?.cheques ?? null;
  const selected = selectionOf(model).cheques ?? null;
  /** @type {number[]} */
  const chosen = selected ?? (answer ? placesOf(space.some_of, answer) : []);
  const values = valuesAt(space.some_of, chosen);
  const own = game.options?.[view.mine];
  const rivals = (game.options ?? []).flatMap((/** @type {string} */ option, /** @type {number} */ seat) => (option === own && seat !== view.mine ? [seat] : []));
  const isSent = answer !== null && selected === null;
  const sum = money(total(values));
  const title = isSent
    ? values.length
      ? t("decision.seal.sealed", { amount: sum })
      : t("decision.seal.sealed_nothing")
    : t("decision.seal", { count: space.most, option: targetText(own) });
  return (
    <DecisionBar
      model={model}
      title={title}
      more={isSent ? t("decision.seal.sealed.more") : t("decision.seal.more", { names: formatNames(view, rivals) })}
      actions={
        <>
          {selected !== null && <ClearButton model={model} />}
          {!isSent && (
            <AnswerButton model={model} command={fitsSome(space, values) ? { do: "bid_cheques", cheques: values } : null}>
              {values.length ? t("do.seal", { amount: sum }) : t("do.seal_nothing")}
            </AnswerButton>
          )}
        </>
      }
    >
      <ChequePicker
        cheques={space.some_of}
        chosen={chosen}
        isFull={chosen.length >= space.most}
        isSealed={isSent}
        onToggle={(index) => choose(model, { cheques: toggled(chosen, index) })}
      />
      <Sum chosen={total(values)} sum={total(values)} note={t("decision.seal.count", { count: values.length, most: space.most })} />
    </DecisionBar>
  );
}

/** @param {{model: TableModel}} props */
export function Drawing({ model }) {
  const view = model.gameView.value;
  const { stage, subsidies, bank } = view.play.game;
  const drawn = stage.drawn[view.mine];
  const [sum, most] = [total(drawn), subsidies[view.mine]];
  return (
    <DecisionBar
      model={model}
      title={t("decision.draw", { amount: money(sum), most: money(most) })}
      more={t("decision.draw.more", { count: bank })}
      actions={
        <>
          <SecondaryButton model={model} command={{ do: "stop_drawing" }}>
            {sum ? t("do.stop", { amount: money(sum) }) : t("do.stop_nothing")}
          </SecondaryButton>
          <AnswerButton model={model} command={{ do: "draw_cheque" }} icon={false}>
            <Symbol name="cheque-back" width={37} height={20} />
            {t("do.draw")}
          </AnswerButton>
        </>
      }
    >
      <div class="luck">
        <div class="drawn">
          {drawn.map((/** @type {number} */ value, /** @type {number} */ index) => (
            <span key={index} class="cheque drawn-cheque">
              <Note value={value} />
            </span>
          ))}
          {!drawn.length && <span class="cheque empty-cheque" />}
        </div>
        <div class="limit">
          <span class="limit-bar" aria-hidden="true">
            <span style={{ width: `${(100 * sum) / (most || 1)}%` }} />
          </span>
          <span class="small muted">
            {t("draw.limit", { amount: money(most) })} · {t("draw.left", { amount: money(Math.max(0, most - sum)) })}
          </span>
        </div>
      </div>
      <ChequeHand cheques={view.play.game.hand ?? []} />
    </DecisionBar>
  );
}

// Bargaining between the seats on one option tile: making, answering and paying an offer.

import { t } from "../../catalogue/index.js";
import { Chip, Icon } from "../../parts/art.js";
import { AnswerButton, ClearButton, DecisionBar, SecondaryButton } from "../../parts/decision-bar.js";
import { capitalize, nameInSentence, nameOf } from "../../parts/names.js";
import { choiceOf, choicesOf, fitsAmounts, fitsShares, isPayable, missingShares, total } from "../../parts/prompt.js";
import { choose, selectionOf } from "../../parts/selection.js";
import { Stepper } from "../../parts/stepper.js";
import { ChequeHand, ChequePicker, Note } from "./hand.js";
import { avoidedText, money, streetText, targetText } from "./labels.js";

/** @typedef {import("../../store.js").TableModel} TableModel */

/** @param {{model: TableModel}} props */
export function MakeOffer({ model }) {
  const view = model.gameView.value;
  const offers = choicesOf(view).filter((choice) => choice.do === "make_offer");
  const selection = selectionOf(model);
  const { investor = null } = selection;
  const offer = offers.find((choice) => choice.investor.one_of[0] === investor) ?? null;
  /** @type {number[]} */
  const amounts = offer ? (selection.amounts ?? offer.amounts.amounts.map(() => 0)) : [];
  /** @type {number[]} */
  const draws = offer ? (selection.draws ?? offer.draws.amounts.map(() => 0)) : [];
  const avoid = selection.avoid ?? [];
  const isFit = offer !== null && fitsAmounts(offer.amounts, amounts) && fitsAmounts(offer.draws, draws) && isPayable(offer.draws, amounts, draws);
  const isNothing = total(amounts) + total(draws) === 0;
  const isMine = investor === view.mine;
  const option = targetText(view.play.game.stage.option);
  return (
    <DecisionBar
      model={model}
      title={offer ? t(isMine ? "decision.offer.you" : "decision.offer.other", { name: nameOf(view, investor), option }) : t("decision.offer", { option })}
      more={offer && !isFit ? unfitText(view, investor, isNothing) : t(isMine ? "decision.offer.more.you" : "decision.offer.more")}
      reason={offer && !isFit ? (isNothing ? "offer.least" : "offer.too_much") : undefined}
      actions={
        <>
          <SecondaryButton model={model} command={{ do: "pass_offer" }}>
            {t("do.no_offer")}
          </SecondaryButton>
          {offer && <ClearButton model={model} />}
          <AnswerButton model={model} command={isFit ? { do: "make_offer", investor, amounts, draws, avoid } : null}>
            {t("do.offer")}
          </AnswerButton>
        </>
      }
    >
      <fieldset class="offer-investor">
        <legend class="small muted">{t("offer.investor")}</legend>
        {offers.map((choice) => {
          const seat = choice.investor.one_of[0];
          return (
            <button key={seat} type="button" class="seat-choice" aria-pressed={seat === investor} onClick={() => choose(model, { investor: seat })}>
              <Chip seat={seat} size={22} />
              {nameOf(view, seat)}
            </button>
          );
        })}
      </fieldset>
      {offer && (
        <div class="offer-parts">
          {offer.amounts.amounts.map((/** @type {[number, number]} */ [seat, most], /** @type {number} */ index) => (
            <div key={seat} class="offer-row">
              <Chip seat={seat} size={22} />
              <Stepper
                label={t("offer.amount", { name: nameInSentence(view, seat) })}
                shown={money(amounts[index])}
                value={amounts[index]}
                step={offer.amounts.step}
                most={most}
                onChange={(value) => choose(model, { ...selection, amounts: amounts.with(index, value) })}
              />
              <Stepper
                label={t("offer.draws", { name: nameInSentence(view, seat) })}
                shown={`${draws[index]} ${t("offer.draws_short")}`}
                value={draws[index]}
                step={offer.draws.step}
                most={offer.draws.amounts[index][1]}
                onChange={(value) => choose(model, { ...selection, draws: draws.with(index, value) })}
              />
            </div>
          ))}
        </div>
      )}
      {offer && <Avoided streets={avoid} onRemove={(street) => choose(model, { ...selection, avoid: avoid.filter((/** @type {number} */ each) => each !== street) })} />}
    </DecisionBar>
  );
}

/** Say why an offer cannot be made. @param {any} view @param {number} investor @param {boolean} isNothing */
function unfitText(view, investor, isNothing) {
  if (isNothing) return t("offer.least");
  if (investor === view.mine) return t("offer.too_much.you");
  return t("offer.too_much", { name: nameOf(view, investor), count: view.play.game.seats[investor].cheques });
}

/** @param {{streets: number[], onRemove: (street: number) => void}} props */
function Avoided({ streets, onRemove }) {
  return (
    <div class="avoided">
      <p class="small muted">{t("offer.avoid")}</p>
      {streets.length ? (
        <ul class="chosen-streets small">
          {streets.map((street) => (
            <li key={street}>
              {capitalize(streetText(street))}
              <button type="button" class="plain" aria-label={t("offer.avoid_remove", { street: streetText(street) })} onClick={() => onRemove(street)}>
                <Icon name="close" size={14} />
              </button>
            </li>
          ))}
        </ul>
      ) : (
        <p class="small">{t("offer.avoid_none")}</p>
      )}
    </div>
  );
}

/** The open offer, line by line. @param {{view: any}} props */
function OpenOffer({ view }) {
  const { offer, seats } = view.play.game.stage;
  const partners = seats.filter((/** @type {number} */ seat) => seat !== offer.investor);
  const investor = nameOf(view, offer.investor);
  const isMine = offer.investor === view.mine;
  return (
    <ul class="open-offer">
      <li>
        <Chip seat={offer.investor} size={22} />
        {isMine ? t("offer.line.invests.you") : t("offer.line.invests", { name: investor })}
      </li>
      {partners.map((/** @type {number} */ seat, /** @type {number} */ index) => (
        <li key={seat}>
          <Chip seat={seat} size={22} />
          {offer.amounts[index] > 0 && t(isMine ? "offer.line.you_pay" : "offer.line.pays", { investor, name: nameInSentence(view, seat), amount: money(offer.amounts[index]) })}{" "}
          {offer.draws[index] > 0 && t(seat === view.mine ? "offer.line.draws.you" : "offer.line.draws", { name: nameOf(view, seat), count: offer.draws[index] })}
          {offer.amounts[index] + offer.draws[index] === 0 && t(seat === view.mine ? "offer.line.nothing.you" : "offer.line.nothing", { name: nameOf(view, seat) })}
        </li>
      ))}
      {offer.avoid.length > 0 && <li>{avoidedText(offer.avoid)}</li>}
    </ul>
  );
}

/** @param {{model: TableModel}} props */
export function AnswerOffer({ model }) {
  const view = model.gameView.value;
  const { offer, option } = view.play.game.stage;
  const answer = view.play.decision.answer?.do ?? null;
  const given = answer && t(answer === "accept_offer" ? "decision.answer.accepted" : "decision.answer.declined");
  return (
    <DecisionBar
      model={model}
      title={given ?? t("decision.answer", { name: nameOf(view, offer.seat), option: targetText(option) })}
      more={given ? t("decision.answer.sealed.more") : undefined}
      actions={
        <>
          {answer !== "decline_offer" && <DeclineButton model={model} />}
          {answer !== "accept_offer" && (
            <AnswerButton model={model} command={{ do: "accept_offer" }}>
              {t("do.accept_offer")}
            </AnswerButton>
          )}
        </>
      }
    >
      <OpenOffer view={view} />
      <ChequeHand cheques={view.play.game.hand ?? []} />
    </DecisionBar>
  );
}

/** @param {{model: TableModel}} props */
export function PayOffer({ model }) {
  const view = model.gameView.value;
  const space = choiceOf(view, "pay_offer")?.cheques ?? null;
  if (space?.dues.some((/** @type {[number, number]} */ [, due]) => due > 0)) return <PayDues model={model} space={space} />;
  // Nothing is to be paid: the cheques cannot cover the deal, or all of it is blind draws.
  const decline = <DeclineButton model={model} isOnly={!space} />;
  return (
    <DecisionBar
      model={model}
      title={t(space ? "decision.pay_offer.draws" : "decision.pay_offer.cannot")}
      reason={space ? undefined : "decision.pay_offer.cannot"}
      actions={
        <>
          {choiceOf(view, "decline_offer") && decline}
          {space && (
            <AnswerButton model={model} command={{ do: "pay_offer", cheques: space.dues.map(() => []) }}>
              {t("do.accept_offer")}
            </AnswerButton>
          )}
        </>
      }
    >
      <OpenOffer view={view} />
      <ChequeHand cheques={view.play.game.hand ?? []} />
    </DecisionBar>
  );
}

/** @param {{model: TableModel, isOnly?: boolean}} props */
function DeclineButton({ model, isOnly = false }) {
  const Button = isOnly ? AnswerButton : SecondaryButton;
  return (
    <Button model={model} command={{ do: "decline_offer" }}>
      {t("do.decline_offer")}
    </Button>
  );
}

/** Choosing the cheques for each partner. @param {{model: TableModel, space: any}} props */
function PayDues({ model, space }) {
  const view = model.gameView.value;
  const selection = selectionOf(model);
  /** The cheques for each partner, by their indices in the hand. @type {number[][]} */
  const shares = selection.shares ?? space.dues.map(() => []);
  /** Whom a cheque goes to that is picked now: at first, somebody who is owed money. @type {number} */
  const active = selection.active ?? space.dues.findIndex((/** @type {[number, number]} */ [, due]) => due > 0);
  const values = shares.map((share) => share.map((index) => space.shares[index]));
  const isPaid = fitsShares(space, values);
  const leaves = space.shares.length - space.most;
  const isTooMany = total(values.map((share) => share.length)) > space.most;
  const taken = new Map(shares.flatMap((share, place) => share.map((index) => [index, space.dues[place][0]])));
  const toggle = (/** @type {number} */ index) => {
    const isHere = shares[active].includes(index);
    const without = shares.map((share) => share.filter((each) => each !== index));
    const after = isHere ? without : without.with(active, [...without[active], index]);
    const missing = missingShares(space, after.map((share) => share.map((each) => space.shares[each])));
    // When a partner is fully paid, the next unpaid one is selected.
    const next = missing[active] ? -1 : missing.findIndex(Boolean);
    choose(model, { shares: after, active: next < 0 ? active : next });
  };
  return (
    <DecisionBar
      model={model}
      title={t("decision.pay_offer")}
      more={isTooMany ? t("offer.leave", { count: leaves }) : t("decision.pay_offer.more")}
      reason={isTooMany ? "offer.leave" : undefined}
      actions={
        <>
          {choiceOf(view, "decline_offer") && <DeclineButton model={model} />}
          <AnswerButton model={model} command={isPaid ? { do: "pay_offer", cheques: values } : null}>
            {t("do.pay_offer")}
          </AnswerButton>
        </>
      }
    >
      <div class="shares" role="radiogroup" aria-label={t("decision.pay_offer.more")}>
        {space.dues.map((/** @type {[number, number]} */ [seat, due], /** @type {number} */ index) => (
          <button key={seat} type="button" class="share" role="radio" aria-checked={index === active} disabled={!due} onClick={() => choose(model, { shares, active: index })}>
            <Chip seat={seat} size={22} />
            <span>{nameOf(view, seat)}</span>
            <b>{t("offer.due", { paid: money(total(values[index])), due: money(due) })}</b>
            <span class="share-notes" aria-hidden="true">
              {values[index].map((value, place) => (
                <Note key={place} value={value} />
              ))}
            </span>
          </button>
        ))}
      </div>
      <ChequePicker cheques={space.shares} chosen={shares[active]} taken={taken} onToggle={toggle} />
    </DecisionBar>
  );
}

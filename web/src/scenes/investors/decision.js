// The decision bar: choose the component for the open decision.

import { t } from "../../catalogue/index.js";
import { DecisionBar } from "../../parts/decision-bar.js";
import { isOpening, openingText } from "../../parts/device-seals.js";
import { formatNames } from "../../parts/names.js";
import { choicesOf } from "../../parts/prompt.js";
import { useRefocus } from "../../parts/refocus.js";
import { Bidding, Drawing, PayCheque, SealCheques } from "./decide-cheques.js";
import { AnswerOffer, MakeOffer, PayOffer } from "./decide-deal.js";
import { Claiming, Laying, MapDecision } from "./decide-map.js";
import { Considering, Influence, Options } from "./decide-tender.js";
import { ChequeHand, InfluenceCards } from "./hand.js";

/** @typedef {import("../../store.js").TableModel} TableModel */

/** @type {Record<string, (props: {model: TableModel}) => any>} */
const PARTS = {
  lay_tile: Laying,
  consider_tender: Considering,
  influence_tender: Influence,
  cheque_tender: Bidding,
  option_tender: Options,
  make_offer: MakeOffer,
  answer_offer: AnswerOffer,
  pay_offer: PayOffer,
  invest: MapDecision,
  use_action: MapDecision,
  claim_subsidy: Claiming,
  draw_cheques: Drawing,
};

/** @param {{model: TableModel}} props */
export function Decision({ model }) {
  const view = model.gameView.value;
  const decision = view.play?.decision;
  useRefocus(model);
  if (!decision) return <DecisionBar model={model} title={t("decision.over")} />;
  if (view.mine === null) return <DecisionBar model={model} class="watching-bar" title={t("decision.watch")} more={t("decision.watch.more")} />;
  const choices = choicesOf(view);
  if (!choices.length || isOpening(view)) return <WaitingBar model={model} />;
  // The same decision asks the only seat on an option tile for one cheque, and several seats for sealed cheques.
  const Part = decision.about === "option_bids" ? (choices[0].do === "pay_cheque" ? PayCheque : SealCheques) : PARTS[decision.about];
  return Part ? <Part model={model} /> : null;
}

/** The bar while others decide, or sealed answers are opened: who is awaited, and the hand. @param {{model: TableModel}} props */
function WaitingBar({ model }) {
  const view = model.gameView.value;
  const game = view.play.game;
  const { awaited, about } = view.play.decision;
  const influence = game.seats[view.mine].influence;
  const text = isOpening(view) ? openingText(view) : { title: t("decision.wait", { names: formatNames(view, awaited), what: t(`about.investors.${about}`) }) };
  return (
    <DecisionBar model={model} class="at-rest" {...text}>
      <InfluenceCards offered={null} sealed={null} influence={influence} />
      <ChequeHand cheques={game.hand ?? []} />
    </DecisionBar>
  );
}

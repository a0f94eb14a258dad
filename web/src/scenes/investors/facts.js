// What a seat has, for everybody to see.

import { t } from "../../catalogue/index.js";
import { Symbol } from "../../parts/art.js";
import { Fact } from "../../parts/fact.js";
import { narrow } from "../../parts/narrow.js";
import { total } from "../../parts/prompt.js";
import { money as dollars, targetWords, thousands } from "./words.js";

/** @typedef {import("../../store.js").TableModel} TableModel */

/** @param {{model: TableModel, seat: number}} props */
export function SeatFacts({ model, seat }) {
  const view = model.view.value;
  const game = view.play?.game;
  if (!game) return null;
  const { prestige, influence, cheques, sticks } = game.seats[seat];
  const note = seatNote(view, seat);
  return (
    <div class="facts">
      <Fact icon={<Symbol name="n-prestige" width={22} />} count={prestige} words="facts.prestige" isGold />
      <Fact icon={<Symbol name="n-influence" width={16} />} count={influence} words="facts.influence" />
      <Fact icon={<Symbol name="n-cheque" width={16} />} count={cheques} words="facts.cheques" />
      <Fact icon={<Symbol name="n-stick" width={16} />} count={sticks} words="facts.sticks" />
      <span class="fact-note small">
        {game.start_seat === seat && game.stage.name !== "over" && <b class="start-mark">{t("facts.start")}</b>} {note}
      </span>
    </div>
  );
}

/** What this seat is doing in the auction, the deal or the drawing at hand. @param {any} view @param {number} seat */
export function seatNote(view, seat) {
  const { stage, subsidies, options } = view.play.game;
  // A seat on a phone has room for what a cheque says, not for all the zeros.
  const money = narrow.value ? thousands : dollars;
  if (stage.name === "cheque_bidding") {
    if (stage.passed[seat]) return t("facts.passed");
    return stage.bids[seat].length ? t("facts.bid", { amount: money(total(stage.bids[seat])) }) : "";
  }
  if (stage.name === "drawing") {
    const most = money(subsidies[seat]);
    if (!subsidies[seat]) return t("facts.not_drawing");
    const amount = money(total(stage.drawn[seat]));
    if (stage.busted[seat]) return t("facts.bust", { most });
    return stage.drawing[seat] ? t("facts.drawn", { amount, most }) : t("facts.stopped", { amount });
  }
  if (stage.name === "investing") {
    const index = stage.rights.findIndex((/** @type {any} */ right) => right.seat === seat);
    return index < 0 ? "" : t("facts.invests", { place: t(`place.${index + 1}`) });
  }
  if (options && (stage.name === "bargaining" || stage.name === "option_bidding")) {
    return t("facts.option", { option: targetWords(options[seat]) });
  }
  return "";
}

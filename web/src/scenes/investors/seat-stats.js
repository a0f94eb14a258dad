// The public counters of a seat.

import { t } from "../../catalogue/index.js";
import { Symbol } from "../../parts/art.js";
import { Stat } from "../../parts/stat.js";
import { layout } from "../../parts/layout.js";
import { total } from "../../parts/prompt.js";
import { OptionDrawing } from "./hand.js";
import { money as dollars, targetText, thousands } from "./labels.js";

/** @typedef {import("../../store.js").TableModel} TableModel */

/** The drawings beside the counters; always the same, so that a counter renders again only when its number changed. */
const ICONS = {
  prestige: <Symbol name="n-prestige" width={22} />,
  influence: <Symbol name="n-influence" width={16} />,
  cheques: <Symbol name="n-cheque" width={16} />,
  sticks: <Symbol name="n-stick" width={16} />,
};

/** @param {{model: TableModel, seat: number}} props */
export function SeatStats({ model, seat }) {
  const view = model.gameView.value;
  const game = view.play?.game;
  if (!game) return null;
  const { prestige, influence, cheques, sticks } = game.seats[seat];
  const note = seatNote(view, seat);
  return (
    <div class="stats">
      <Stat icon={ICONS.prestige} count={prestige} labelKey="stats.prestige" isGold />
      <Stat icon={ICONS.influence} count={influence} labelKey="stats.influence" />
      <Stat icon={ICONS.cheques} count={cheques} labelKey="stats.cheques" />
      <Stat icon={ICONS.sticks} count={sticks} labelKey="stats.sticks" />
      <span class={`stat-note small ${note ? "" : "without"}`} title={typeof note === "string" && note ? note : undefined}>
        {game.start_seat === seat && game.stage.name !== "over" && <b class="start-mark">{t("stats.start")}</b>} {note}
      </span>
    </div>
  );
}

/** Return what a seat does in the current auction, deal or drawing. @param {any} view @param {number} seat */
function seatNote(view, seat) {
  const { stage, subsidies, options } = view.play.game;
  // Chips have no room for the thousands.
  const isChip = layout.value === "phone" || layout.value === "side";
  const money = isChip || (layout.value === "short" && stage.name === "drawing") ? thousands : dollars;
  if (stage.name === "cheque_bidding") {
    if (stage.passed[seat]) return t("stats.passed");
    return stage.bids[seat].length ? t("stats.bid", { amount: money(total(stage.bids[seat])) }) : "";
  }
  if (stage.name === "drawing") {
    const most = money(subsidies[seat]);
    if (!subsidies[seat]) return t(isChip ? "stats.not_drawing_short" : "stats.not_drawing");
    const amount = money(total(stage.drawn[seat]));
    if (stage.busted[seat]) return t(isChip ? "stats.bust_short" : "stats.bust", { most });
    return stage.drawing[seat] ? t(isChip ? "stats.drawn_short" : "stats.drawn", { amount, most }) : t("stats.stopped", { amount });
  }
  if (stage.name === "investing") {
    const index = stage.rights.findIndex((/** @type {any} */ right) => right.seat === seat);
    if (index < 0) return "";
    const place = t(`place.${index + 1}`);
    return isChip ? <InvestsShort place={place} /> : t("stats.invests", { place });
  }
  if (options && (stage.name === "bargaining" || stage.name === "option_bidding")) {
    return isChip ? <OptionDrawing option={options[seat]} width={21} /> : t("stats.option", { option: targetText(options[seat]) });
  }
  return "";
}

/** @param {{place: string}} props */
function InvestsShort({ place }) {
  return (
    <span class="invests-short" title={t("stats.invests", { place })}>
      <Symbol name="n-stick" width={14} />
      {place}
    </span>
  );
}

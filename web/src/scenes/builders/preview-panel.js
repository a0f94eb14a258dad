// The preview of the selected command: its price, and its effect on money, marker, cards and points.

import { t } from "../../catalogue/index.js";
import { formatList } from "../../parts/names.js";
import { total } from "../../parts/prompt.js";
import { GoalMark, PointsChange, Symbol } from "./pieces.js";
import { changesOf, priceOf } from "./preview.js";
import { dollars, goalText, permitShort, plain, signed, symbolText } from "./labels.js";

/** @typedef {import("./interaction.js").Interaction} Interaction */

/** @param {{view: any, interaction: Interaction}} props */
export function PreviewPanel({ view, interaction }) {
  const { command, preview } = interaction;
  if (!command || !preview) {
    const isBlind = command?.goal === "blind";
    return <div class="preview-panel empty">{isBlind && <p class="small">{t("builders.preview.blind")}</p>}</div>;
  }
  const { game } = view.play;
  const change = changesOf(game, preview.game, view.mine);
  /** The development cards that can be taken next, because both permits show their symbol. @type {string[]} */
  const offered = preview.game.stage.symbols ?? [];
  return (
    <div class="preview-panel" aria-live="polite">
      <Price parts={priceOf(game, command)} money={change.money} tram={offered.includes("tram") ? game.costs.tram : 0} />
      <ul class="effects small">
        {effects(change, game.seats.length).map(({ key, icon, text }) => (
          <li key={key}>
            {icon}
            <span>{text}</span>
          </li>
        ))}
        {offered.length > 0 && (
          <li>
            <Symbol name={offered[0]} width={22} />
            <span>{t("builders.preview.offer", { symbols: formatList(offered.map(symbolText)) })}</span>
          </li>
        )}
        <li class="points-effect">
          <Symbol name="goal" width={22} />
          <span>
            {t("builders.preview.points")} <PointsChange now={change.points[0]} later={change.points[1]} />
          </span>
        </li>
      </ul>
    </div>
  );
}

/**
 * "$2 year + $3 rubble = $5"
 * @param {{parts: import("./preview.js").Part[], money: [number, number], tram: number}} props `tram`: the price of a tram that can be taken next
 */
function Price({ parts, money: [before, after], tram }) {
  const sum = total(parts.map(({ amount }) => amount));
  return (
    <p class="price">
      {parts.map(({ part, amount }, index) => (
        <span key={part}>
          {index > 0 && " + "}
          <b class="serif">{dollars(amount)}</b> {t(`builders.price.${part}`)}
        </span>
      ))}
      {parts.length > 1 && (
        <span>
          {" = "}
          <b class="serif price-sum">{dollars(sum)}</b>
        </span>
      )}
      {tram > 0 && <span>{t("builders.price.maybe", { amount: dollars(tram) })}</span>}
      {!parts.length && <span>{t(after > before ? "builders.price.gain" : "builders.price.nothing", { amount: dollars(after - before) })}</span>}
      <span class="kept">
        {dollars(before)} → <b>{dollars(after)}</b>
      </span>
    </p>
  );
}

/** @param {import("./preview.js").Change} change @param {number} seats @returns {{key: string, icon: any, text: string}[]} */
function effects({ marker, rubble, houses, cards, permits, goals }, seats) {
  const found = [];
  if (houses > 0) found.push({ key: "house", icon: <Symbol name="material" width={22} />, text: t("builders.preview.house") });
  for (const permit of permits) found.push({ key: `p${permit}`, icon: <Symbol name="permit" width={22} />, text: t("builders.preview.permit", { permit: permitShort(permit) }) });
  for (const goal of goals) found.push({ key: goal, icon: <GoalMark goal={goal} width={22} />, text: goalText(goal, seats) });
  if (rubble > 0) found.push({ key: "rubble", icon: <Symbol name="rubble" width={22} />, text: t("builders.preview.rubble", { count: signed(rubble) }) });
  for (const symbol of cards) found.push({ key: symbol, icon: <Symbol name={symbol} width={22} />, text: t("builders.preview.card", { symbol: symbolText(symbol) }) });
  if (marker) found.push({ key: "marker", icon: <Symbol name="develop" width={22} />, text: t("builders.preview.marker", { from: plain(marker.from), to: plain(marker.to) }) });
  return found;
}

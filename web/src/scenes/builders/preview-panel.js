// The preview of the selected command: its price, and its effect on money, marker, cards, points and order.

import { t } from "../../catalogue/index.js";
import { Chip } from "../../parts/art.js";
import { formatList, nameInSentence } from "../../parts/names.js";
import { total } from "../../parts/prompt.js";
import { AREAS, INCOME_SPACES, YEAR_BOARD } from "./game-data.js";
import { GoalMark, Symbol } from "./pieces.js";
import { changesOf, orderSoFar, priceOf } from "./preview.js";
import { actionOf, currentSpaces, feeOf } from "./turn.js";
import { dollars, goalText, permitShort, plain, signed, spaceLabel, symbolText } from "./labels.js";

/** @typedef {import("./interaction.js").Interaction} Interaction */

/** @param {{view: any, interaction: Interaction}} props */
export function PreviewPanel({ view, interaction }) {
  const { command, preview } = interaction;
  if (command?.goal === "blind") {
    return (
      <div class="preview-panel">
        <p class="small">{t("builders.preview.blind")}</p>
      </div>
    );
  }
  if (!command || !preview) return null;
  return (
    <div class="preview-panel" aria-live="polite">
      {command.do === "place_pawn" ? <PlacePreview view={view} space={command.space} preview={preview} /> : <CommandPreview view={view} command={command} preview={preview} />}
    </div>
  );
}

/** What a space offers, and when its pawn goes on. @param {{view: any, space: number, preview: any}} props */
function PlacePreview({ view, space, preview }) {
  const { game } = view.play;
  const isYear = game.area === YEAR_BOARD;
  const [before, after] = [game.seats[view.mine].money, preview.game.seats[view.mine].money];
  return (
    <>
      {isYear ? (
        <p class="price">
          <span>
            <b class="serif">{dollars(before)}</b> + <b class="serif">{dollars(INCOME_SPACES[space])}</b> {t("builders.price.income")}
          </span>
          <span>
            = <b class="serif price-sum">{dollars(after)}</b>
          </span>
        </p>
      ) : (
        <Offered preview={preview} />
      )}
      <Order view={view} after={preview.game} area={game.area} />
    </>
  );
}

/** The actions that a space would offer, with the fee of those on other spaces. @param {{preview: any}} props */
function Offered({ preview: { game, decision } }) {
  const spaces = currentSpaces(game);
  return (
    <ul class="offered small" aria-label={t("builders.preview.offers")}>
      {(decision?.prompt?.choices ?? []).map((/** @type {{do: string}} */ choice) => {
        const action = actionOf(choice.do) ?? "dollar";
        const fee = feeOf(game, choice.do);
        return (
          <li key={choice.do}>
            <Symbol name={action} width={20} />
            <span>
              {spaceLabel(spaces.find((space) => space.action === action) ?? { action })}
              {fee > 0 && <b> {t("builders.preview.for", { amount: dollars(fee) })}</b>}
            </span>
          </li>
        );
      })}
    </ul>
  );
}

/** The pawns of this area in the order in which they go on. @param {{view: any, after: any, area: number}} props */
function Order({ view, after, area }) {
  const { seats, missing } = orderSoFar(after, area);
  return (
    <p class="order small">
      <span class="muted">{area === AREAS ? t("builders.order.year", { year: after.year + 1 }) : t("builders.order.card", { number: area + 1 })}</span>
      {seats.map((seat, index) => (
        <span key={seat} class="order-seat" title={nameInSentence(view, seat)}>
          {index > 0 && <i class="muted">▸</i>}
          <Chip seat={seat} size={18} />
          {seat === view.mine ? <b>{nameInSentence(view, seat)}</b> : <span class="hidden-visually">{nameInSentence(view, seat)}</span>}
        </span>
      ))}
      {missing > 0 && <span class="muted">{t("builders.order.missing", { count: missing })}</span>}
    </p>
  );
}

/** @param {{view: any, command: any, preview: any}} props */
function CommandPreview({ view, command, preview }) {
  const { game } = view.play;
  const change = changesOf(game, preview.game, view.mine);
  const parts = priceOf(game, command);
  /** The development cards that can be taken next, because both permits show their symbol. @type {string[]} */
  const offered = preview.game.stage.symbols ?? [];
  return (
    <>
      {(command.do === "choose_plot" || parts.length > 0 || change.money[0] !== change.money[1]) && <Price parts={parts} money={change.money} tram={offered.includes("tram") ? game.costs.tram : 0} />}
      <ul class="effects small">
        {effects(change, game.seats.length).map(({ key, icon, text }) => (
          <li key={key}>
            {icon}
            <span>{text}</span>
          </li>
        ))}
        {offered.length > 0 && (
          <li>
            <Symbol name={offered[0]} width={20} />
            <span>{t("builders.preview.offer", { symbols: formatList(offered.map(symbolText)) })}</span>
          </li>
        )}
        <li class="points-effect">
          <Symbol name="goal" width={20} />
          <span>
            <span class="effect-word">{t("builders.preview.points")} </span>
            {change.points[0] === change.points[1] ? "" : `${plain(change.points[0])} → `}
            <b>{plain(change.points[1])}</b>
          </span>
        </li>
      </ul>
    </>
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
          {index > 0 && "+ "}
          <b class="serif">{dollars(amount)}</b> {t(`builders.price.${part}`)}
        </span>
      ))}
      {parts.length > 1 && (
        <span>
          {"= "}
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
  if (houses > 0) found.push({ key: "house", icon: <Symbol name="material" width={20} />, text: t("builders.preview.house") });
  for (const permit of permits) found.push({ key: `p${permit}`, icon: <Symbol name="permit" width={20} />, text: t("builders.preview.permit", { permit: permitShort(permit) }) });
  for (const goal of goals) found.push({ key: goal, icon: <GoalMark goal={goal} width={20} />, text: goalText(goal, seats) });
  if (rubble > 0) found.push({ key: "rubble", icon: <Symbol name="rubble" width={20} />, text: t("builders.preview.rubble", { count: signed(rubble) }) });
  for (const symbol of cards) found.push({ key: symbol, icon: <Symbol name={symbol} width={20} />, text: t("builders.preview.card", { symbol: symbolText(symbol) }) });
  if (marker) found.push({ key: "marker", icon: <Symbol name="develop" width={20} />, text: t("builders.preview.marker", { from: plain(marker.from), to: plain(marker.to) }) });
  return found;
}

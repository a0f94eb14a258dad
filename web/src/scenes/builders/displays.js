// The displays beside the city: permits, goals and the remaining development cards. Where they have no room, the decision
// bar shows those from which the player chooses.

import { useRef } from "preact/hooks";
import { t } from "../../catalogue/index.js";
import { BEST_BUILDER_POINTS, BLIND, HYDRANT_POINTS, LIGHT_POINTS, SYMBOLS, TRAM } from "./game-data.js";
import { nameOf } from "../../parts/names.js";
import { GoalFace, PermitFace, PointsChange, Symbol } from "./pieces.js";
import { pickable } from "./turn.js";
import { dollars, goalText, permitText, plain, symbolText } from "./labels.js";

/** @typedef {import("./interaction.js").Interaction} Interaction */

/**
 * An item on display, which can be picked or only be looked at.
 * @param {{item: string, can: boolean, isChosen: boolean, label: string, class: string, onPick: () => void, children: any}} props `item`: its kind and id
 */
function Pick({ item, can, isChosen, label, class: name, onPick, children }) {
  const classes = `${name} ${can ? "can" : ""} ${isChosen ? "chosen" : ""}`;
  if (!can) {
    return (
      <span data-item={item} class={classes} role="img" aria-label={label} title={label}>
        {children}
      </span>
    );
  }
  return (
    <button type="button" data-pick="display" data-item={item} class={classes} aria-pressed={isChosen} aria-label={label} title={label} onClick={onPick}>
      {children}
    </button>
  );
}

const SLOTS = 3;

/**
 * Return the items of a display by slot. An item keeps its slot; an empty slot is null until it is refilled.
 * @template Card
 * @param {Card[]} cards
 * @returns {(Card | null)[]}
 */
function useSlots(cards) {
  const slots = useRef(/** @type {(Card | null)[]} */ (Array(SLOTS).fill(null)));
  slots.current = assignSlots(slots.current, cards);
  return slots.current;
}

/** @template Card @param {(Card | null)[]} before @param {Card[]} cards @returns {(Card | null)[]} */
export function assignSlots(before, cards) {
  const fresh = cards.filter((card) => !before.includes(card));
  return before.map((card) => (card !== null && cards.includes(card) ? card : (fresh.shift() ?? null)));
}

/** @param {{view: any, interaction: Interaction}} props */
export function PermitDisplay({ view, interaction }) {
  return (
    <section class="panel-card permit-display" aria-label={t("builders.permits")}>
      <header>
        <b>{t("builders.permits")}</b>
        <span class="muted" title={t("builders.pile", { count: view.play.game.permit_pile })}>
          {t("builders.pile.short", { count: view.play.game.permit_pile })}
        </span>
      </header>
      <PermitRow view={view} interaction={interaction} />
    </section>
  );
}

/** The permits that lie open. @param {{view: any, interaction: Interaction}} props */
export function PermitRow({ view, interaction }) {
  const slots = useSlots(/** @type {number[]} */ (view.play.game.permits));
  const open = pickable(view, interaction.selection, "take_permit", "permit");
  return (
    <div class="permit-row">
      {slots.map((permit, index) =>
        permit === null ? (
          <span key={`gap${index}`} class="permit-slot gap" title={t("builders.permits.gap")} />
        ) : (
          <Pick
            key={permit}
            item={`permit:${permit}`}
            class="permit-slot"
            can={open.includes(permit)}
            isChosen={interaction.chosen?.do === "take_permit" && interaction.chosen.permit === permit}
            label={permitText(permit)}
            onPick={() => interaction.pick({ do: "take_permit", permit })}
          >
            <PermitFace permit={permit} />
          </Pick>
        ),
      )}
    </div>
  );
}

/** The goals of everybody, and those that can be taken. @param {{view: any, game: any, interaction: Interaction}} props */
export function GoalDisplay({ view, game, interaction }) {
  return (
    <section class="panel-card goal-display" aria-label={t("builders.goals")}>
      <div class="goal-column">
        <header>
          <b>{t("builders.goals.common")}</b>
        </header>
        {view.play.game.goals.common.map((/** @type {string} */ goal) => (
          <CommonGoal key={goal} view={view} game={game} goal={goal} />
        ))}
        <BestBuilder view={view} />
      </div>
      <div class="goal-column">
        <header>
          <b>{t("builders.goals.display")}</b>
        </header>
        <GoalRow view={view} interaction={interaction} />
      </div>
    </section>
  );
}

/** The goals that lie open, and their pile. @param {{view: any, interaction: Interaction}} props */
export function GoalRow({ view, interaction }) {
  const { display, pile } = view.play.game.goals;
  const slots = useSlots(/** @type {string[]} */ (display));
  const open = pickable(view, interaction.selection, "take_goal", "goal");
  const seats = view.play.game.seats.length;
  const pick = (/** @type {string} */ goal) => ({ can: open.includes(goal), isChosen: interaction.chosen?.goal === goal, onPick: () => interaction.pick({ do: "take_goal", goal }) });
  return (
    <div class="goal-row">
      {slots.map((goal, index) =>
        goal === null ? (
          <span key={`gap${index}`} class="goal gap" />
        ) : (
          <Pick key={goal} item={`goal:${goal}`} class="goal" label={goalText(goal, seats)} {...pick(goal)}>
            <GoalFace goal={goal} seats={seats} />
          </Pick>
        ),
      )}
      <Pick item={`goal:${BLIND}`} class="goal goal-pile" label={t("builders.goals.pile", { count: pile })} {...pick(BLIND)}>
        <span class="goal-face" aria-hidden="true">
          <Symbol name="blind" width={20} />
          <span class="goal-of">{t("builders.pile", { count: pile })}</span>
        </span>
      </Pick>
    </div>
  );
}

/** A common goal, and what it is worth to the viewer now. @param {{view: any, game: any, goal: string}} props */
function CommonGoal({ view, game, goal }) {
  const seats = game.seats.length;
  const now = view.mine === null ? null : view.play.game.seats[view.mine].goal_points[goal];
  const label = [goalText(goal, seats), ...(now === null ? [] : [t("builders.goals.worth", { points: plain(now) })])].join(". ");
  return (
    <span class="goal common" role="img" aria-label={label} title={label}>
      <GoalFace goal={goal} seats={seats} />
      {now !== null && (
        <span class="goal-now" aria-hidden="true">
          <PointsChange now={now} later={game.seats[view.mine].goal_points[goal]} />
        </span>
      )}
    </span>
  );
}

/** @param {{view: any}} props */
function BestBuilder({ view }) {
  const owner = view.play.game.best_builder;
  const label = [t("builders.best.more", { points: BEST_BUILDER_POINTS }), ...(owner === null ? [] : [nameOf(view, owner)])].join(". ");
  return (
    <span class="goal common" role="img" aria-label={label} title={label}>
      <span class="goal-face" aria-hidden="true">
        <Symbol name="best" width={20} />
        <b>{BEST_BUILDER_POINTS}</b>
        <span class="goal-of">{owner === null ? t("builders.best") : nameOf(view, owner)}</span>
      </span>
    </span>
  );
}

/** Return how a kind of development card scores at the end. @param {string} symbol @param {number[]} parks */
function worthText(symbol, parks) {
  if (symbol === "light") return LIGHT_POINTS.slice(1).join("·");
  if (symbol === "tram") return t("builders.stock.tram", { points: TRAM.points, amount: dollars(TRAM.price) });
  if (symbol === "hydrant") return t("builders.stock.each", { points: HYDRANT_POINTS });
  return parks.length ? t("builders.stock.park", { points: parks[0] }) : "–";
}

/** @param {{view: any, game: any, interaction: Interaction}} props */
export function Stock(props) {
  return (
    <section class="panel-card stock" aria-label={t("builders.stock")}>
      <header>
        <b>{t("builders.stock")}</b>
      </header>
      <StockRow {...props} symbols={SYMBOLS} />
    </section>
  );
}

/** The remaining development cards of some symbols. @param {{view: any, game: any, interaction: Interaction, symbols: string[]}} props */
export function StockRow({ view, game, interaction, symbols }) {
  const now = view.play.game.development;
  const open = pickable(view, interaction.selection, "take_card", "symbol");
  const left = (/** @type {any} */ development, /** @type {string} */ symbol) => (symbol === "park" ? development.park.length : development[symbol]);
  return (
    <div class="stock-row">
      {symbols.map((symbol) => {
        const count = left(now, symbol);
        const isTaken = left(game.development, symbol) < count;
        const worth = worthText(symbol, now.park);
        return (
          <Pick
            key={symbol}
            item={`card:${symbol}`}
            class={`stack ${isTaken ? "taken" : ""}`}
            can={open.includes(symbol)}
            isChosen={interaction.chosen?.symbol === symbol}
            label={t("builders.stock.label", { symbol: symbolText(symbol), count, worth })}
            onPick={() => interaction.pick({ do: "take_card", symbol })}
          >
            <Symbol name={symbol} width={26} />
            <b class="serif" aria-hidden="true">
              {isTaken ? count - 1 : count}
            </b>
            <span class="stack-worth" aria-hidden="true">
              {worth}
            </span>
          </Pick>
        );
      })}
    </div>
  );
}

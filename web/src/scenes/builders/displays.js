// The displays beside the city: permits, goals and the remaining development cards.

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
 * @param {{can: boolean, isChosen: boolean, isLeaving?: boolean, label: string, class: string, onPick: () => void, children: any}} props
 */
function Pick({ can, isChosen, isLeaving = false, label, class: name, onPick, children }) {
  const classes = `${name} ${can ? "can" : ""} ${isChosen ? "chosen" : ""} ${isLeaving ? "leaving" : ""}`;
  if (!can) {
    return (
      <span class={classes} role="img" aria-label={label} title={label}>
        {children}
      </span>
    );
  }
  return (
    <button type="button" data-pick="display" class={classes} aria-pressed={isChosen} aria-label={label} title={label} onClick={onPick}>
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
  const { permits, permit_pile: pile } = view.play.game;
  const slots = useSlots(/** @type {number[]} */ (permits));
  const open = pickable(view, interaction.selection, "take_permit", "permit");
  return (
    <section class="display permit-display" aria-label={t("builders.permits")}>
      <header>
        <b>{t("builders.permits")}</b>
        <span class="muted">{t("builders.pile", { count: pile })}</span>
      </header>
      <div class="permit-row">
        {slots.map((permit, index) =>
          permit === null ? (
            <span key={`gap${index}`} class="permit-slot gap" title={t("builders.permits.gap")} />
          ) : (
            <Pick
              key={permit}
              class="permit-slot"
              can={open.includes(permit)}
              isChosen={interaction.chosen?.permit === permit}
              label={permitText(permit)}
              onPick={() => interaction.pick({ do: "take_permit", permit })}
            >
              <PermitFace permit={permit} />
            </Pick>
          ),
        )}
      </div>
    </section>
  );
}

/** @param {{view: any, game: any, interaction: Interaction}} props */
export function GoalDisplay({ view, game, interaction }) {
  const { common, display, pile } = view.play.game.goals;
  const slots = useSlots(/** @type {string[]} */ (display));
  const open = pickable(view, interaction.selection, "take_goal", "goal");
  const seats = game.seats.length;
  const pick = (/** @type {string} */ goal) => () => interaction.pick({ do: "take_goal", goal });
  return (
    <section class="display goal-display" aria-label={t("builders.goals")}>
      <header>
        <b>{t("builders.goals.common")}</b>
        <BestBuilder view={view} />
      </header>
      <div class="goal-row">
        {common.map((/** @type {string} */ goal) => (
          <CommonGoal key={goal} view={view} game={game} goal={goal} />
        ))}
      </div>
      <header>
        <b>{t("builders.goals.display")}</b>
        {pile > 0 ? (
          <Pick
            class="goal-pile"
            can={open.includes(BLIND)}
            isChosen={interaction.chosen?.goal === BLIND}
            label={t("builders.goals.pile", { count: pile })}
            onPick={pick(BLIND)}
          >
            <Symbol name="blind" width={16} />
            {t("builders.pile", { count: pile })}
          </Pick>
        ) : (
          <span class="muted">{t("builders.pile", { count: 0 })}</span>
        )}
      </header>
      <div class="goal-row">
        {slots.map((goal, index) =>
          goal === null ? (
            <span key={`gap${index}`} class="goal gap" />
          ) : (
            <Pick key={goal} class="goal" can={open.includes(goal)} isChosen={interaction.chosen?.goal === goal} label={goalText(goal, seats)} onPick={pick(goal)}>
              <GoalFace goal={goal} seats={seats} />
            </Pick>
          ),
        )}
      </div>
    </section>
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
  const label = t("builders.best.more", { points: BEST_BUILDER_POINTS });
  return (
    <span class="best-builder muted" title={label}>
      <Symbol name="best" width={18} label={label} />
      {owner === null ? BEST_BUILDER_POINTS : nameOf(view, owner)}
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

/** The remaining development cards. @param {{view: any, game: any, interaction: Interaction}} props */
export function Stock({ view, game, interaction }) {
  const now = view.play.game.development;
  const open = pickable(view, interaction.selection, "take_card", "symbol");
  const left = (/** @type {any} */ development, /** @type {string} */ symbol) =>
    symbol === "park" ? development.park.length : development[symbol];
  return (
    <section class="display stock" aria-label={t("builders.stock")}>
      <header>
        <b>{t("builders.stock")}</b>
      </header>
      <div class="stock-row">
        {SYMBOLS.map((symbol) => {
          const count = left(now, symbol);
          const isTaken = left(game.development, symbol) < count;
          const label = t("builders.stock.label", { symbol: symbolText(symbol), count, worth: worthText(symbol, now.park) });
          return (
            <Pick
              key={symbol}
              class={`stack ${isTaken ? "taken" : ""}`}
              can={open.includes(symbol)}
              isChosen={interaction.chosen?.symbol === symbol}
              label={label}
              onPick={() => interaction.pick({ do: "take_card", symbol })}
            >
              <Symbol name={symbol} width={26} />
              <b>{isTaken ? count - 1 : count}</b>
              <span class="stack-worth">{worthText(symbol, now.park)}</span>
            </Pick>
          );
        })}
      </div>
    </section>
  );
}

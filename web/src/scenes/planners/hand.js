// The cards in the hand of the seat whose turn it is: the viewer's own can be picked, another's are only shown.

import { t } from "../../catalogue/index.js";
import { layout } from "../../parts/layout.js";
import { isBusy } from "../../parts/selection.js";
import { moveFocus } from "./arrow-keys.js";
import { selectOrConfirm } from "./board.js";
import { CardFace } from "./card-face.js";
import { rowsFor } from "./interaction.js";
import { cardName } from "./labels.js";

/** The most cards of a hand that stand in one row, and the most that are drawn in full, by layout. @type {Record<string, {row: number, full: number}>} */
const LIMITS = { wide: { row: 12, full: 5 }, short: { row: 12, full: 5 }, middle: { row: 12, full: 4 }, side: { row: 5, full: 3 }, phone: { row: 6, full: 3 } };

/** Return how a hand is laid out: the cards of a row, and whether they are drawn small. @param {number} count @param {string} name of the layout */
export function handLayout(count, name) {
  const { row, full } = LIMITS[name];
  const rows = Math.ceil(count / row);
  return { perRow: Math.ceil(count / Math.max(1, rows)), isSmall: count > full };
}

/** The hand of another seat, which is public. @param {{view: any}} props */
export function OthersHand({ view }) {
  const { stage } = view.play.game;
  const cards = stage.name === "laying" ? [stage.card] : (stage.cards ?? []);
  const { perRow, isSmall } = handLayout(cards.length, layout.value);
  return (
    <ul class={`pl-hand ${isSmall ? "small-cards" : ""}`} style={{ "--per-row": perRow }} aria-label={t("planners.hand.theirs")}>
      {cards.map((/** @type {number} */ id) => (
        <li key={id} class="pl-hand-card" role="img" aria-label={cardName(id)} title={cardName(id)}>
          <CardFace id={id} isSmall={isSmall} />
        </li>
      ))}
    </ul>
  );
}

/** The cards that the viewer took. @param {{model: import("../../store.js").TableModel, interaction: import("./interaction.js").Interaction}} props */
export function Hand({ model, interaction }) {
  const view = model.view.value;
  const { cards } = view.play.game.stage;
  const { perRow, isSmall } = handLayout(cards.length, layout.value);
  return (
    <ul class={`pl-hand ${isSmall ? "small-cards" : ""}`} style={{ "--per-row": perRow }} aria-label={t("planners.hand")} onKeyDown={moveFocus}>
      {cards.map((/** @type {number} */ id) => {
        const isChosen = interaction.card === id;
        return (
          <li key={id}>
            <button
              type="button"
              class={`pl-hand-card can ${isChosen ? "chosen" : ""} ${rowsFor(view, id).length ? "" : "nowhere"}`}
              data-pick="card"
              aria-pressed={isChosen}
              title={cardName(id)}
              disabled={isBusy(model)}
              onClick={() => selectOrConfirm(model, interaction, { card: id }, isChosen)}
            >
              <span class="hidden-visually">{cardName(id)}</span>
              <CardFace id={id} isSmall={isSmall} />
            </button>
          </li>
        );
      })}
    </ul>
  );
}

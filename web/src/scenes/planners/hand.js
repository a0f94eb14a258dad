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
const LIMITS = { wide: { row: 12, full: 5 }, short: { row: 12, full: 5 }, middle: { row: 12, full: 4 }, side: { row: 5, full: 3 }, phone: { row: 5, full: 3 } };

/** Return how a hand is laid out: the cards of a row, and its classes. @param {number} count @param {string} name of the layout */
export function handLayout(count, name) {
  const { row, full } = LIMITS[name];
  const rows = Math.max(1, Math.ceil(count / row));
  const isSmall = count > full;
  return { perRow: Math.ceil(count / rows), isSmall, classes: `pl-hand ${isSmall ? "small-cards" : ""} ${rows > 1 ? "pl-two-rows" : ""}` };
}

/** The hand of another seat, which is public. @param {{view: any}} props */
export function OthersHand({ view }) {
  const { stage } = view.play.game;
  const cards = stage.name === "laying" ? [stage.card] : (stage.cards ?? []);
  const { perRow, isSmall, classes } = handLayout(cards.length, layout.value);
  return (
    <ul class={classes} style={{ "--per-row": perRow }} aria-label={t("planners.hand.theirs")}>
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
  const view = model.gameView.value;
  const { cards } = view.play.game.stage;
  const { perRow, isSmall, classes } = handLayout(cards.length, layout.value);
  return (
    <ul class={classes} style={{ "--per-row": perRow }} aria-label={t("planners.hand")} onKeyDown={moveFocus}>
      {cards.map((/** @type {number} */ id) => {
        const isChosen = interaction.card === id;
        return (
          <li key={id}>
            <button
              type="button"
              class={`pl-hand-card can ${isChosen ? "chosen" : ""} ${rowsFor(view, id).length ? "" : "nowhere"}`}
              data-pick="card"
              data-card={id}
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

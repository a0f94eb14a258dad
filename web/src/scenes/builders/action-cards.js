// The six action cards as stops of the path. Only the card on which pawns move now shows its spaces with labels.

import { t } from "../../catalogue/index.js";
import { Chip } from "../../parts/art.js";
import { nameOf } from "../../parts/names.js";
import { AREAS, spacesOf } from "./game-data.js";
import { CardSlots, CardSpaces } from "./spaces.js";

/** @typedef {import("./interaction.js").Interaction} Interaction */

/**
 * Return the state of a card: "now", "past", "emptying" while pawns still stand on a past card, "soon" for the next one, or "later".
 * @param {any} game @param {number} area
 */
export function cardState(game, area) {
  const isOver = game.stage.name === "over";
  if (game.area === area && !isOver) return "now";
  // On the year board, the cards still show the year that ends. The first year has none before it.
  const isPast = game.area === 0 ? game.pawns.some((/** @type {number[] | null} */ pawn) => pawn && pawn[0] === AREAS) || isYearsEnd(game) : area <= game.area;
  if (!isPast) return area === game.area + 1 ? "soon" : "later";
  return game.pawns.some((/** @type {number[] | null} */ pawn) => pawn && pawn[0] === area) && !isOver ? "emptying" : "past";
}

/** Return whether the path still shows the cards of the year before, because the pawns move from the last card to the year board. @param {any} game */
export function isYearsEnd(game) {
  return game.area === 0 && game.year > 1906;
}

/**
 * @param {object} props
 * @param {any} props.view
 * @param {any} props.game the game as shown: current, or after the selected command
 * @param {number} props.area 1 to 6
 * @param {Interaction} props.interaction
 * @param {string | null} [props.did] the action of the viewer on a past card, as text
 * @param {boolean} [props.isHighlighted] whether the log highlights it
 * @param {Record<string, string>} [props.style]
 */
export function ActionCard({ view, game, area, interaction, did = null, isHighlighted = false, style }) {
  const current = view.play.game;
  const state = cardState(current, area);
  const isNow = state === "now";
  const isMine = isNow && current.turn === view.mine;
  const spaces = spacesOf(game, area);
  const stateText = isNow && !isMine && current.turn !== null ? t("builders.card.turn", { name: nameOf(view, current.turn) }) : t(isMine ? "builders.card.mine" : `builders.card.${state}`);
  return (
    <section class={`stop action-card area-${area} ${state} ${isMine ? "mine" : ""} ${isHighlighted ? "highlighted" : ""}`} style={style} aria-label={t("builders.card", { number: area })}>
      <header>
        <b class="area-number serif">{area}</b>
        <span class="card-state">{stateText}</span>
        {isNow && <FirstMark area={area} year={current.year} />}
      </header>
      {isNow ? <CardSpaces view={view} game={game} area={area} spaces={spaces} interaction={interaction} /> : <CardSlots view={view} game={game} area={area} spaces={spaces} />}
      {did && (
        <p class="did small muted">
          <Chip seat={view.mine} size={16} />
          {did}
        </p>
      )}
    </section>
  );
}

/** A mark at the right end of a stop: the pawn furthest to the right moves first on the next one. @param {{area: number, year: number}} props */
export function FirstMark({ area, year }) {
  return (
    <span class="first-mark muted" title={t("builders.first.more")}>
      {area === AREAS ? t("builders.first.year", { year: year + 1 }) : t("builders.first.card", { number: area + 1 })} ▸
    </span>
  );
}

// Above the city: the three columns of projects, the deck, and the foundation stacks, which count down the game.

import { t } from "../../catalogue/index.js";
import { Chip } from "../../parts/art.js";
import { nameOf } from "../../parts/names.js";
import { moveFocus } from "./arrow-keys.js";
import { cardOf, hasFeature } from "./cards.js";
import { CardFace, Symbol } from "./card-face.js";
import { cardName, cardNames, columnLetter } from "./labels.js";

/**
 * @param {object} props
 * @param {any} props.view
 * @param {import("./interaction.js").Interaction} props.interaction
 * @param {number[]} [props.highlighted] columns that the log highlights
 * @param {(column: number) => void} props.onColumn
 * @param {() => void} props.onDeck
 * @param {(reason: string, sentence: string) => void} [props.onWhyNot] called when a column is clicked that cannot be taken
 */
export function Market({ view, interaction, highlighted = [], onColumn, onDeck, onWhyNot }) {
  const game = view.play.game;
  return (
    <section class="pl-market" style={widthsOf(game.columns)} aria-label={t("planners.market")} onKeyDown={moveFocus}>
      {game.columns.map((/** @type {number[]} */ cards, /** @type {number} */ column) => (
        <Column key={column} view={view} interaction={interaction} column={column} cards={cards} isHighlighted={highlighted.includes(column)} onPick={onColumn} onWhyNot={onWhyNot} />
      ))}
      <GameClock view={view} interaction={interaction} onDeck={onDeck} />
    </section>
  );
}

/** The number of cards that fit into a column side by side. */
const FITTING_CARDS = 3;
/** The most cards of a taken column that leave an outline. */
const MAX_OUTLINES = 5;

/** Return the share of the width of each column: long columns get more. @param {number[][]} columns */
export function widthsOf(columns) {
  return Object.fromEntries(columns.map((cards, column) => [`--share-${column}`, `${Math.max(FITTING_CARDS, cards.length)}fr`]));
}

/** @param {{view: any, interaction: import("./interaction.js").Interaction, column: number, cards: number[], isHighlighted: boolean, onPick: (column: number) => void, onWhyNot?: (reason: string, sentence: string) => void}} props */
function Column({ view, interaction, column, cards, isHighlighted, onPick, onWhyNot }) {
  const game = view.play.game;
  const { stage } = game;
  const isOpen = interaction.columns.has(column);
  const isChosen = interaction.column === column;
  const isTaken = stage.column === column && stage.taken?.length > 0;
  // A drawn card is shown in the column where it would be laid.
  const ghost = isChosen && stage.name === "laying" ? stage.card : null;
  const head = isTaken
    ? t(game.turn === view.mine ? "planners.column.taken.you" : "planners.column.taken", { name: nameOf(view, game.turn), count: stage.taken.length })
    : t("planners.column.count", { count: cards.length });
  const why = isOpen ? null : unavailableReason(view, cards);
  const label = [t("planners.column", { letter: columnLetter(column) }), head, cardNames(cards), why].filter(Boolean).join(". ");
  return (
    <div
      class={`pl-column card ${isOpen ? "open" : ""} ${isChosen ? "chosen" : ""} ${isTaken ? "taken" : ""} ${isHighlighted ? "highlighted" : ""}`}
      data-column={column}
      data-pick={isOpen ? "column" : undefined}
      role={isOpen ? "button" : "group"}
      tabIndex={isOpen ? 0 : -1}
      aria-label={isOpen ? undefined : label}
      aria-pressed={isOpen ? isChosen : undefined}
      title={why ?? undefined}
      onClick={() => (isOpen ? onPick(column) : why && onWhyNot?.(reasonOf(view, cards) ?? "", why))}
      onKeyDown={(event) => {
        if (isOpen && (event.key === "Enter" || event.key === " ")) {
          event.preventDefault();
          onPick(column);
        }
      }}
    >
      {isOpen && <span class="hidden-visually">{label}</span>}
      <p class="pl-column-head" aria-hidden="true">
        <b class="serif">{columnLetter(column)}</b>{" "}
        <span class="small muted">
          {isTaken && <Chip seat={game.turn} size={14} />}
          {isTaken ? t("planners.column.taken.short", { count: stage.taken.length }) : head}
        </span>
      </p>
      <ol class="pl-column-cards" aria-hidden="true">
        {isTaken && stage.taken.slice(0, MAX_OUTLINES).map((/** @type {number} */ id) => <TakenCard key={id} id={id} isLeft={stage.cards.includes(id)} />)}
        {cards.map((id) => (
          <li key={id} title={cardName(id)}>
            <CardFace id={id} isSmall token={game.column_tokens.includes(id)} />
          </li>
        ))}
        {ghost !== null && (
          <li class="ghost">
            <CardFace id={ghost} isSmall token={hasFeature(ghost, "foundation")} />
          </li>
        )}
      </ol>
    </div>
  );
}

/** The outline of a card that was taken in this turn. @param {{id: number, isLeft: boolean}} props */
function TakenCard({ id, isLeft }) {
  const { district } = cardOf(id);
  return (
    <li class={`gone tone-${district} ${isLeft ? "" : "dealt"}`}>
      <Symbol name={`emblem-${district}`} width={22} />
    </li>
  );
}

/** Return why a column cannot be taken, for the seat that may take one. @param {any} view @param {number[]} cards */
export function unavailableReason(view, cards) {
  const reason = reasonOf(view, cards);
  return reason && t(reason, { cards: cards.length, count: view.play.game.seats[view.mine].contracts });
}

/** Return the key of the text that says why a column cannot be taken. @param {any} view @param {number[]} cards */
export function reasonOf(view, cards) {
  const { decision, game } = view.play;
  if (decision?.about !== "turn" || game.turn !== view.mine) return null;
  return cards.length ? "planners.column.why.contracts" : "planners.column.why.empty";
}

/** @param {{view: any, interaction: import("./interaction.js").Interaction, onDeck: () => void}} props */
function GameClock({ view, interaction, onDeck }) {
  const { deck, tokens, tokens_at_start: atStart } = view.play.game;
  const cards = t("planners.deck", { count: deck });
  return (
    <div class="pl-clock card">
      {interaction.deck ? (
        <button type="button" class={`pl-deck open ${interaction.isDeckChosen ? "chosen" : ""}`} aria-pressed={interaction.isDeckChosen} data-pick="deck" onClick={onDeck}>
          <DeckDrawing deck={deck} cards={cards} />
          <span class="hidden-visually">{t("planners.deck.draw")}</span>
        </button>
      ) : (
        <div class="pl-deck">
          <DeckDrawing deck={deck} cards={cards} />
        </div>
      )}
      <div class="pl-tokens" title={t("planners.tokens.why")}>
        <span class="pl-stacks" aria-hidden="true">
          {stacksOf(tokens, atStart).map((count, index) => (
            <Stack key={index} count={count} />
          ))}
        </span>
        <span class="pl-token-one" aria-hidden="true">
          <Symbol name="token" width={20} />
        </span>
        <p class="small">
          <b class="serif">{tokens}</b> <span class="muted">{t("planners.tokens", { count: atStart })}</span>
        </p>
      </div>
    </div>
  );
}

/** @param {{deck: number, cards: string}} props */
function DeckDrawing({ deck, cards }) {
  return (
    <>
      <Symbol name="deck" width={44} />
      <span class="pl-deck-text small">
        <b class="serif">{deck}</b> <span class="muted">{cards}</span>
      </span>
    </>
  );
}

const STACK = 2;

/** Return the number of tokens left on each stack; the leftmost are used first. @param {number} tokens @param {number} atStart */
export function stacksOf(tokens, atStart) {
  const stacks = Math.ceil(atStart / STACK);
  return Array.from({ length: stacks }, (_, index) => Math.min(STACK, Math.max(0, tokens - STACK * (stacks - 1 - index))));
}

/** @param {{count: number}} props */
function Stack({ count }) {
  return (
    <span class={`pl-stack ${count ? "" : "used"}`}>
      {Array.from({ length: count }, (_, index) => (
        <Symbol key={index} name="token" width={26} />
      ))}
    </span>
  );
}

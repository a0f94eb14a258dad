// A space for a pawn: labelled on the stop of the path where pawns move now, and a small slot on all others.

import { t } from "../../catalogue/index.js";
import { capitalize, nameInSentence } from "../../parts/names.js";
import { INCOME_SPACES, YEAR_BOARD } from "./game-data.js";
import { Pawn, Symbol } from "./pieces.js";
import { spaceCommand } from "./turn.js";
import { actionText, dollars, incomeOrderText, spaceLabel } from "./labels.js";

/** @typedef {import("./interaction.js").Interaction} Interaction */
/** @typedef {import("./game-data.js").Space} CardSpace */

/** Return the seat whose pawn is on a space, or -1. @param {any} game @param {number} area @param {number} space */
function standingOn(game, area, space) {
  return game.pawns.findIndex((/** @type {number[] | null} */ pawn) => pawn && pawn[0] === area && pawn[1] === space);
}

/**
 * The spaces of an action card, with what each is for.
 * @param {{view: any, game: any, area: number, spaces: CardSpace[], interaction: Interaction}} props
 */
export function CardSpaces({ spaces, ...rest }) {
  return (
    <div class={`spaces of-${spaces.length}`}>
      {spaces.map((space, index) => (
        <Space key={index} {...rest} index={index} purpose={capitalize(actionText(space))} label={spaceLabel(space)} mark={<Symbol name={space.action} width={30} />} />
      ))}
    </div>
  );
}

/** The income spaces, on which each year begins. @param {{view: any, game: any, interaction: Interaction}} props */
export function IncomeSpaces(props) {
  return (
    <div class="spaces of-4">
      {INCOME_SPACES.map((amount, index) => (
        <Space
          key={index}
          {...props}
          area={YEAR_BOARD}
          index={index}
          purpose={t("builders.income.space", { amount: dollars(amount) })}
          label={incomeOrderText(index, props.game.seats.length)}
          mark={<b class="coin serif">{dollars(amount)}</b>}
        />
      ))}
    </div>
  );
}

/**
 * A space that can be picked or only be looked at, with its current or previewed pawn.
 * @param {object} props
 * @param {any} props.view
 * @param {any} props.game the game as shown: current, or after the selected command
 * @param {number} props.area
 * @param {number} props.index
 * @param {string} props.purpose the action of the space, for screen readers
 * @param {string} props.label the same in a word
 * @param {any} props.mark the same as a drawing
 * @param {Interaction} props.interaction
 */
function Space({ view, game, area, index, purpose, label, mark, interaction }) {
  const now = view.play.game;
  const before = standingOn(now, area, index);
  const seat = Math.max(before, standingOn(game, area, index));
  const offer = now.area === area ? spaceCommand(view, index) : null;
  // The accessible name contains the visible label, so that people who speak to their device can use it.
  const isNamed = purpose.toLowerCase().includes(label.toLowerCase());
  const sentences = [isNamed ? purpose : `${label}: ${purpose}`];
  if (before >= 0) sentences.push(t("builders.space.taken", { name: nameInSentence(view, before) }));
  if (offer?.fee) sentences.push(t("builders.space.fee", { amount: dollars(offer.fee) }));
  const description = sentences.join(". ");
  const inner = (
    <>
      <span class="space-marks" aria-hidden="true">
        {mark}
        {seat >= 0 && <Pawn key={seat} seat={seat} width={26} class={`pawn ${before >= 0 ? "" : "coming"}`} />}
      </span>
      {offer && offer.fee > 0 && (
        // The fee is in the name as a sentence. Drawn by the style sheet, it is not part of the visible label.
        <b class="fee" aria-hidden="true" data-amount={dollars(offer.fee)} />
      )}
      <span class="space-label">{label}</span>
    </>
  );
  if (!offer) {
    return (
      <span data-space={index} class={`space ${before >= 0 ? "taken" : ""}`} role="img" aria-label={description} title={description}>
        {inner}
      </span>
    );
  }
  const { chosen } = interaction;
  const isChosen = chosen?.do === offer.command.do && chosen.space === offer.command.space;
  return (
    <button type="button" data-pick="space" data-space={index} class={`space can ${isChosen ? "chosen" : ""}`} aria-pressed={isChosen} aria-label={description} title={description} onClick={() => interaction.pick(offer.command)}>
      {inner}
    </button>
  );
}

/**
 * The spaces of an action card in small, each with its pawn or an empty place.
 * @param {{view: any, game: any, area: number, spaces: CardSpace[]}} props
 */
export function CardSlots({ view, game, area, spaces }) {
  return (
    <div class={`slots of-${spaces.length}`}>
      {spaces.map((space, index) => {
        const seat = standingOn(game, area, index);
        const label = [capitalize(actionText(space)), ...(seat >= 0 ? [t("builders.space.taken", { name: nameInSentence(view, seat) })] : [])].join(". ");
        return (
          <span key={index} class="slot" role="img" aria-label={label} title={label}>
            <Symbol name={space.action} width={20} />
            {seat >= 0 ? <Pawn seat={seat} width={20} class="pawn" /> : <i class="no-pawn" />}
          </span>
        );
      })}
    </div>
  );
}

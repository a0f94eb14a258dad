// A space for a pawn, on an action card or on the year board.

import { t } from "../../catalogue/index.js";
import { nameInSentence } from "../../parts/names.js";
import { Pawn } from "./pieces.js";
import { spaceCommand } from "./turn.js";
import { dollars } from "./labels.js";

/** @typedef {import("./interaction.js").Interaction} Interaction */

/** Return the seat whose pawn is on a space, or -1. @param {any} game @param {number} area @param {number} space */
function standingOn(game, area, space) {
  return game.pawns.findIndex((/** @type {number[] | null} */ pawn) => pawn && pawn[0] === area && pawn[1] === space);
}

/**
 * A space that can be picked or only be looked at, with its current or previewed pawn.
 * @param {object} props
 * @param {any} props.view
 * @param {any} props.game the game as shown: current, or after the selected command
 * @param {number} props.area
 * @param {number} props.index
 * @param {string} props.purpose the action of the space, as text
 * @param {Interaction} props.interaction
 * @param {any} props.children the action of the space, as a symbol
 */
export function Space({ view, game, area, index, purpose, interaction, children }) {
  const now = view.play.game;
  const before = standingOn(now, area, index);
  const after = standingOn(game, area, index);
  const seat = Math.max(before, after);
  const offer = now.area === area ? spaceCommand(view, index) : null;
  const labels = [purpose];
  if (before >= 0) labels.push(t("builders.space.taken", { name: nameInSentence(view, before) }));
  if (offer?.fee) labels.push(t("builders.space.fee", { amount: dollars(offer.fee) }));
  const label = labels.join(". ");
  const inner = (
    <>
      {children}
      {offer && offer.fee > 0 && <b class="fee">{dollars(offer.fee)}</b>}
      {seat >= 0 && <Pawn key={seat} seat={seat} width={26} class={`pawn ${before >= 0 ? "" : "coming"}`} />}
    </>
  );
  if (!offer) {
    return (
      <span class="space" role="img" aria-label={label} title={label}>
        {inner}
      </span>
    );
  }
  const { chosen } = interaction;
  const isChosen = chosen?.do === offer.command.do && chosen.space === offer.command.space;
  return (
    <button type="button" data-pick="space" class={`space can ${isChosen ? "chosen" : ""}`} aria-pressed={isChosen} aria-label={label} title={label} onClick={() => interaction.pick(offer.command)}>
      {inner}
    </button>
  );
}

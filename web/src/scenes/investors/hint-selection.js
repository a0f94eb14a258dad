// What one would have chosen on the page to send a command, so that a hint can be shown on the cards and on the map.

import { choiceOf } from "../../parts/prompt.js";
import { placesOf } from "./decide-cheques.js";

/**
 * @param {any} command @param {any} view
 * @returns {Record<string, any> | null}
 */
export function selectionFor({ do: name, ...fields }, view) {
  switch (name) {
    case "raise_bid":
    case "bid_cheques":
      // Cheques are chosen by their place in the hand: two of the same worth are two.
      return { cheques: placesOf(choiceOf(view, name)?.cheques.some_of ?? [], fields.cheques) };
    case "move_stick":
      return { start: fields.move[0], end: fields.move[1] };
    case "claim_subsidy":
      return fields.sticks ? { sticks: fields.sticks } : null;
    case "pay_offer":
      // Which cheque goes to whom is for the payer to lay out.
      return null;
    default:
      return Object.keys(fields).length ? fields : null;
  }
}

// The selection that corresponds to a command, so that a hint can be shown on the cards and on the map.

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
      // Cheques are selected by index, because two may have the same value.
      return { cheques: placesOf(choiceOf(view, name)?.cheques.some_of ?? [], fields.cheques) };
    case "move_stick":
      return { start: fields.move[0], end: fields.move[1] };
    case "pay_offer":
      // The payer chooses which cheque goes to whom.
      return null;
    default:
      return Object.keys(fields).length ? fields : null;
  }
}

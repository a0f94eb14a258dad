// The sentences of Planners for the log: which text applies to an event, and what fills its placeholders.

import { t } from "../../catalogue/index.js";
import { sentencesFrom } from "../../parts/event-sentences.js";
import { cardName, columnLetter, rowName, spaceName, spaceNames } from "./labels.js";

/** @param {any} event @param {number[]} spaces */
function placeOf({ seat }, spaces) {
  return { spaces: spaces.map((space) => ({ seat, space })) };
}

export const sentence = sentencesFrom({
  prefix: "planners.log.",
  actor: (event) => event.seat ?? event.first_seat,
  variants: {
    project_laid: ({ token }) => (token ? "token" : ""),
    // An event has no `space` field if the bonus is not put on a card.
    bonus_taken: ({ space = null }) => (space === null ? "" : "at"),
    game_ended: ({ reason }) => reason,
  },
  values: {
    card: ({ card }) => cardName(card),
    column: ({ column }) => columnLetter(column),
    row: ({ row }) => rowName(row),
    bonus: ({ bonus }) => t(`planners.bonus.${bonus}`),
    space: ({ space }) => spaceName(space),
    spaces: ({ spaces }) => spaceNames(spaces),
  },
  counts: {
    game_begun: ({ tokens }) => tokens,
    column_taken: ({ cards }) => cards.length,
    network_grown: ({ spaces }) => spaces.length,
  },
  places: {
    column: ({ column }) => ({ columns: [column] }),
    space: (event) => placeOf(event, [event.space]),
    spaces: (event) => placeOf(event, event.spaces),
  },
});

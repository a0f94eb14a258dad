// What the prompt offers: which columns, cards and spaces can be picked, how a pick changes the selection, and the
// command. All choices come from the server's prompt.

import { choiceOf, choicesOf } from "../../parts/prompt.js";
import { nextSpace } from "./cards.js";

/** @typedef {Record<string, any>} Selection */
/**
 * @typedef {object} Interaction
 * @property {Set<number>} columns columns of the project board that can be picked
 * @property {number | null} column the selected column
 * @property {boolean} deck whether a card can be drawn
 * @property {boolean} isDeckChosen
 * @property {number | null} card the selected card of the hand
 * @property {Map<number, Selection>} spaces spaces of the city that can be picked, with the selection of each
 * @property {number | null} space the selected space
 * @property {number | null} laid the card that would be placed there
 * @property {string | null} bonus the selected bonus
 * @property {{do: string, [field: string]: any} | null} command the command once it is complete
 * @property {{do: string, [field: string]: any} | null} previewable the same if the server can preview it
 */

/** @type {Interaction} */
const NONE = {
  columns: new Set(),
  column: null,
  deck: false,
  isDeckChosen: false,
  card: null,
  spaces: new Map(),
  space: null,
  laid: null,
  bonus: null,
  command: null,
  previewable: null,
};

/** The name of the bonus that each command takes. */
export const BONUSES = {
  take_value: "value",
  take_universal: "universal",
  take_depot: "depot",
  take_points: "points",
  take_release: "release",
  take_tracks: "tracks",
};

/** Return the selection that a player would have made to send this command. @param {any} command @returns {Selection | null} */
export function selectionFor(command) {
  if (command.do === "draw") return { deck: true };
  if (command.do === "finalize" || command.do === "lay") return { column: command.column };
  if (command.do === "place") return { card: command.placement[0], row: command.placement[1] };
  if (command.do === "discard") return { card: command.card };
  const bonus = BONUSES[/** @type {keyof typeof BONUSES} */ (command.do)];
  if (!bonus) return null;
  const { row, space } = command;
  return { bonus, ...(row === undefined ? {} : { row }), ...(space === undefined ? {} : { space }) };
}

/** @param {any} view @param {Selection} selection @returns {Interaction} */
export function interactionOf(view, selection) {
  if (choiceOf(view, "place") || choiceOf(view, "discard")) return placing(view, selection);
  if (choiceOf(view, "lay")) return laying(view, selection);
  if (choicesOf(view).some((choice) => choice.do in BONUSES)) return choosing(view, selection);
  if (choiceOf(view, "confirm")) return { ...NONE, command: { do: "confirm" } };
  if (choiceOf(view, "pass")) return { ...NONE, command: { do: "pass" } };
  return turning(view, selection);
}

/** @param {any} view @param {Selection} selection @returns {Interaction} */
function turning(view, selection) {
  const take = choiceOf(view, "finalize");
  const column = selection.column ?? null;
  const deck = Boolean(choiceOf(view, "draw"));
  // If drawing is the only choice, it is selected.
  const isDeckChosen = deck && (Boolean(selection.deck) || !take);
  const command = column !== null ? { do: "finalize", column } : isDeckChosen ? { do: "draw" } : null;
  return {
    ...NONE,
    columns: new Set(take?.column.one_of ?? []),
    column,
    deck,
    isDeckChosen,
    command,
    previewable: column !== null ? command : null,
  };
}

/** @param {any} view @param {Selection} selection @returns {Interaction} */
function laying(view, selection) {
  const column = selection.column ?? null;
  return {
    ...NONE,
    columns: new Set(choiceOf(view, "lay")?.column.one_of ?? []),
    column,
    card: view.play.game.stage.card,
    command: column !== null ? { do: "lay", column } : null,
  };
}

/** @param {any} view @param {Selection} selection @returns {Interaction} */
function placing(view, selection) {
  const hand = view.play.game.stage.cards;
  const { cards } = view.play.game.seats[view.mine];
  // A single card is selected, and so is the row of a card that fits only one.
  const card = selection.card ?? (hand.length === 1 ? hand[0] : null);
  const rows = rowsFor(view, card);
  const row = selection.row ?? (rows.length === 1 ? rows[0] : null);
  const command =
    row !== null ? { do: "place", placement: [card, row] } : card !== null && !rows.length ? { do: "discard", card } : null;
  return {
    ...NONE,
    card,
    spaces: new Map(rows.map((each) => [nextSpace(cards, each) ?? -1, { card, row: each }])),
    space: row !== null ? nextSpace(cards, row) : null,
    laid: row !== null ? card : null,
    command,
    previewable: command,
  };
}

/** Return the rows in which a card of the hand can be placed. @param {any} view @param {number | null} card @returns {number[]} */
export function rowsFor(view, card) {
  const pairs = choiceOf(view, "place")?.placement.pairs ?? [];
  return pairs.find((/** @type {any} */ [key]) => key === card)?.[1] ?? [];
}

/** @param {any} view @param {Selection} selection @returns {Interaction} */
function choosing(view, selection) {
  const { cards } = view.play.game.seats[view.mine];
  const offers = choicesOf(view).filter((choice) => choice.do in BONUSES);
  const bonus = selection.bonus ?? (offers.length === 1 && !choiceOf(view, "decline") ? BONUSES[/** @type {keyof typeof BONUSES} */ (offers[0].do)] : null);
  const offer = offers.find((choice) => BONUSES[/** @type {keyof typeof BONUSES} */ (choice.do)] === bonus);
  if (!offer) return NONE;
  if (offer.row) {
    const row = selection.row ?? null;
    const command = row !== null ? { do: offer.do, row } : null;
    return {
      ...NONE,
      bonus,
      spaces: new Map(offer.row.one_of.map((/** @type {number} */ each) => [nextSpace(cards, each) ?? -1, { bonus, row: each }])),
      space: row !== null ? nextSpace(cards, row) : null,
      command,
      previewable: command,
    };
  }
  if (offer.space) {
    const space = selection.space ?? null;
    const command = space !== null ? { do: offer.do, space } : null;
    return {
      ...NONE,
      bonus,
      spaces: new Map(offer.space.one_of.map((/** @type {number} */ each) => [each, { bonus, space: each }])),
      space,
      command,
      previewable: command,
    };
  }
  return { ...NONE, bonus, command: { do: offer.do }, previewable: { do: offer.do } };
}

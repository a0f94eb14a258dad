// What the prompt offers on the map: which streets can be picked, and how a pick changes the selection. All choices
// come from the server's prompt.

import { choicesOf, fitsSome } from "../../parts/prompt.js";
import { FREE } from "./city.js";

/** @typedef {import("../../parts/prompt.js").Choice} Choice */
/**
 * The current interaction with the map.
 * @typedef {object} MapInteraction
 * @property {Map<number, "street" | "stick" | "lift">} open streets that can be picked, with the role of the pick
 * @property {Set<number>} chosen streets that are selected
 * @property {(street: number) => Record<string, any>} pick returns the selection after a pick
 * @property {number | null} last the street whose second pick confirms
 * @property {{do: string, [field: string]: any} | null} command the command once it is complete
 * @property {[number, number][]} changes the sticks that would change: street and new owner
 */

/**
 * @param {any} view @param {Record<string, any>} selection
 * @returns {MapInteraction | null}
 */
export function mapInteraction(view, selection) {
  const mine = view.mine;
  const sticks = view.play?.game.sticks ?? [];
  const choices = choicesOf(view);
  const place = choices.find((choice) => choice.do === "place_stick" || choice.do === "replace_stick");
  if (place) return placing(place, selection, mine);
  const move = choices.find((choice) => choice.do === "move_stick");
  if (move) return moving(move, selection, sticks);
  const swap = choices.find((choice) => choice.do === "swap_sticks");
  if (swap) return swapping(swap, selection, sticks);
  const claim = choices.find((choice) => choice.do === "claim_subsidy" && choice.sticks);
  if (claim) return toggling(claim.sticks, selection, "sticks", "stick", (street) => [street, FREE]);
  const offer = choices.find((choice) => choice.do === "make_offer" && choice.investor.one_of[0] === selection.investor);
  if (offer) return toggling(offer.avoid, selection, "avoid", "street", () => null);
  return null;
}

/** @param {Choice} choice @param {Record<string, any>} selection @param {number} mine @returns {MapInteraction} */
function placing(choice, selection, mine) {
  const isReplacing = choice.do === "replace_stick";
  const open = new Map(choice.street.one_of.map((/** @type {number} */ street) => [street, isReplacing ? "stick" : "street"]));
  const lifts = new Set(choice.lift?.one_of ?? []);
  for (const street of lifts) open.set(street, "lift");
  const { street = null, lift = null } = selection;
  const isComplete = street !== null && (!choice.lift || lift !== null);
  /** @type {[number, number][]} */
  const changes = [];
  if (lift !== null) changes.push([lift, FREE]);
  if (street !== null) changes.push([street, mine]);
  return {
    open,
    chosen: new Set([street, lift].filter((each) => each !== null)),
    pick: (picked) => (lifts.has(picked) ? { ...selection, lift: picked } : { ...selection, street: picked }),
    last: isComplete ? street : null,
    command: isComplete ? { do: choice.do, street, ...(choice.lift ? { lift } : {}) } : null,
    changes,
  };
}

/** @param {Choice} choice @param {Record<string, any>} selection @param {number[]} sticks @returns {MapInteraction} */
function moving(choice, selection, sticks) {
  const { start = null, end = null } = selection;
  const ends = choice.move.pairs.find((/** @type {any} */ [key]) => key === start)?.[1] ?? [];
  const open = new Map(choice.move.pairs.map((/** @type {any} */ [key]) => [key, "stick"]));
  for (const street of ends) open.set(street, "street");
  return {
    open,
    chosen: new Set([start, end].filter((each) => each !== null)),
    pick: (picked) => (ends.includes(picked) ? { ...selection, end: picked } : { ...selection, start: picked, end: null }),
    last: end,
    command: start !== null && end !== null ? { do: choice.do, move: [start, end] } : null,
    changes:
      start !== null && end !== null
        ? [
            [start, FREE],
            [end, sticks[start]],
          ]
        : [],
  };
}

/** @param {Choice} choice @param {Record<string, any>} selection @param {number[]} sticks @returns {MapInteraction} */
function swapping(choice, selection, sticks) {
  /** @type {number[]} */
  const chosen = selection.sticks ?? [];
  const [first, second] = chosen;
  const isComplete = fitsSome(choice.sticks, chosen);
  return {
    open: new Map(choice.sticks.some_of.map((/** @type {number} */ street) => [street, "stick"])),
    chosen: new Set(chosen),
    pick: (picked) => {
      if (chosen.includes(picked)) return { ...selection, sticks: chosen.filter((street) => street !== picked) };
      return { ...selection, sticks: [...chosen.slice(0, choice.sticks.most - 1), picked] };
    },
    last: isComplete ? second : null,
    command: isComplete ? { do: choice.do, sticks: chosen } : null,
    changes: isComplete
      ? [
          [first, sticks[second]],
          [second, sticks[first]],
        ]
      : [],
  };
}

/**
 * Any number of streets from a list; a pick adds a street or removes it.
 * @param {any} space @param {Record<string, any>} selection @param {string} field @param {"street" | "stick"} role
 * @param {(street: number) => [number, number] | null} change
 * @returns {MapInteraction}
 */
function toggling(space, selection, field, role, change) {
  /** @type {number[]} */
  const chosen = selection[field] ?? [];
  return {
    open: new Map(space.some_of.map((/** @type {number} */ street) => [street, role])),
    chosen: new Set(chosen),
    pick: (picked) => {
      if (chosen.includes(picked)) return { ...selection, [field]: chosen.filter((street) => street !== picked) };
      return chosen.length < space.most ? { ...selection, [field]: [...chosen, picked] } : selection;
    },
    last: null,
    command: null,
    changes: /** @type {[number, number][]} */ (chosen.map(change).filter((each) => each !== null)),
  };
}

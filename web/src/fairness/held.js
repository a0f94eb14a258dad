// The own sealed answer in a view where the server has its commitment alone.

import { keptOpenings } from "./kept.js";

/** Return the commitment to the own answer that a device holds; null if there is none. @param {any} decision of a view */
export function heldCommitment(decision) {
  return decision?.kept ?? null;
}

/**
 * Return the view with the own sealed answer, as at other tables, if this device holds it; otherwise the view itself.
 * @param {any} view @param {string} table
 */
export function withHeldAnswer(view, table) {
  const decision = view?.play?.decision;
  const kept = heldCommitment(decision);
  const held = kept === null ? undefined : keptOpenings(table).find(({ commitment }) => commitment === kept);
  if (!held) return view;
  return { ...view, play: { ...view.play, decision: { ...decision, answer: JSON.parse(held.answer) } } };
}

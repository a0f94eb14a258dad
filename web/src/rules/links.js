// Which rule explains what the table says: the open decision, a refusal of the server, a sentence that says why something
// cannot be done. The numbers are data (links.json).

import links from "./links.json";

/** @typedef {{decisions: Record<string, string>, refusals: Record<string, string>, reasons: Record<string, string>}} Links */

/** @type {Record<string, Links>} */
export const LINKS = links;

/** Return what tells decisions of one kind apart: an action card, the year board, the command that is offered. @param {any} play */
function variantsOf({ game, decision }) {
  return [game.action?.split("/")[0], game.area === 0 ? "year" : undefined, decision.prompt?.choices[0]?.do];
}

/** Return the number of the rule about the open decision; null if none is open. @param {any} view @returns {string | null} */
export function ruleOfDecision(view) {
  const decision = view.play?.decision;
  const numbers = LINKS[view.table.game]?.decisions;
  if (!decision || !numbers) return null;
  const keys = variantsOf(view.play).map((variant) => `${decision.about}/${variant}`);
  return numbers[[...keys, decision.about].find((key) => key in numbers) ?? ""] ?? null;
}

/** Return the rule about a refusal; most say that an answer does not fit the open decision. @param {any} view @param {string} code */
export function ruleOfRefusal(view, code) {
  return LINKS[view.table.game]?.refusals[code] ?? (OF_DECISIONS.includes(code) ? ruleOfDecision(view) : null);
}

/** The refusals that are explained by the rule of the open decision. */
export const OF_DECISIONS = ["malformed_command", "illegal_choice", "not_offered", "stale_decision", "not_awaited"];

/** Return the rule behind a sentence that says why something cannot be done; without one of its own, that of the open decision. @param {any} view @param {string} reason the key of its text */
export function ruleOfReason(view, reason) {
  return LINKS[view.table.game]?.reasons[reason] ?? ruleOfDecision(view);
}

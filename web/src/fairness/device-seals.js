// The check of sealed answers that stayed on devices: all were fixed before any was opened, and none was dropped.

import { Wrong } from "./findings.js";
import { items, number, object, text } from "./form.js";

/** @typedef {import("./form.js").Json} Json */
/** @typedef {import("./form.js").Line} Line */
/** @typedef {import("./form.js").Opening} Opening */
/** @typedef {Map<string, Opening[]>} Answers by decision and seat: all answers, in the order in which they were given */

const KINDS = ["answer_sealed", "openings_asked", "seals_not_opened", "answers_opened"];

/**
 * Return the key of the answers of a seat to a decision.
 *
 * @param {number} decision
 * @param {number} seat
 */
export const placeOf = (decision, seat) => `${decision}/${seat}`;

/**
 * Return the decisions of which devices were asked to open their answers; throw `Wrong`.
 *
 * @param {Answers} answers
 * @param {Line[]} lines
 * @param {boolean} isAllowed
 */
export function checkDeviceSeals(answers, lines, isAllowed) {
  /** @type {Map<number, Json[]>} */
  const asked = new Map();
  /** @type {Map<number, { line: number, seats: number[] }>} */
  const late = new Map();
  /** @type {Map<number, number>} */
  const closed = new Map();
  for (const { number: line, events } of lines) {
    for (const event of events.filter((each) => KINDS.includes(each.event))) {
      const decision = number(event, "decision");
      const isOpen = asked.has(decision) && !closed.has(decision);
      if (event.event === "answers_opened") {
        if (!closed.has(decision)) closed.set(decision, line);
      } else if (event.event === "answer_sealed") {
        if (isOpen) throw new Wrong("seal_changed", { line, decision, seat: number(event, "seat") });
      } else if (event.event === "openings_asked") {
        if (!isAllowed || asked.has(decision) || closed.has(decision)) throw new Wrong("seal_order", { line, decision });
        asked.set(decision, items(event, "seals"));
      } else if (!isOpen || late.has(decision)) {
        throw new Wrong("seal_order", { line, decision });
      } else {
        const seats = items(event, "seats").map((seat) => number({ seats: seat }, "seats"));
        late.set(decision, { line, seats });
      }
    }
  }
  for (const [decision, { line, seats }] of late) {
    // The fallbacks close the decision at once.
    if (closed.get(decision) !== line) throw new Wrong("seal_order", { line, decision });
    checkLate(answers, decision, seats);
  }
  for (const [decision, seals] of asked) checkAsked(answers, decision, seals, late.get(decision)?.seats ?? []);
  for (const given of answers.values()) {
    const [{ decision, seat }] = given;
    // A game that is abandoned leaves its last decision open.
    const isDropped = given[given.length - 1].answer === null && closed.has(decision);
    if (isDropped || (!isAllowed && given.some(({ answer }) => answer === null))) {
      throw new Wrong("seal_not_opened", { decision, seat });
    }
  }
  return asked;
}

/**
 * Check that the last answers of these seats stayed closed, and that the server answered for them.
 *
 * @param {Answers} answers
 * @param {number} decision
 * @param {number[]} seats
 */
function checkLate(answers, decision, seats) {
  for (const seat of seats) {
    const given = answers.get(placeOf(decision, seat)) ?? [];
    const [before, last] = given.slice(-2);
    if (given.length < 2 || before.answer !== null || !last.by_server) throw new Wrong("seal_late", { decision, seat });
  }
}

/**
 * Check that these are the last commitments of all seats, before the server answered for those that were late.
 *
 * @param {Answers} answers
 * @param {number} decision
 * @param {Json[]} seals
 * @param {number[]} late
 */
function checkAsked(answers, decision, seals, late) {
  const seats = [...answers.values()].filter(([each]) => each.decision === decision).map(([each]) => each.seat);
  const missing = new Set(seats);
  for (const each of seals) {
    const seat = number(object(each, "seals"), "seat");
    const given = answers.get(placeOf(decision, seat)) ?? [];
    const last = given.length - 1 - (late.includes(seat) ? 1 : 0);
    const isLast = number(each, "attempt") === last && text(each, "commitment") === given[last].commitment;
    if (!missing.has(seat) || !isLast) throw new Wrong("seal_commitment", { decision, seat });
    missing.delete(seat);
  }
  if (missing.size) throw new Wrong("seal_commitment", { decision, seat: Math.min(...missing) });
}

// The check of sealed answers: each is the one that was committed to, and each was published as it must be.

import { answerCommitment, hex, serverSalt } from "./commitments.js";
import { checkDeviceSeals, placeOf } from "./device-seals.js";
import { Wrong, note, right } from "./findings.js";
import { isObject, isSame, isSameBytes, items, number, object, text } from "./form.js";

/** @typedef {import("./form.js").Json} Json */
/** @typedef {import("./form.js").Line} Line */
/** @typedef {import("./form.js").Move} Move */
/** @typedef {import("./form.js").Opening} Opening */
/** @typedef {import("./form.js").Transcript} Transcript */
/** @typedef {import("./findings.js").Finding} Finding */
/** @typedef {import("./device-seals.js").Answers} Answers */

const SALT_BYTES = 16;

/**
 * Return the findings about sealed answers: each is the one that was committed to, and was published as it must be.
 *
 * @param {Transcript} transcript
 * @param {Line[]} lines
 */
export async function checkAnswers(transcript, lines) {
  const { openings } = transcript;
  const answers = bySeat(openings);
  for (const opening of openings) await checkOpening(transcript, opening);
  const setup = lines.find((line) => isObject(line.setup))?.setup ?? {};
  const bots = Array.isArray(setup.bots) ? setup.bots : [];
  for (const { decision, seat, by_server } of openings) {
    if ((bots[seat] ?? null) !== null && !by_server) throw new Wrong("answer_of_bot", { decision, seat });
  }
  const asked = checkDeviceSeals(answers, lines, setup.sealed_on_devices === true);
  checkPublished(answers, lines, setup.show_decided === true, transcript.outcome !== null);
  checkMoves(transcript, answers, asked);
  if (!openings.length) return [right("answers", "answers_none")];
  const closed = openings.filter(({ answer }) => answer === null).length;
  const findings = [right("answers", "answers_ok", { answers: openings.length - closed })];
  if (closed) findings.push(note("answers", "answers_closed_note", { answers: closed }));
  return findings;
}

/**
 * @param {Opening[]} openings
 * @returns {Answers}
 */
function bySeat(openings) {
  /** @type {Answers} */
  const answers = new Map();
  for (const opening of openings) {
    const { decision, seat, attempt } = opening;
    const given = answers.get(placeOf(decision, seat)) ?? [];
    if (attempt !== given.length) throw new Wrong("answer_attempts", { decision, seat });
    answers.set(placeOf(decision, seat), [...given, opening]);
  }
  return answers;
}

/**
 * @param {Transcript} transcript
 * @param {Opening} opening
 */
async function checkOpening(transcript, { decision, seat, attempt, commitment, salt, answer, by_server }) {
  if (salt === null || answer === null) return;
  if (by_server && !isSameBytes(salt, await serverSalt(transcript.gameSeed, decision, seat, attempt))) {
    throw new Wrong("answer_salt", { decision, seat });
  }
  const made = await answerCommitment(transcript.table, transcript.game, decision, seat, attempt, answer, salt);
  if (commitment !== made || salt.length !== SALT_BYTES) throw new Wrong("answer_commitment", { decision, seat });
}

/**
 * Check that every commitment of the transcript was published in time, and nothing else was.
 *
 * @param {Answers} answers
 * @param {Line[]} lines
 * @param {boolean} showsSealed
 * @param {boolean} isOver
 */
function checkPublished(answers, lines, showsSealed, isOver) {
  const published = new Set();
  const opened = new Set();
  let closed = 0;
  for (const { number: line, events } of lines) {
    for (const event of events) {
      if (event.event === "answer_sealed") {
        const [decision, seat] = [number(event, "decision"), number(event, "seat")];
        if (decision <= closed) throw new Wrong("answer_late", { line, decision });
        const place = placeOf(decision, seat);
        // Only the first answer of a seat is shown before the decision is over.
        if (published.has(place) || answers.get(place)?.[0].commitment !== text(event, "commitment")) {
          throw new Wrong("answer_unknown", { line, decision, seat });
        }
        published.add(place);
      } else if (event.event === "answers_opened") {
        const decision = number(event, "decision");
        if (decision <= closed) throw new Wrong("answer_reopened", { line, decision });
        closed = decision;
        opened.add(decision);
        checkOpened(answers, decision, items(event, "openings"), line);
      }
    }
  }
  const last = Math.max(0, ...[...answers.values()].map((given) => given[0].decision));
  for (const [place, [{ decision, seat }]] of answers) {
    if (showsSealed && !published.has(place)) throw new Wrong("answer_unpublished", { decision, seat });
    // A game that is abandoned leaves its last decision open.
    if (!opened.has(decision) && (isOver || decision !== last)) throw new Wrong("answer_not_opened", { decision });
  }
}

/**
 * Check that the openings in a line are the last answers of all seats to a decision.
 *
 * @param {Answers} answers
 * @param {number} decision
 * @param {Json[]} shown
 * @param {number} line
 */
function checkOpened(answers, decision, shown, line) {
  const last = [...answers.values()].map((given) => given[given.length - 1]);
  const expected = new Map(last.filter((each) => each.decision === decision).map((each) => [each.seat, each]));
  const seats = shown.map((each) => {
    const seat = number(object(each, "openings"), "seat");
    const opening = expected.get(seat);
    const isRight = opening !== undefined && isSameOpening(opening, each);
    if (!isRight) throw new Wrong("answer_opening", { line, decision, seat });
    return seat;
  });
  const missing = [...expected.keys()].filter((seat) => !seats.includes(seat)).sort((one, other) => one - other);
  if (missing.length || new Set(seats).size !== seats.length) {
    throw new Wrong("answer_opening", { line, decision, seat: missing[0] ?? seats[seats.length - 1] });
  }
}

/**
 * @param {Opening} opening
 * @param {Record<string, Json>} shown
 */
function isSameOpening(opening, shown) {
  if (shown.attempt !== opening.attempt || shown.commitment !== opening.commitment) return false;
  if (!["salt", "answer", "by_server"].some((name) => Object.hasOwn(shown, name))) return true;
  const { salt, answer, by_server } = shown;
  return opening.salt !== null && salt === hex(opening.salt) && answer === opening.answer && by_server === opening.by_server;
}

/**
 * Check that the sealed answers are the moves. A seat that had no choice has an answer more than moves. An answer that a
 * device kept is a move without a command, and another one when it is opened.
 *
 * @param {Transcript} transcript
 * @param {Answers} answers
 * @param {Map<number, any>} asked
 */
function checkMoves({ moves, openings }, answers, asked) {
  const sealed = new Set(openings.map(({ decision }) => decision));
  /** @type {Map<string, { decision: number, seat: number, moves: Move[] }>} */
  const played = new Map();
  for (const { decision, seat } of openings) played.set(placeOf(decision, seat), { decision, seat, moves: [] });
  for (const move of moves.filter(({ decision }) => sealed.has(decision))) {
    const place = placeOf(move.decision, move.seat);
    if (!played.has(place)) played.set(place, { decision: move.decision, seat: move.seat, moves: [] });
    played.get(place)?.moves.push(move);
  }
  const places = [...played].sort(([, one], [, other]) => one.decision - other.decision || one.seat - other.seat);
  for (const [place, { decision, seat, moves: own }] of places) {
    const all = answers.get(place) ?? [];
    const given = all.filter(({ answer }) => answer !== null).map(({ answer }) => answer);
    const commands = own.filter(({ isSealed }) => !isSealed).map(({ command }) => command);
    const forced = given.length - commands.length;
    const isForced = forced === 1 && all[0].by_server;
    const opened = own.length - commands.length - (all.length - given.length);
    const isRight = isSame(given.slice(Math.max(0, forced)), commands) && (forced === 0 || isForced);
    if (!isRight || opened < 0 || opened > 1) throw new Wrong("answer_move", { decision, seat });
    if (opened && !asked.has(decision)) throw new Wrong("seal_unasked", { decision, seat });
  }
}

// Verify the transcript of a game: node web/verify-transcript.mjs FILE [--head HEAD]
//
// It needs nothing but Node 20 and the two files in src/fairness. Exit codes: 0 verified (except for the rules, which
// only the command `sanfrancisco verify` replays), 1 wrong, 2 not a readable file, 3 not verifiable.

import { readFileSync } from "node:fs";
import { resultOf, verify } from "./src/fairness/verify.js";

const EXIT_CODES = { verified: 0, wrong: 1, not_verifiable: 3 };
const UNREADABLE = 2;
const SEVERITY = [0, 3, 2, 1];

/** The same sentences as in server/fairness/findings.py. */
const SENTENCES = {
  not_verifiable: "This game cannot be verified: {why_not}.",
  form_unreadable: "The file is damaged, or no transcript: {part} cannot be read.",
  chain_ok: "The public record has {lines} lines, and its fingerprint is {fingerprint}.",
  chain_line_unreadable: "Line {line} of the public record cannot be read.",
  chain_line_misplaced: "Line {line} of the public record is missing or out of place.",
  chain_head_differs: "The public record was changed: its head is not the one that follows from its lines.",
  seeds_ok: "The shuffle was fixed by the server and the devices of seats {seats}, before anybody could know it.",
  seeds_server_alone: "No device of a player contributed to the shuffle, so the server alone has chosen it.",
  seeds_order: "In line {line}, the seeds were not exchanged in the order that keeps them secret.",
  seeds_missing: "The public record does not say how the shuffle was fixed.",
  seeds_commitment_server: "The server's seed of exchange {game} is not the one that it had committed to.",
  seeds_commitment_seat: "The seed of seat {seat} is not the one that it had committed to.",
  seeds_not_opened: "Seat {seat} had committed to a seed, which was left out.",
  seeds_voided: "Exchange {game} was not ended as it must be: it names other seats than those that were late.",
  seeds_setup: "The game was begun with other settings than the transcript says.",
  seeds_game: "The transcript is about another exchange of seeds than the one before the game.",
  seeds_game_seed: "The seed of the game does not follow from the seeds of the server and the seats.",
  seeds_digest: "The seed of the game is not the one whose fingerprint was shown at the start.",
  seeds_void_note: "Exchanges of seeds that some seats did not finish: {games}.",
  answers_ok: "All {answers} sealed answers are the ones that were sealed.",
  answers_none: "The game has no sealed answers.",
  answer_commitment: "The answer of seat {seat} to decision {decision} is not the one that was sealed.",
  answer_salt: "The salt of seat {seat} in decision {decision} does not follow from the seed of the game.",
  answer_attempts: "The answers of seat {seat} to decision {decision} are not complete.",
  answer_unknown: "Line {line} has a sealed answer of seat {seat} to decision {decision} that is not opened.",
  answer_late: "In line {line}, an answer to decision {decision} was sealed after that decision was over.",
  answer_unpublished: "The answer of seat {seat} to decision {decision} was not recorded when it was sealed.",
  answer_opening: "Line {line} opens another answer of seat {seat} to decision {decision} than the transcript.",
  answer_reopened: "Line {line} opens decision {decision} again or out of order.",
  answer_not_opened: "The sealed answers to decision {decision} were not opened when it was over.",
  answer_of_bot: "The answer of the bot on seat {seat} to decision {decision} has a salt of somebody's choice.",
  answer_move: "The answer of seat {seat} to decision {decision} is not the move that was played.",
  answers_closed_note: "Sealed answers that were replaced or not opened, and stay closed: {answers}.",
  seal_order: "In line {line}, the answers to decision {decision} were asked for, or given up, out of order.",
  seal_changed: "In line {line}, seat {seat} seals an answer to decision {decision} after all had answered.",
  seal_commitment: "When all had answered decision {decision}, the commitment of seat {seat} was not recorded.",
  seal_late: "Seat {seat} is said not to have opened its answer to decision {decision}, which does not fit.",
  seal_unasked: "The answer of seat {seat} to decision {decision} was opened before all had answered.",
  seal_not_opened: "The answer of seat {seat} to decision {decision} was never opened, and no other was played.",
  draws_ok: "All {draws} shuffles and draws follow from the seed of the game.",
  draw_differs: "The draw {label} does not follow from the seed of the game.",
  rules_not_replayed: "The rules were not replayed here; the command `sanfrancisco verify` does that.",
  head_ok: "The fingerprint that was noted is that of line {line}.",
  head_missing: "The fingerprint that was noted is not in this record: whoever noted it was shown another game.",
  head_lost: "The fingerprint that was noted is not in this record, whose storage has lost entries.",
  own_seed_ok: "The random bytes of this device are part of the shuffle.",
  own_seed_missing: "The random bytes of this device are not part of the shuffle.",
  own_answers_ok: "The {answers} answers that this device has sealed are in the record, unaltered.",
  own_answer_differs: "The answer that this device sealed in decision {decision} is not in the record.",
  own_opening_differs: "This device opened its answer to decision {decision}, and the record says otherwise.",
  history_differs_note: "The page of seat {seat} says that it was shown another record at line {at}.",
  went_back_note: "The storage of the server has lost the last entries of the game, {count} times.",
  abandoned_note: "The game was abandoned, so it has no result.",
};

const WHY_NOT = {
  old: "it was played before games could be verified, or its record does not come from its beginning",
  continued: "it continues another game from one of its steps",
  not_begun: "the table was closed before the game began",
  other_rules: "its rules have changed since",
};

/** Return a value in a sentence. Seats count from 1 for people. */
function shown(name, value) {
  if (name === "why_not") return WHY_NOT[value] ?? value;
  if (Array.isArray(value)) return value.map((part) => shown("seat", part)).join(", ");
  return String(name === "seat" && Number.isInteger(value) ? value + 1 : value);
}

const sentenceOf = ({ key, values }) => SENTENCES[key].replace(/\{(\w+)\}/g, (_, name) => shown(name, values[name]));

/** Return the files and the heads that the arguments name. */
function readArguments(given) {
  const [files, heads] = [[], []];
  for (let place = 0; place < given.length; place++) {
    if (given[place] === "--head" && place + 1 < given.length) heads.push(given[++place]);
    else files.push(given[place]);
  }
  return { files, heads: heads.map(readHead) };
}

/** Return the head in `57.HEAD`, in HEAD, or in its fingerprint. */
function readHead(text) {
  const [, line, head] = /^(?:(\d+)\.)?(.*)$/s.exec(text);
  return { line: line === undefined ? null : Number(line), head };
}

async function verifyFile(file, heads) {
  let transcript;
  try {
    transcript = JSON.parse(readFileSync(file, "utf-8"));
  } catch (error) {
    console.log(`${file} cannot be read: ${error.message}`);
    return UNREADABLE;
  }
  const findings = await verify(transcript, { heads });
  const result = resultOf(findings);
  const marks = new Map([
    [true, "right"],
    [false, "WRONG"],
    [null, "note "],
  ]);
  for (const finding of findings) console.log(`${marks.get(finding.ok)}  ${sentenceOf(finding)}`);
  const words = { verified: "Verified, up to the rules", wrong: "NOT VERIFIED", not_verifiable: "Not verifiable" };
  console.log(`${words[result]}: ${file}`);
  return EXIT_CODES[result];
}

const { files, heads } = readArguments(process.argv.slice(2));
if (files.length === 0) {
  console.log("Usage: node web/verify-transcript.mjs FILE [--head HEAD]");
  process.exitCode = UNREADABLE;
}
for (const file of files) {
  const code = await verifyFile(file, heads);
  // Of several files, the worst decides.
  if (SEVERITY.indexOf(code) > SEVERITY.indexOf(process.exitCode ?? 0)) process.exitCode = code;
}

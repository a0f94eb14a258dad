// What the lock says, and what the check of a finished game says.

import assert from "node:assert/strict";
import { test } from "node:test";

import "./all-texts.js";
import { hasText, language, languageNames } from "../../web/src/catalogue/index.js";
import { checkGame, transcriptPath } from "../../web/src/fairness/check.js";
import { lockState, shuffleText } from "../../web/src/parts/fairness-card.js";
import { tableSentence } from "../../web/src/parts/narration.js";
import { detailsOf, faultsOf, summaryOf } from "../../web/src/parts/verified.js";
import { parseAddress } from "../../web/src/routes.js";
import { isStep } from "../../web/src/table-log.js";

language.value = "en";

const VIEW = {
  mine: 0,
  seats: [{ user: "ana", name: "Ana" }, { user: "bo", name: "Bo" }, { user: null, name: "Silas", bot: "normal" }],
  table: { id: "abcd", game: "investors", phase: "running", fairness: { game: 1, stage: "begun", committed: [0, 1], opened: [0, 1] } },
  play: { game: {} },
};

const right = (check, key, values = {}) => ({ check, ok: true, key, values });
const note = (check, key, values = {}) => ({ check, ok: null, key, values });
const wrong = (check, key, values = {}) => ({ check, ok: false, key, values });

const FOUND = [
  right("chain", "chain_ok", { lines: 241, fingerprint: "0818 4dd8 a96b fa83" }),
  right("seeds", "seeds_ok", { seats: [0, 1] }),
  right("answers", "answers_ok", { answers: 60 }),
  right("draws", "draws_ok", { draws: 8 }),
  note("rules", "rules_not_replayed"),
];

/** Return a table as the lock sees it. */
function lockedTable(fairness, differs = null) {
  return { differs: { value: differs }, gameView: { value: { ...VIEW, table: { ...VIEW.table, fairness } } } };
}

test("the lock is closed at verifiable tables, open at others, absent at older servers, and a warning if games differ", () => {
  assert.equal(lockState(lockedTable(VIEW.table.fairness)), "locked");
  assert.equal(lockState(lockedTable(null)), "open");
  assert.equal(lockState(lockedTable(undefined)), null);
  assert.equal(lockState(lockedTable(VIEW.table.fairness, 1)), "differs");
});

test("the card names who has fixed the shuffle", () => {
  const text = (fairness) => shuffleText({ ...VIEW, table: { ...VIEW.table, fairness } });
  assert.match(text(VIEW.table.fairness), /before anybody could know it: you and Bo\.$/);
  assert.match(text({ stage: "begun", opened: [] }), /^The server alone/);
  assert.match(text({ stage: "waiting", opened: [] }), /^The server has committed to its part/);
});

test("a verified game says who fixed the shuffle, how many answers were sealed, and whose record it is", () => {
  const text = "The server and the devices of 2 players fixed the shuffle together. All 60 sealed answers are as they were sealed.";
  assert.equal(summaryOf(FOUND), `${text} Nothing in the record was changed or reordered.`);
  assert.equal(summaryOf([...FOUND, right("heads", "head_ok", { line: 3 })]), `${text} The record is the one that you were shown.`);
  assert.equal(summaryOf([note("seeds", "seeds_server_alone")]), "The server alone fixed the shuffle. Nothing in the record was changed or reordered.");
});

test("the details have one line for each kind of finding, with names and counts", () => {
  const heads = [1, 2, 3].map((line) => right("heads", "head_ok", { line }));
  const lines = detailsOf([...FOUND, ...heads, note("chain", "history_differs_note", { seat: 1, at: 12 })], VIEW);
  assert.deepEqual(lines.map(({ key }) => key), ["chain_ok", "seeds_ok", "answers_ok", "draws_ok", "rules_not_replayed", "head_ok", "history_differs_note"]);
  assert.match(lines[1].text, /: you and Bo\.$/);
  assert.match(lines[5].text, /: 3\.$/);
  assert.equal(lines[6].text, "The page of Bo was shown another record at line 12.");
  assert.ok(lines.every(({ text }) => !/[{}]/.test(text)));
});

test("what is wrong is one sentence for each check that failed, with what exactly", () => {
  const faults = faultsOf([wrong("answers", "answer_commitment", { seat: 1, decision: 9 }), wrong("heads", "head_missing"), wrong("heads", "head_missing")]);
  assert.deepEqual(faults.map(({ check }) => check), ["answers", "heads"]);
  assert.equal(faults[0].text, "A sealed answer is not the one that was sealed.");
  assert.equal(faults[0].exact, "answer_commitment, seat 1, decision 9");
});

test("every finding has its text in every language", async () => {
  const fine = "chain_ok seeds_ok answers_ok answers_none draws_ok head_ok own_seed_ok own_answers_ok".split(" ");
  const notes = "seeds_server_alone seeds_void_note answers_closed_note rules_not_replayed head_lost history_differs_note went_back_note abandoned_note".split(" ");
  for (const code of Object.keys(languageNames)) {
    language.value = code;
    for (const key of [...fine, ...notes]) assert.ok(hasText(`fair.found.${key}`), key);
    for (const check of ["form", "chain", "seeds", "answers", "draws", "own", "heads"]) assert.ok(hasText(`fair.wrong.${check}`), check);
    for (const why of ["old", "continued", "not_begun", "other_rules"]) assert.ok(hasText(`fair.not.${why}`), why);
  }
  language.value = "en";
});

test("a transcript that is no transcript is wrong, one that cannot be fetched has failed, an old game is not verifiable", async () => {
  assert.equal((await checkGame(async () => ({ any: "thing" }), {})).state, "wrong");
  assert.equal((await checkGame(async () => Promise.reject(new Error("gone")), {})).state, "failed");
  const old = { format: "sanfrancisco-transcript/1", verifiable: false, why_not: "old" };
  assert.equal((await checkGame(async () => old, {})).state, "not_verifiable");
});

test("the transcript of a private game is fetched with its key", () => {
  assert.equal(transcriptPath("abcd", null), "/g/abcd/transcript.json");
  assert.equal(transcriptPath("abcd", "k1"), "/g/abcd/transcript.json?key=k1");
});

test("seeds and seals make no line and no step, and what a player wants to know has a sentence", () => {
  const silent = ["answers_opened", "answer_sealed", "answer_kept", "openings_asked", "server_seed_drawn", "seed_committed", "seeds_asked", "seeds_closed", "seed_opened"];
  for (const event of silent) {
    assert.equal(tableSentence({ event, seat: 1 }, VIEW), null, event);
    assert.equal(isStep({ number: 1, at: null, events: [{ event }] }), false, event);
  }
  assert.equal(tableSentence({ event: "seeds_voided", late: [1] }, VIEW)?.text, "Not every device answered in time, so the game did not begin.");
  assert.match(tableSentence({ event: "history_differs", seat: 1 }, VIEW)?.text ?? "", /^The page of Bo was shown another course/);
  assert.match(tableSentence({ event: "history_differs", seat: 0 }, VIEW)?.text ?? "", /^Your page was shown/);
});

test("the page that explains it has an address among the rules", () => {
  assert.equal(parseAddress("/rules/fairness").page, "fairness");
  assert.equal(parseAddress("/rules/planners").page, "rules");
});

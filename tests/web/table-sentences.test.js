// The lines of table events in the log.

import assert from "node:assert/strict";
import { test } from "node:test";
import "./all-texts.js";
import { language } from "../../web/src/catalogue/index.js";
import { tableSentence } from "../../web/src/parts/narration.js";

language.value = "en";
const VIEW = { mine: 0, seats: [{ name: "Ana" }, { name: "Bo" }] };

test("a vote, its withdrawal and its refusal have a line for each subject", () => {
  const lines = (event) => ["pause", "resume", "abandon"].map((on) => tableSentence({ ...event, seat: 1, on }, VIEW)?.text);
  assert.deepEqual(lines({ event: "voted", agree: true }), ["Bo would like to pause.", "Bo would like to go on.", "Bo would like to give the game up."]);
  assert.deepEqual(lines({ event: "voted", agree: false }), ["Bo no longer wants to pause.", "Bo no longer wants to go on.", "Bo no longer wants to give the game up."]);
  assert.deepEqual(lines({ event: "vote_declined" }), ["Bo would rather not pause.", "Bo would rather not go on yet.", "Bo would rather play on."]);
});

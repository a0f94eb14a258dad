// A text in the catalogue is all that an event needs to have its sentence in the log.

import assert from "node:assert/strict";
import { test } from "node:test";

import "./all-texts.js";
import { addTexts, language } from "../../web/src/catalogue/index.js";
import { sentencesFrom } from "../../web/src/parts/event-sentences.js";

language.value = "en";
addTexts("en", {
  "toy.coin_found": "{name} found {coins}.",
  "toy.coin_found.you": "You found {coins}.",
  "toy.coins_counted": { one: "One coin was counted.", other: "All coins were counted." },
  "toy.bank_closed.early": "The bank closed at {hour}.",
});

const sentence = sentencesFrom({
  prefix: "toy.",
  variants: { bank_closed: ({ hour }) => (hour < 12 ? "early" : null) },
  values: { coins: ({ coins }) => `$${coins}` },
  counts: { coins_counted: ({ total }) => total },
  places: { coins: ({ street }) => ({ streets: [street] }), coins_counted: ({ banks }) => ({ banks }) },
});

function viewOf(mine) {
  return { mine, seats: [{ name: "Ana" }, { name: "Bo" }], play: { game: {} } };
}

test("placeholders are filled from the table, or from the event's field of that name", () => {
  assert.equal(sentence({ event: "coin_found", seat: 1, coins: 5, street: 3 }, viewOf(0)).text, "Bo found $5.");
  assert.equal(sentence({ event: "bank_closed", hour: 9 }, viewOf(0)).text, "The bank closed at 9.");
});

test("a text with a second form carries the seat, which is addressed as you", () => {
  const event = { event: "coin_found", seat: 1, coins: 5, street: 3 };
  assert.deepEqual(sentence(event, viewOf(1)), { text: "You found $5.", seat: 1, place: { streets: [3] } });
  assert.equal(sentence(event, viewOf(null)).seat, 1);
  assert.equal("seat" in sentence({ event: "bank_closed", seat: 1, hour: 9 }, viewOf(1)), false);
});

test("the count chooses the form of a text that does not show it", () => {
  assert.equal(sentence({ event: "coins_counted", total: 1, banks: [] }, viewOf(0)).text, "One coin was counted.");
  assert.equal(sentence({ event: "coins_counted", total: 2, banks: [] }, viewOf(0)).text, "All coins were counted.");
});

test("a line highlights what its text names and what its event adds, and nothing where both are empty", () => {
  assert.deepEqual(sentence({ event: "coins_counted", total: 2, banks: [4, 7] }, viewOf(0)).place, { banks: [4, 7] });
  assert.equal("place" in sentence({ event: "coins_counted", total: 2, banks: [] }, viewOf(0)), false);
});

test("an event without a text, without its variant, or before the game has no line", () => {
  assert.equal(sentence({ event: "coin_lost", seat: 1 }, viewOf(0)), null);
  assert.equal(sentence({ event: "bank_closed", hour: 15 }, viewOf(0)), null);
  assert.equal(sentence({ event: "bank_closed", hour: 9 }, { ...viewOf(0), play: null }), null);
});

import assert from "node:assert/strict";
import { test } from "node:test";
import "./all-texts.js";
import { language } from "../../web/src/catalogue/index.js";
import { Narrator, tableSentence } from "../../web/src/parts/narration.js";
import * as builders from "../../web/src/scenes/builders/sections.js";
import { sentence as buildersSentence } from "../../web/src/scenes/builders/sentences.js";
import * as investors from "../../web/src/scenes/investors/sections.js";
import { sentence } from "../../web/src/scenes/investors/sentences.js";

language.value = "en";

const scene = /** @type {any} */ ({ ...investors, sentence });
const VIEW = { mine: 0, seats: [{ name: "Ana" }, { name: "Ulla" }], play: { game: { round: 3, layout: [], stage: { name: "considering" } } } };
const raise = (seat, ...cheques) => ({ event: "bid_raised", seat, cheques });
const entriesOf = (...updates) => updates.map((events, index) => ({ number: 10 + index, at: null, events: [events].flat() }));

/** Return the texts of a log. */
function texts(entries, { view = VIEW, isFromStart = false } = {}) {
  return new Narrator(scene).items(entries, view, isFromStart).map(({ heading, line }) => heading ?? line?.text);
}

test("bids say what a seat has on the table in all", () => {
  const log = entriesOf({ event: "tender_opened" }, raise(1, 30), raise(0, 40), raise(1, 20, 30), { event: "bid_passed", seat: 0 }, {
    event: "auction_won",
    seat: 1,
    cheques: [30, 20, 30],
  });
  assert.deepEqual(texts(log), ["Round 3", "Ulla bids $30,000.", "You bid $40,000.", "Ulla raises to $80,000.", "You passed.", "Ulla outbid everyone and paid $80,000."]);
});

test("a bid of which the beginning is not loaded says what is added", () => {
  assert.deepEqual(texts(entriesOf(raise(1, 20), { event: "said" }, raise(1, 10))), ["Round 3", "Ulla adds $20,000 to the bid.", "Ulla adds $10,000 to the bid."]);
});

test("rounds have their numbers although the first ones are not loaded", () => {
  const passed = { event: "right_waived", seat: 1 };
  const log = entriesOf(passed, [passed, { event: "round_ended", next_seat: 0 }], passed, { event: "round_ended", next_seat: 1 }, passed);
  assert.deepEqual(texts(log), ["Round 1", "Ulla waived.", "Ulla waived.", "Round 2", "Ulla waived.", "Round 3", "Ulla waived."]);
});

test("a step that is taken back takes its round and its bid along", () => {
  const log = entriesOf({ event: "tender_opened" }, raise(1, 30), { event: "round_ended" }, { event: "undone", seat: 1 }, raise(1, 10), { event: "round_ended" });
  assert.deepEqual(texts(log).slice(0, 5), ["Round 2", "Ulla bids $30,000.", "Round 3", "Ulla took the last step back.", "Ulla raises to $40,000."]);
});

test("lines are made once and again when a name changes", () => {
  const narrator = new Narrator(scene);
  const log = entriesOf(raise(1, 30));
  const [before] = narrator.items(log, VIEW, true);
  assert.equal(narrator.items([...log, ...entriesOf(raise(0, 10))], { ...VIEW }, true)[0].line, before.line);
  const renamed = { ...VIEW, seats: [{ name: "Ana" }, { name: "Vera" }] };
  assert.equal(narrator.items(log, renamed, true)[0].line?.text, "Vera adds $30,000 to the bid.");
});

test("a year's bonus is told by the year in which it was chosen", () => {
  const view = { mine: null, seats: [{ name: "Ana" }], play: { game: { year: 1908 } } };
  const log = entriesOf({ event: "bonus_chosen", seat: 0, bonus: "permit" }, { event: "year_begun", year: 1907 }, { event: "year_begun", year: 1908 });
  const items = new Narrator(/** @type {any} */ ({ ...builders, sentence: buildersSentence })).items(log, view, false);
  assert.deepEqual(items.slice(0, 3).map(({ heading, line }) => heading ?? line?.text), ["The year 1906", "Ana chose what 1906 gives: a permit.", "The year 1907"]);
});

test("the table speaks to the player whom an event concerns", () => {
  assert.equal(tableSentence({ event: "seat_returned", seat: 1 }, VIEW)?.text, "Ulla is back.");
  assert.equal(tableSentence({ event: "seat_returned", seat: 0 }, VIEW)?.text, "You are back.");
  assert.equal(tableSentence({ event: "time_ran_out", seat: 0, stand_in: "easy" }, VIEW)?.text, "Your time has run out: an easy bot stands in.");
});

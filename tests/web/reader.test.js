// The keys that read a table aloud, and what they read.

import assert from "node:assert/strict";
import { test } from "node:test";

import { language, languageNames } from "../../web/src/catalogue/index.js";
import { readerAction } from "../../web/src/parts/reader-keys.js";
import { asSentences } from "../../web/src/parts/sentences.js";
import { reading as builders } from "../../web/src/scenes/builders/reading.js";
import { districtCell, outcomeSentences, outcomesOf, streetCell } from "../../web/src/scenes/investors/cell-text.js";
import { STREETS, streetsOf } from "../../web/src/scenes/investors/city.js";
import { mapInteraction } from "../../web/src/scenes/investors/map-interaction.js";
import { reading as investors } from "../../web/src/scenes/investors/reading.js";
import { reading as planners } from "../../web/src/scenes/planners/reading.js";
import "./all-texts.js";
import * as Builders from "./builders-fixture.js";
import * as Planners from "./planners-fixture.js";

const press = (key, options = {}) => ({ key, ctrlKey: false, metaKey: false, altKey: false, target: { closest: () => null }, ...options });
const inside = (selector) => ({ closest: (asked) => (asked.includes(selector) ? {} : null) });

test("a letter reads, a question mark opens the list of keys", () => {
  assert.equal(readerAction(press("p"), true), "position");
  assert.equal(readerAction(press("S"), true), "standing");
  assert.equal(readerAction(press("?"), true), "help");
  assert.equal(readerAction(press("x"), true), null);
});

test("letters are left to text fields, to other programs and to people who switched them off", () => {
  assert.equal(readerAction(press("p", { target: inside("textarea") }), true), null);
  assert.equal(readerAction(press("p", { target: inside("[role=listbox]") }), true), null);
  assert.equal(readerAction(press("p", { ctrlKey: true }), true), null);
  assert.equal(readerAction(press("p", { defaultPrevented: true }), true), null);
  assert.equal(readerAction(press("p"), false), null);
  assert.equal(readerAction(press("?"), false), "help", "else nobody could switch them on again");
});

test("texts become sentences", () => {
  assert.equal(asSentences(["two left", "", null, "Is it?", " you win. "]), "Two left. Is it? You win.");
});

/** Return a view of Investors in which district B2 is a factory, you have two sticks at it and Bo has one. */
function investorsView(choices = []) {
  const sticks = Array(STREETS).fill(-1);
  const [north, south, west] = streetsOf(8);
  [sticks[north], sticks[south], sticks[west]] = [0, 0, 1];
  const seat = { prestige: 3, influence: 20, cheques: 2, sticks: 9 };
  const game = {
    layout: Array(35).fill("factory").with(3, "park"),
    rebuilt: Array(35).fill(-1).with(0, 1),
    sticks,
    seats: [seat, { ...seat, prestige: 6 }],
    hand: [20, 50],
    bank: 4,
    tender: "factory/influence/2",
    tender_deck: 30,
    action: null,
    action_deck: 18,
    stage: { name: "influence_bidding" },
    open_bonuses: [],
  };
  return { mine: 0, seats: [{ name: "Ana" }, { name: "Bo" }], table: { game: "investors" }, play: { game, decision: { prompt: { choices } } } };
}

test("a district says its coordinates first, then its kind, its value and who holds its streets", () => {
  assert.equal(districtCell(investorsView(), 8), "B2, factory, in ruins, worth 6. you 2, Bo 1, one free: you need one more");
  assert.equal(districtCell(investorsView(), 0), "A1, factory, rebuilt by Bo, 6 prestige");
  assert.equal(districtCell(investorsView(), 3), "D1, park, never rebuilt");
});

test("a street says whether it can be picked, and what a stick there would change", () => {
  const [, , , east] = streetsOf(8);
  const view = investorsView([{ do: "place_stick", street: { one_of: [east] } }]);
  const interaction = mapInteraction(view, {});
  assert.equal(streetCell(view, east, "street", true), "Street between factory B2 and factory C2: you can build here");
  assert.match(streetCell(view, streetsOf(8)[2], null, true), /a stick of Bo, and not open now$/);
  assert.match(outcomeSentences(view, interaction, east), /^Factory B2 is rebuilt\. Out of reach for everyone but you\. Factory C2 stays open\./);
  assert.equal(outcomeSentences(view, interaction, 0), "");
  assert.deepEqual(outcomesOf(view, interaction, 0), [], "a street that is not open promises nothing");
});

test("the standing of each game names the first seat first", () => {
  assert.match(asSentences(investors.standing(investorsView())), /^Bo: 6 prestige, .*rebuilt: factory A1\. You: 3 prestige/);
  const seats = [Planners.seat("1", { points: 4 }), Planners.seat("", { points: 9 })];
  assert.match(asSentences(planners.standing(Planners.view(Planners.game(seats)))), /^Bo: 4½ points, 0 contracts, .* You: 2 points/);
  assert.match(asSentences(builders.standing(Builders.view("act", null))), /7 points if the game ended now; \$7; 2 built/);
});

test("every reading is complete in every language", () => {
  const readings = [
    [investors, investorsView()],
    [planners, Planners.view(Planners.game([Planners.seat("1"), Planners.seat()]))],
    [builders, Builders.view("act", null)],
  ];
  try {
    for (const code of Object.keys(languageNames)) {
      language.value = code;
      for (const [reading, view] of readings) {
        const text = asSentences([...reading.position(view), ...reading.standing(view)]);
        assert.doesNotMatch(text, /\{\w+\}|undefined|NaN|\[object/, code);
        assert.doesNotMatch(text, /\b(reader|stats|builders|planners|inv)\.[a-z]/, code);
      }
    }
  } finally {
    language.value = "en";
  }
});

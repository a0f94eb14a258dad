// The path of the year: which stop is expanded, the state of each card, what the viewer did, and the order of the pawns.

import assert from "node:assert/strict";
import { test } from "node:test";

import "./all-texts.js";
import { language } from "../../web/src/catalogue/index.js";
import { cardState } from "../../web/src/scenes/builders/action-cards.js";
import { ownActions } from "../../web/src/scenes/builders/own-actions.js";
import { pathState } from "../../web/src/scenes/builders/path.js";
import { orderSoFar } from "../../web/src/scenes/builders/preview.js";
import { incomeOrderText } from "../../web/src/scenes/builders/labels.js";
import { game, view } from "./builders-fixture.js";

language.value = "en";

const AREAS = [1, 2, 3, 4, 5, 6];

function states(position) {
  return AREAS.map((area) => cardState(position, area)).join(" ");
}

function placed(seat, area, space = 0) {
  return { event: { event: "pawn_placed", seat, area, space } };
}

function chosen(seat, action) {
  return { event: { event: "action_chosen", seat, action, fee: 0 } };
}

test("the current card is expanded, and pawns still leave the card before it", () => {
  const position = game({ pawns: [[3, 0], [2, 1], [2, 0]] });
  assert.equal(states(position), "past emptying now soon later later");
  assert.deepEqual(pathState(position), { year: 1909, expanded: 3 });
});

test("a year begins with all cards to come", () => {
  const position = game({ area: 0, year: 1906, pawns: [null, null, null] });
  assert.equal(states(position), "soon later later later later later");
  assert.deepEqual(pathState(position), { year: 1906, expanded: 0 });
});

test("while the pawns choose their income, the cards of the year before stay", () => {
  const position = game({ area: 0, year: 1910, pawns: [[6, 1], [6, 0], [0, 3]] });
  assert.equal(states(position), "past past past past past emptying");
  assert.deepEqual(pathState(position), { year: 1909, expanded: 7 });
});

test("the last pawn to arrive leaves no card to empty", () => {
  assert.equal(states(game({ area: 0, year: 1910, pawns: [[0, 1], [0, 0], [0, 3]] })), "past past past past past past");
});

test("past cards say what the viewer did there, as it was in the end", () => {
  const log = [placed(0, 1), chosen(0, "material"), placed(1, 1, 1), chosen(1, "goal"), placed(0, 2), chosen(0, "build"), { event: { event: "built", seat: 0, plot: 0, permits: [3] } }, placed(0, 3), chosen(0, "pass"), chosen(0, "dollar")];
  assert.deepEqual([...ownActions(log, view("act", null))], [[1, "a building"], [2, "built A, purple 6"], [3, "took $1"]]);
});

test("the actions of the year before are forgotten when the first pawn goes on to card 1", () => {
  const log = [placed(0, 6), chosen(0, "goal"), placed(0, 0), placed(1, 0)];
  assert.deepEqual([...ownActions(log, view("act", null))], [[6, "took a goal"]]);
  assert.deepEqual([...ownActions([...log, placed(1, 1)], view("act", null))], []);
});

test("a spectator did nothing", () => {
  assert.equal(ownActions([placed(0, 1), chosen(0, "goal")], view("act", null, undefined, null)).size, 0);
});

test("the pawn furthest to the right goes on first, and pawns that are not there yet are counted", () => {
  assert.deepEqual(orderSoFar(game({ pawns: [[3, 1], [2, 4], [3, 4]] }), 3), { seats: [2, 0], missing: 1 });
  assert.deepEqual(orderSoFar(game({ pawns: [null, null, null] }), 1), { seats: [], missing: 3 });
});

test("an income space tells its place only where it is certain", () => {
  const places = (seats) => [0, 1, 2, 3].map((space) => incomeOrderText(space, seats));
  assert.deepEqual(places(4), ["goes last", "goes third", "goes second", "goes first"]);
  assert.deepEqual(places(2), ["goes last", "in between", "in between", "goes first"]);
});

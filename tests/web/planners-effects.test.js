// The effects of a command are found by comparing two positions.

import assert from "node:assert/strict";
import { test } from "node:test";

import "./all-texts.js";
import { language } from "../../web/src/catalogue/index.js";
import { changesOf } from "../../web/src/scenes/planners/changes.js";
import { effectsOf } from "../../web/src/scenes/planners/effects.js";
import { game, seat } from "./planners-fixture.js";

language.value = "en";

function standingsInOrder(order) {
  return Array.from({ length: 6 }, () => order.map((each) => ({ seat: each, total: 0, points: 0, tie: null })));
}

test("the effects of a placement are what it connects, completes and scores", () => {
  const before = game([seat(`. . . . .  28 25 . . .  . . . . .  . . . . .  . . . . .`, { sites: [[5, 3, 7]], points: 3, contracts: 1 }), seat()]);
  const city = `. . . . .  28 25 . . .  . . . . .  . . . . .  65 . . . .`;
  const values = Array(25).fill(0);
  values[6] = 4;
  const after = game(
    [seat(city, { values, cars: [20], towers: [5], totals: [0, 4, 0, 0, 2], points: 9, contracts: 0 }), seat()],
    { completed: [null, null, null, null, 0], medal: 0, stage: { name: "bonus", row: 4, cards: [], taken: [] } },
  );
  before.standings = standingsInOrder([1, 0]);
  after.standings = standingsInOrder([1, 0]).with(1, [{ seat: 0, total: 4, points: 4, tie: null }, { seat: 1, total: 0, points: 0, tie: null }]);
  const changes = changesOf(before, after, 0);
  assert.deepEqual(changes.cards, [20]);
  assert.deepEqual(changes.cars, [20]);
  assert.deepEqual(changes.towers, [5]);
  assert.deepEqual(changes.values, [{ space: 6, from: 0, to: 4 }]);
  assert.deepEqual(changes.ranks, [{ category: 1, from: 2, to: 1 }]);
  assert.deepEqual(changes.rows, [4]);
  assert.equal(changes.medal, true);
  assert.equal(changes.bonus, 4);
  assert.deepEqual(changes.points, { from: 3, to: 9 });
  assert.deepEqual(
    effectsOf(before, after, changes, 0).map(({ text }) => text),
    [
      "Skyscraper in Civic 1: +1",
      "The medal is yours: +1",
      "First to fill Parks: +1",
      "Second compass: then hand back 2 contracts or tracks",
      "One more cable car: 1 in all",
      "Civic 2 counts 0 → 4",
      "You rise to 1st in Civic",
      "Civic counts 0 → 4",
      "Parks counts 0 → 2",
      "Contracts: 1 → 0",
    ],
  );
});

test("a foundation that gets closer to a skyscraper is a change, an unchanged one is not", () => {
  const before = game([seat("", { sites: [[5, 3, 7], [10, 2, 7]] }), seat()]);
  const after = game([seat("", { sites: [[5, 5, 7], [10, 2, 7]] }), seat()]);
  assert.deepEqual(changesOf(before, after, 0).sites, [{ space: 5, from: 3, sum: 5, needed: 7 }]);
});

test("a changed requirement is one effect for all foundations", () => {
  const before = game([seat("", { sites: [[5, 3, 7], [10, 2, 7]] }), seat()]);
  const after = game([seat("", { sites: [[5, 4, 6], [10, 2, 6]] }), seat()]);
  const changes = changesOf(before, after, 0);
  assert.equal(changes.sites.length, 2);
  assert.deepEqual(
    effectsOf(before, after, changes, 0).map(({ text }) => text),
    ["Foundations need 6 now, not 7", "Civic 1: 4 of 6 for a skyscraper"],
  );
});

test("a position without changes has no effects", () => {
  const same = game();
  assert.deepEqual(effectsOf(same, same, changesOf(same, same, 0), 0), []);
});

test("a sold-out bonus leaves only tracks to choose", () => {
  const after = game(undefined, { stage: { name: "bonus", row: 3, cards: [], taken: [] }, bonuses: { points: 0, tracks: 2 } });
  const changes = changesOf(game(), after, 0);
  assert.deepEqual(effectsOf(game(), after, changes, 0).map(({ text }) => text), ["Second compass: then a tracks token"]);
});

// Cards of the data files, and their places in a city.

import assert from "node:assert/strict";
import { test } from "node:test";

import { cardOf, hasFeature, linksOf, nextSpace } from "../../web/src/scenes/planners/cards.js";
import { CARDS, seat } from "./planners-fixture.js";

test("cards have the district, value and features of the data files", () => {
  assert.deepEqual([cardOf(CARDS.coast3).district, cardOf(CARDS.coast3).value], ["blue", 3]);
  assert.ok(hasFeature(CARDS.civicFoundation, "foundation") && hasFeature(CARDS.civicSquare, "square") && hasFeature(CARDS.parksTracks, "tracks"));
  assert.equal(cardOf(CARDS.anyTwo).district, "universal");
  assert.throws(() => cardOf(0));
});

test("the next space is the leftmost empty one of the row, and a full row has none", () => {
  const { cards } = seat(`
    1  2  .  .  .
    16 17 18 19 20
    .  .  .  .  .
    .  .  .  .  .
    .  .  .  .  .
  `);
  assert.deepEqual([0, 1, 2].map((row) => nextSpace(cards, row)), [2, null, 10]);
});

test("the cable car line links neighbours with cable cars, and printed depots", () => {
  // 15 and 20 lie one above the other, 16 beside 15, 4 alone, 9 below it; 19 and 20 only seem to be neighbours.
  assert.deepEqual(linksOf([15, 16, 20]), [[15, 16], [15, 20], [20, null]]);
  assert.deepEqual(linksOf([4, 9, 5]), [[4, 9]]);
  assert.deepEqual(linksOf([19, 20]), [[20, null]]);
});

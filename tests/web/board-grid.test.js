// The keys of a board that is a grid.

import assert from "node:assert/strict";
import { test } from "node:test";

import { placeFor, tabStop } from "../../web/src/parts/board-grid.js";
import { plotOrder, plotRows } from "../../web/src/scenes/builders/game-data.js";
import { neighbourSpace } from "../../web/src/scenes/planners/city.js";
import { game } from "./builders-fixture.js";

const board = (open) => ({ neighbour: neighbourSpace, open });

test("arrows go to a neighbour, Home and End to the ends of the row", () => {
  assert.equal(placeFor("ArrowDown", 7, board([])), 12);
  assert.equal(placeFor("ArrowUp", 2, board([])), 2);
  assert.equal(placeFor("Home", 8, board([])), 5);
  assert.equal(placeFor("End", 8, board([])), 9);
  assert.equal(placeFor("x", 8, board([])), null);
});

test("Page Down and Page Up go around the places that can be picked", () => {
  assert.equal(placeFor("PageDown", 0, board([14, 3, 20])), 3);
  assert.equal(placeFor("PageDown", 3, board([14, 3, 20])), 14);
  assert.equal(placeFor("PageDown", 20, board([14, 3, 20])), 3);
  assert.equal(placeFor("PageUp", 14, board([14, 3, 20])), 3);
  assert.equal(placeFor("PageUp", 3, board([14, 3, 20])), 20);
  assert.equal(placeFor("PageDown", 3, board([])), 3);
});

test("the tab stop is the last place, unless something else can be picked", () => {
  assert.equal(tabStop({ place: null, isInside: false }, [], 0), 0);
  assert.equal(tabStop({ place: null, isInside: false }, [7, 9], 0), 7);
  assert.equal(tabStop({ place: 4, isInside: false }, [], 0), 4);
  assert.equal(tabStop({ place: 9, isInside: false }, [7, 9], 0), 9);
  assert.equal(tabStop({ place: 4, isInside: false }, [7, 9], 0), 7);
  assert.equal(tabStop({ place: 4, isInside: true }, [7, 9], 0), 4, "the focus stays where it is");
});

test("the rows of Builders run across its blocks", () => {
  const [first, second] = plotRows(game());
  assert.deepEqual(first, [0, 1, 6, 7, 12, 13]);
  assert.deepEqual(second, [2, 3, 8, 9, 14, 15]);
  const order = plotOrder(game());
  assert.deepEqual([0, 6, 2, 18].map(order), [0, 2, 6, 18]);
});

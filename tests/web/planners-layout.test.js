// How hands and projects are laid out, and where arrow keys lead.

import assert from "node:assert/strict";
import { test } from "node:test";

import { stepTo } from "../../web/src/scenes/planners/arrow-keys.js";
import { handLayout } from "../../web/src/scenes/planners/hand.js";
import { widthsOf } from "../../web/src/scenes/planners/market.js";

test("a hand takes one row while its cards are large enough", () => {
  assert.deepEqual(handLayout(3, "phone"), { perRow: 3, isSmall: false, classes: "pl-hand  " });
  assert.equal(handLayout(5, "phone").perRow, 5);
});

test("a long hand takes equal rows of small cards", () => {
  const { perRow, isSmall, classes } = handLayout(8, "phone");
  assert.deepEqual([perRow, isSmall], [4, true]);
  assert.match(classes, /pl-two-rows/);
});

test("a hand without cards has a layout", () => {
  assert.equal(handLayout(0, "wide").perRow, 0);
});

test("only long columns of projects get more than their share", () => {
  assert.deepEqual(widthsOf([[], [1, 2, 3], [1, 2, 3, 4, 5]]), { "--share-0": "3fr", "--share-1": "3fr", "--share-2": "5fr" });
});

test("arrow keys stop at the first and the last choice", () => {
  assert.equal(stepTo("ArrowRight", 0, 3), 1);
  assert.equal(stepTo("ArrowRight", 2, 3), 2);
  assert.equal(stepTo("ArrowLeft", 0, 3), 0);
  assert.equal(stepTo("Tab", 1, 3), 1);
});

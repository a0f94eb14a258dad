// The foundation stacks of the market.

import assert from "node:assert/strict";
import { test } from "node:test";

import { stacksOf } from "../../web/src/scenes/planners/market.js";

test("foundation tokens are used from the left", () => {
  assert.deepEqual(stacksOf(10, 10), [2, 2, 2, 2, 2]);
  assert.deepEqual(stacksOf(5, 10), [0, 0, 1, 2, 2]);
  assert.deepEqual(stacksOf(0, 6), [0, 0, 0]);
});

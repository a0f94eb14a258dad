// Cheques in hand are selected by index.

import assert from "node:assert/strict";
import { test } from "node:test";

import { placesOf } from "../../web/src/scenes/investors/decide-cheques.js";

test("cheques of equal value have different indices", () => {
  assert.deepEqual(placesOf([10, 10, 20, 20], [20, 10]), [0, 2]);
});

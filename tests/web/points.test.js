// Seats are ranked by their place.

import assert from "node:assert/strict";
import { test } from "node:test";

import { ranking } from "../../web/src/parts/points.js";

test("seats are ranked by their place", () => {
  assert.deepEqual(ranking({ places: [3, 1, 4, 1] }), [1, 3, 0, 2]);
});

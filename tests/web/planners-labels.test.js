// Half points as text.

import assert from "node:assert/strict";
import { test } from "node:test";

import { pointsText } from "../../web/src/parts/points.js";
import { halvesText, signed } from "../../web/src/scenes/planners/labels.js";

test("half points are written with a fraction", () => {
  assert.deepEqual([19, 20, 1, 0, -1, -2, -3].map(halvesText), ["9½", "10", "½", "0", "−½", "−1", "−1½"]);
  assert.deepEqual([5, 0, -2].map(signed), ["+2½", "0", "−1"]);
  assert.equal(pointsText(19), "19");
});

// Whether selected values fit a prompt is decided by the prompt alone.

import assert from "node:assert/strict";
import { test } from "node:test";

import { fitsAmounts, fitsSome, missingShares } from "../../web/src/parts/prompt.js";

test("cheques fit when their sum is above the bid on the table", () => {
  const space = { some_of: [10, 20, 50], least: 1, most: 3, above: 60 };
  assert.ok(!fitsSome(space, []));
  assert.ok(!fitsSome(space, [10, 50]));
  assert.ok(fitsSome(space, [20, 50]));
});

test("amounts fit when they are multiples of the step and within their limits", () => {
  const space = { amounts: [[0, 30], [2, 30]], step: 10, least: 10 };
  assert.ok(!fitsAmounts(space, [0, 0]));
  assert.ok(fitsAmounts(space, [0, 10]));
  assert.ok(!fitsAmounts(space, [5, 10]));
  assert.ok(!fitsAmounts(space, [40, 0]));
});

test("missing shares are counted for each due", () => {
  const space = { shares: [10, 20, 50], dues: [[0, 30], [2, 20]] };
  assert.deepEqual(missingShares(space, [[10], [50]]), [20, 0]);
});

// Whether selected values fit a prompt is decided by the prompt alone.

import assert from "node:assert/strict";
import { test } from "node:test";

import { fitsAmounts, fitsShares, fitsSome, isPayable, missingShares } from "../../web/src/parts/prompt.js";

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

test("an offer is payable when the cheques cover all amounts together and enough are left to be drawn", () => {
  const hand = { payable: [10, 10, 20, 40] };
  for (const [amounts, draws, expected] of [
    [[0, 0], [0, 0], false],
    [[80, 0], [0, 0], true],
    [[90, 0], [0, 0], false],
    [[40, 40], [0, 0], true],
    [[30, 50], [0, 0], true],
    [[20, 60], [0, 0], true],
    [[30, 10], [1, 1], true],
    [[30, 10], [1, 2], false],
    [[30, 30], [1, 0], true],
    [[30, 30], [1, 1], false],
    [[0, 0], [2, 2], true],
    [[0, 0], [3, 2], false],
    [[0], [1], true],
    [[35], [3], true],
  ]) {
    assert.equal(isPayable(hand, amounts, draws), expected, `${amounts} and ${draws}`);
  }
  assert.ok(!isPayable({ payable: [10, 100] }, [50, 50], [0, 0]), "change is not given");
  assert.ok(isPayable({ payable: [10, 20, 20, 50] }, [40, 50], [0, 0]), "the largest cheque is not always for the largest amount");
});

test("a payment leaves what is to be drawn", () => {
  const space = { shares: [10, 20, 50], dues: [[0, 30], [2, 0]], most: 2 };
  assert.ok(fitsShares(space, [[50], []]));
  assert.ok(fitsShares(space, [[10, 20], []]));
  assert.ok(!fitsShares(space, [[20], []]));
  assert.ok(!fitsShares(space, [[10, 20, 50], []]));
  assert.ok(!fitsShares(space, [[50], [10]]));
});

test("missing shares are counted for each due", () => {
  const space = { shares: [10, 20, 50], dues: [[0, 30], [2, 20]] };
  assert.deepEqual(missingShares(space, [[10], [50]]), [20, 0]);
});

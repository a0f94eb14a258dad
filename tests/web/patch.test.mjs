// web/src/patch.js must apply the patches that protocol/patch.py creates. tests/protocol/test_patch.py runs this file and
// passes the path of its cases in PATCH_CASES: histories of views, each with the patch that leads to it, and misfits.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import { applyPatch, Unpatchable } from "../../web/src/patch.js";

const { cases, misfits } = process.env.PATCH_CASES
  ? JSON.parse(readFileSync(process.env.PATCH_CASES, "utf-8"))
  : { cases: [], misfits: [] };

/** Freeze a value and all its parts, so that a change in place throws. */
function frozen(value) {
  if (typeof value === "object" && value !== null) Object.values(Object.freeze(value)).forEach(frozen);
  return value;
}

test("applying each patch gives the next view", () => {
  for (const steps of cases) {
    let have = null;
    for (const { view, patch } of steps) {
      have = frozen(applyPatch(have, frozen(patch)));
      assert.deepStrictEqual(have, view, `${JSON.stringify(patch)} does not lead there`);
    }
  }
});

test("a patch for another view is refused", () => {
  for (const [view, patch] of misfits) {
    assert.throws(() => applyPatch(frozen(view), patch), Unpatchable, JSON.stringify([view, patch]));
  }
});

test("an untouched part stays the same object", () => {
  const view = frozen({ kept: { deep: [1] }, changed: [1, { kept: 2 }] });
  const after = applyPatch(view, [["set", ["changed", 0], 5]]);
  assert.deepStrictEqual(after, { kept: { deep: [1] }, changed: [5, { kept: 2 }] });
  assert.equal(after.kept, view.kept);
  assert.equal(after.changed[1], view.changed[1]);
  assert.equal(applyPatch(view, []), view);
});

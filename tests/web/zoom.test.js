// Making a board larger with two fingers: what is under them stays there, and no edge is ever bare.

import assert from "node:assert/strict";
import { test } from "node:test";

import { UNZOOMED, pinched, clamped } from "../../web/src/parts/zoom.js";

const SIZE = { width: 360, height: 260 };
const at = (x, y) => ({ x, y });

/** Where a point of the drawing is seen. */
function seen({ scale, x, y }, point) {
  return { x: x + point.x * scale, y: y + point.y * scale };
}

test("what is in the middle of two fingers stays there", () => {
  const zoom = pinched(UNZOOMED, [at(100, 80), at(140, 80)], [at(80, 80), at(160, 80)]);
  assert.equal(zoom.scale, 2);
  assert.deepEqual(seen(zoom, at(120, 80)), at(120, 80));
});

test("fingers that move together move the board", () => {
  const before = { scale: 2, x: -100, y: -60 };
  const zoom = pinched(before, [at(100, 80), at(140, 80)], [at(110, 95), at(150, 95)]);
  assert.deepEqual(zoom, { scale: 2, x: -90, y: -45 });
});

test("no edge is bare, and smaller than whole is whole", () => {
  assert.deepEqual(clamped({ scale: 2, x: 50, y: -900 }, SIZE), { scale: 2, x: 0, y: -260 });
  assert.equal(clamped({ scale: 0.4, x: 9, y: 9 }, SIZE), UNZOOMED);
});

test("it grows no further than four times", () => {
  assert.equal(pinched({ scale: 3, x: 0, y: 0 }, [at(0, 0), at(10, 0)], [at(0, 0), at(90, 0)]).scale, 4);
});

test("fingers on one spot do no harm", () => {
  const zoom = pinched(UNZOOMED, [at(5, 5), at(5, 5)], [at(5, 5), at(6, 5)]);
  assert.ok(Number.isFinite(zoom.x) && Number.isFinite(zoom.scale));
});

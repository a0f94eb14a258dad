// Pinch zoom: the points under the fingers stay under them, and no edge has a gap.

import assert from "node:assert/strict";
import { test } from "node:test";

import { clamped, pinched, UNZOOMED } from "../../web/src/parts/zoom.js";

const SIZE = { width: 360, height: 260 };
const at = (x, y) => ({ x, y });

/** Return the position of a point of the drawing on the screen. */
function onScreen({ scale, x, y }, point) {
  return { x: x + point.x * scale, y: y + point.y * scale };
}

test("the point between two fingers stays there", () => {
  const zoom = pinched(UNZOOMED, [at(100, 80), at(140, 80)], [at(80, 80), at(160, 80)]);
  assert.equal(zoom.scale, 2);
  assert.deepEqual(onScreen(zoom, at(120, 80)), at(120, 80));
});

test("fingers that move together move the board", () => {
  const before = { scale: 2, x: -100, y: -60 };
  const zoom = pinched(before, [at(100, 80), at(140, 80)], [at(110, 95), at(150, 95)]);
  assert.deepEqual(zoom, { scale: 2, x: -90, y: -45 });
});

test("a zoom leaves no gap at an edge and never shrinks the board", () => {
  assert.deepEqual(clamped({ scale: 2, x: 50, y: -900 }, SIZE), { scale: 2, x: 0, y: -260 });
  assert.equal(clamped({ scale: 0.4, x: 9, y: 9 }, SIZE), UNZOOMED);
});

test("the scale is at most four", () => {
  assert.equal(pinched({ scale: 3, x: 0, y: 0 }, [at(0, 0), at(10, 0)], [at(0, 0), at(90, 0)]).scale, 4);
});

test("two fingers on one point give a finite zoom", () => {
  const zoom = pinched(UNZOOMED, [at(5, 5), at(5, 5)], [at(5, 5), at(6, 5)]);
  assert.ok(Number.isFinite(zoom.x) && Number.isFinite(zoom.scale));
});

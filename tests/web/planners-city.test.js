// Arrow keys in a city.

import assert from "node:assert/strict";
import { test } from "node:test";

import { neighbourSpace } from "../../web/src/scenes/planners/city.js";

test("arrow keys move from space to space and stop at the edges", () => {
  assert.deepEqual(["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown"].map((key) => neighbourSpace(12, key)), [11, 13, 7, 17]);
  assert.deepEqual(["ArrowRight", "ArrowUp"].map((key) => neighbourSpace(4, key)), [4, 4]);
  assert.deepEqual(["ArrowLeft", "ArrowDown"].map((key) => neighbourSpace(20, key)), [20, 20]);
});

// The map offers what the prompt describes, and nothing else.

import assert from "node:assert/strict";
import { test } from "node:test";

import { mapInteraction } from "../../web/src/scenes/investors/map-interaction.js";

const sticks = Array(82).fill(-1);
sticks[3] = 0;
sticks[4] = 1;
sticks[5] = 2;

/** Return a view whose prompt has these choices. */
function viewWith(...choices) {
  return { mine: 1, play: { game: { sticks }, decision: { number: 7, prompt: { choices } } } };
}

test("one pick selects a street, and picking it again would confirm", () => {
  const view = viewWith({ do: "place_stick", street: { one_of: [8, 9] } }, { do: "waive" });
  assert.equal(mapInteraction(view, {}).command, null);
  const selection = mapInteraction(view, {}).pick(9);
  const interaction = mapInteraction(view, selection);
  assert.deepEqual(interaction.command, { do: "place_stick", street: 9 });
  assert.equal(interaction.last, 9);
  assert.deepEqual(interaction.changes, [[9, 1]]);
});

test("with an empty supply a stick to lift is picked too, in either order", () => {
  const view = viewWith({ do: "place_stick", street: { one_of: [8, 9] }, lift: { one_of: [4] } });
  const lifted = mapInteraction(view, {}).pick(4);
  assert.equal(mapInteraction(view, lifted).command, null);
  const placed = mapInteraction(view, lifted).pick(8);
  assert.deepEqual(mapInteraction(view, placed).command, { do: "place_stick", street: 8, lift: 4 });
  assert.deepEqual(mapInteraction(view, placed).changes, [[4, -1], [8, 1]]);
});

test("a stick moves only to the ends of its own pair", () => {
  const view = viewWith({ do: "move_stick", move: { pairs: [[3, [2, 1]], [5, [6]]] } });
  const start = mapInteraction(view, {}).pick(3);
  const interaction = mapInteraction(view, start);
  assert.equal(interaction.open.get(2), "street");
  assert.equal(interaction.open.has(6), false);
  assert.deepEqual(mapInteraction(view, interaction.pick(1)).command, { do: "move_stick", move: [3, 1] });
  assert.deepEqual(mapInteraction(view, interaction.pick(5)).command, null);
});

test("two picks swap sticks, and a third pick replaces the second", () => {
  const view = viewWith({ do: "swap_sticks", sticks: { some_of: [3, 4, 5], least: 2, most: 2 } });
  const two = mapInteraction(view, mapInteraction(view, {}).pick(3)).pick(4);
  assert.deepEqual(mapInteraction(view, two).command, { do: "swap_sticks", sticks: [3, 4] });
  assert.deepEqual(mapInteraction(view, two).changes, [[3, 1], [4, 0]]);
  assert.deepEqual(mapInteraction(view, two).pick(5).sticks, [3, 5]);
  assert.deepEqual(mapInteraction(view, two).pick(3).sticks, [4]);
});

test("nothing can be picked on the map unless the prompt asks for it", () => {
  assert.equal(mapInteraction(viewWith({ do: "pass_bid" }), {}), null);
  assert.equal(mapInteraction({ mine: null, play: { game: { sticks }, decision: { number: 7 } } }, {}), null);
});

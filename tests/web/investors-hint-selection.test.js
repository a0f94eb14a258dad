// A hint is shown as the selection that a player would have made.

import assert from "node:assert/strict";
import { test } from "node:test";

import { selectionFor } from "../../web/src/scenes/investors/hint-selection.js";
import { mapInteraction } from "../../web/src/scenes/investors/map-interaction.js";

/** Return a view whose prompt has these choices. */
function viewOf(...choices) {
  return { mine: 1, play: { game: { sticks: Array(10).fill(-1) }, decision: { prompt: { choices } } } };
}

test("cheques are selected by index, so two of the same value are distinct", () => {
  const view = viewOf({ do: "raise_bid", cheques: { some_of: [10, 20, 20, 40], least: 1, most: 4 } });
  assert.deepEqual(selectionFor({ do: "raise_bid", cheques: [20, 40, 20] }, view), { cheques: [1, 2, 3] });
});

test("the selection for a stick completes the command on the map", () => {
  const placing = viewOf({ do: "place_stick", street: { one_of: [3, 4] } });
  const place = { do: "place_stick", street: 4 };
  assert.deepEqual(mapInteraction(placing, selectionFor(place, placing)).command, place);
  const moving = viewOf({ do: "move_stick", move: { pairs: [[3, [4, 5]]] } });
  const move = { do: "move_stick", move: [3, 5] };
  assert.deepEqual(mapInteraction(moving, selectionFor(move, moving)).command, move);
});

test("cards and tiles are selected by their fields", () => {
  assert.deepEqual(selectionFor({ do: "play_influence", card: 8 }, viewOf()), { card: 8 });
  assert.deepEqual(selectionFor({ do: "choose_option", option: "villa_residential" }, viewOf()), { option: "villa_residential" });
});

test("a subsidy is selected by its kind and its sticks", () => {
  assert.deepEqual(selectionFor({ do: "claim_subsidy", mode: "influence" }, viewOf()), { mode: "influence" });
  assert.deepEqual(selectionFor({ do: "claim_subsidy", mode: "cheques", sticks: [3] }, viewOf()), { mode: "cheques", sticks: [3] });
});

test("a command that is a single button has no selection", () => {
  for (const name of ["abstain", "pass_bid", "waive", "accept_tender"]) assert.equal(selectionFor({ do: name }, viewOf()), null);
  assert.equal(selectionFor({ do: "pay_offer", cheques: [[10], [20]] }, viewOf()), null);
});

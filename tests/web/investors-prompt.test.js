// Reading prompts: what the page offers is what the server's prompt describes, and nothing else.

import assert from "node:assert/strict";
import { test } from "node:test";

import { ranking } from "../../web/src/parts/points.js";
import { fitsAmounts, fitsSome, missingShares } from "../../web/src/parts/prompt.js";
import { placesOf } from "../../web/src/scenes/investors/decide-cheques.js";
import { mapInteraction } from "../../web/src/scenes/investors/map-interaction.js";
import { revealOf, tied } from "../../web/src/scenes/investors/reveal.js";

const sticks = Array(82).fill(-1);
sticks[3] = 0;
sticks[4] = 1;
sticks[5] = 2;

function asked(...choices) {
  return { mine: 1, play: { game: { sticks }, decision: { number: 7, prompt: { choices } } } };
}

test("cheques are enough when they are more than what lies", () => {
  const space = { some_of: [10, 20, 50], least: 1, most: 3, above: 60 };
  assert.ok(!fitsSome(space, []));
  assert.ok(!fitsSome(space, [10, 50]));
  assert.ok(fitsSome(space, [20, 50]));
});

test("amounts keep to their steps and their most", () => {
  const space = { amounts: [[0, 30], [2, 30]], step: 10, least: 10 };
  assert.ok(!fitsAmounts(space, [0, 0]));
  assert.ok(fitsAmounts(space, [0, 10]));
  assert.ok(!fitsAmounts(space, [5, 10]));
  assert.ok(!fitsAmounts(space, [40, 0]));
});

test("shares say what is still missing for whom", () => {
  const space = { shares: [10, 20, 50], dues: [[0, 30], [2, 20]] };
  assert.deepEqual(missingShares(space, [[10], [50]]), [20, 0]);
});

test("cheques of equal value are told apart by their place", () => {
  assert.deepEqual(placesOf([10, 10, 20, 20], [20, 10]), [0, 2]);
});

test("a street is placed on with one pick, and the same pick again would confirm it", () => {
  const view = asked({ do: "place_stick", street: { one_of: [8, 9] } }, { do: "waive" });
  assert.equal(mapInteraction(view, {}).command, null);
  const selection = mapInteraction(view, {}).pick(9);
  const interaction = mapInteraction(view, selection);
  assert.deepEqual(interaction.command, { do: "place_stick", street: 9 });
  assert.equal(interaction.last, 9);
  assert.deepEqual(interaction.changes, [[9, 1]]);
});

test("with an empty supply a stick to lift is asked for too, in either order", () => {
  const view = asked({ do: "place_stick", street: { one_of: [8, 9] }, lift: { one_of: [4] } });
  const lifted = mapInteraction(view, {}).pick(4);
  assert.equal(mapInteraction(view, lifted).command, null);
  const placed = mapInteraction(view, lifted).pick(8);
  assert.deepEqual(mapInteraction(view, placed).command, { do: "place_stick", street: 8, lift: 4 });
  assert.deepEqual(mapInteraction(view, placed).changes, [[4, -1], [8, 1]]);
});

test("a stick is shifted only to where its own pair says", () => {
  const view = asked({ do: "move_stick", move: { pairs: [[3, [2, 1]], [5, [6]]] } });
  const start = mapInteraction(view, {}).pick(3);
  const interaction = mapInteraction(view, start);
  assert.equal(interaction.open.get(2), "street");
  assert.equal(interaction.open.has(6), false);
  assert.deepEqual(mapInteraction(view, interaction.pick(1)).command, { do: "move_stick", move: [3, 1] });
  assert.deepEqual(mapInteraction(view, interaction.pick(5)).command, null);
});

test("two sticks are swapped, and a third pick takes the place of the second", () => {
  const view = asked({ do: "swap_sticks", sticks: { some_of: [3, 4, 5], least: 2, most: 2 } });
  const two = mapInteraction(view, mapInteraction(view, {}).pick(3)).pick(4);
  assert.deepEqual(mapInteraction(view, two).command, { do: "swap_sticks", sticks: [3, 4] });
  assert.deepEqual(mapInteraction(view, two).changes, [[3, 1], [4, 0]]);
  assert.deepEqual(mapInteraction(view, two).pick(5).sticks, [3, 5]);
  assert.deepEqual(mapInteraction(view, two).pick(3).sticks, [4]);
});

test("nothing can be picked on the map when nothing there is asked", () => {
  assert.equal(mapInteraction(asked({ do: "pass_bid" }), {}), null);
  assert.equal(mapInteraction({ mine: null, play: { game: { sticks }, decision: { number: 7 } } }, {}), null);
});

test("equal cards are tied, and abstaining ties with nobody", () => {
  assert.deepEqual(tied([5, 7, 5, null, null]), [true, false, true, false, false]);
});

test("a reveal sorts high to low and marks who won", () => {
  const view = { mine: 0, seats: ["Ana", "Bo", "Cem", "Dora"].map((name) => ({ name })), play: { game: {} } };
  const rights = [{ seat: 1 }, { seat: 3 }];
  const events = [{ event: "influence_revealed", cards: [5, 7, 5, 2], winners: [1, 3] }, { event: "tender_closed", rights }];
  const reveal = revealOf(events, view);
  assert.deepEqual(reveal.shown.map(({ seat }) => seat), [1, 0, 2, 3]);
  assert.deepEqual(reveal.shown.map(({ rank }) => rank), [1, null, null, 2]);
  assert.deepEqual(reveal.order, [1, 3]);
  assert.equal(revealOf([{ event: "stick_placed" }], view), null);
});

test("seats are ranked by their place", () => {
  assert.deepEqual(ranking({ places: [3, 1, 4, 1] }), [1, 3, 0, 2]);
});

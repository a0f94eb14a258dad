// What the page offers in Planners is what the server's prompt describes, and nothing else.

import assert from "node:assert/strict";
import { test } from "node:test";

import { interactionOf } from "../../web/src/scenes/planners/interaction.js";
import { CARDS, game, seat, view } from "./planners-fixture.js";

const DRAW = { do: "draw" };
const TAKE = { do: "finalize", column: { one_of: [0, 2] } };

test("a column is taken with one pick, and only one that the prompt names can be picked", () => {
  const asked = view(game(), { choices: [DRAW, TAKE] });
  assert.equal(interactionOf(asked, {}).command, null);
  assert.deepEqual([...interactionOf(asked, {}).columns], [0, 2]);
  const interaction = interactionOf(asked, { column: 2 });
  assert.deepEqual(interaction.command, { do: "finalize", column: 2 });
  assert.deepEqual(interaction.previewable, interaction.command);
});

test("a card is drawn with one pick and cannot be looked ahead to", () => {
  const interaction = interactionOf(view(game(), { choices: [DRAW, TAKE] }), { deck: true });
  assert.deepEqual(interaction.command, DRAW);
  assert.equal(interaction.previewable, null);
});

test("where only drawing is possible it needs no pick", () => {
  assert.deepEqual(interactionOf(view(game(), { choices: [DRAW] }), {}).command, DRAW);
  assert.ok(!interactionOf(view(game(), { choices: [DRAW, TAKE] }), {}).isDeckChosen);
});

test("a drawn card is laid in the column that is picked", () => {
  const asked = view(game(undefined, { stage: { name: "laying", card: CARDS.coast3 } }), { choices: [{ do: "lay", column: { one_of: [0, 1, 2] } }] });
  assert.equal(interactionOf(asked, {}).command, null);
  assert.deepEqual(interactionOf(asked, { column: 1 }).command, { do: "lay", column: 1 });
  assert.equal(interactionOf(asked, { column: 1 }).previewable, null);
});

const CITY = `
  1 2 . . .
  . . . . .
  . . . . .
  . . . . .
  65 . . . .
`;

function placing(hand, pairs) {
  const position = game([seat(CITY), seat()], { stage: { name: "placing", column: 0, cards: hand, taken: hand } });
  return view(position, { about: "place", choices: [{ do: "place", placement: { pairs } }, { do: "discard", card: { one_of: hand } }] });
}

test("a card of a district is placed with one pick, on the leftmost empty space of its row", () => {
  const asked = placing([CARDS.coastTracks, CARDS.anyTwo], [[CARDS.coastTracks, [0]], [CARDS.anyTwo, [0, 4]]]);
  assert.equal(interactionOf(asked, {}).card, null);
  const interaction = interactionOf(asked, { card: CARDS.coastTracks });
  assert.equal(interaction.space, 2);
  assert.deepEqual(interaction.command, { do: "place", placement: [CARDS.coastTracks, 0] });
  assert.deepEqual(interaction.previewable, interaction.command);
});

test("a universal card waits for a row, offered at the next space of each", () => {
  const asked = placing([CARDS.coastTracks, CARDS.anyTwo], [[CARDS.coastTracks, [0]], [CARDS.anyTwo, [0, 4]]]);
  const interaction = interactionOf(asked, { card: CARDS.anyTwo });
  assert.equal(interaction.command, null);
  assert.deepEqual([...interaction.spaces.keys()], [2, 21]);
  assert.deepEqual(interactionOf(asked, interaction.spaces.get(21)).command, { do: "place", placement: [CARDS.anyTwo, 4] });
});

test("the last card of the hand is picked by itself", () => {
  const interaction = interactionOf(placing([CARDS.coastTracks], [[CARDS.coastTracks, [0]]]), {});
  assert.deepEqual(interaction.command, { do: "place", placement: [CARDS.coastTracks, 0] });
});

test("a card that fits nowhere can only be discarded", () => {
  const asked = placing([CARDS.coast3, CARDS.anyTwo], [[CARDS.anyTwo, [4]]]);
  const interaction = interactionOf(asked, { card: CARDS.coast3 });
  assert.deepEqual(interaction.command, { do: "discard", card: CARDS.coast3 });
  assert.equal(interaction.spaces.size, 0);
});

function choosing(...choices) {
  return view(game([seat(CITY), seat()], { stage: { name: "bonus", row: 0, cards: [], taken: [] } }), { about: "bonus", choices });
}

test("a token goes on a card, a bonus card into a row, points nowhere", () => {
  const tracks = { do: "take_tracks", space: { one_of: [0, 1] } };
  const asked = choosing({ do: "take_universal", row: { one_of: [0, 1] } }, tracks);
  assert.equal(interactionOf(asked, {}).bonus, null);
  assert.equal(interactionOf(asked, { bonus: "tracks" }).command, null);
  assert.deepEqual(interactionOf(asked, interactionOf(asked, { bonus: "tracks" }).spaces.get(1)).command, { do: "take_tracks", space: 1 });
  const card = interactionOf(asked, { bonus: "universal" });
  assert.deepEqual([...card.spaces.keys()], [2, 5]);
  assert.deepEqual(interactionOf(asked, card.spaces.get(5)).command, { do: "take_universal", row: 1 });
  assert.deepEqual(interactionOf(choosing({ do: "take_points" }, tracks), { bonus: "points" }).command, { do: "take_points" });
});

test("a bonus without an alternative is picked by itself, unless it may be declined", () => {
  assert.equal(interactionOf(choosing({ do: "take_release" }), {}).bonus, "release");
  assert.equal(interactionOf(choosing({ do: "take_release" }, { do: "decline" }), {}).bonus, null);
});

test("ending the turn and passing need no pick", () => {
  assert.deepEqual(interactionOf(view(game(), { choices: [{ do: "confirm" }] }), {}).command, { do: "confirm" });
  assert.deepEqual(interactionOf(view(game(), { choices: [{ do: "pass" }] }), {}).command, { do: "pass" });
});

test("nothing can be picked by whom nothing is asked", () => {
  const interaction = interactionOf(view(game()), {});
  assert.deepEqual([interaction.columns.size, interaction.deck, interaction.spaces.size, interaction.command], [0, false, 0, null]);
});

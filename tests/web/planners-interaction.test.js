// The page offers what the prompt describes, and nothing else.

import assert from "node:assert/strict";
import { test } from "node:test";

import { interactionOf, selectionFor } from "../../web/src/scenes/planners/interaction.js";
import { CARDS, game, seat, view } from "./planners-fixture.js";

const DRAW = { do: "draw" };
const TAKE = { do: "finalize", column: { one_of: [0, 2] } };

test("one pick selects a column that the prompt offers", () => {
  const asked = view(game(), { choices: [DRAW, TAKE] });
  assert.equal(interactionOf(asked, {}).command, null);
  assert.deepEqual([...interactionOf(asked, {}).columns], [0, 2]);
  const interaction = interactionOf(asked, { column: 2 });
  assert.deepEqual(interaction.command, { do: "finalize", column: 2 });
  assert.deepEqual(interaction.previewable, interaction.command);
});

test("one pick selects drawing, which cannot be previewed", () => {
  const interaction = interactionOf(view(game(), { choices: [DRAW, TAKE] }), { deck: true });
  assert.deepEqual(interaction.command, DRAW);
  assert.equal(interaction.previewable, null);
});

test("drawing is selected by default if it is the only choice", () => {
  assert.deepEqual(interactionOf(view(game(), { choices: [DRAW] }), {}).command, DRAW);
  assert.ok(!interactionOf(view(game(), { choices: [DRAW, TAKE] }), {}).isDeckChosen);
});

test("a drawn card goes to the column that is picked", () => {
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

test("one pick places a card of a district on the leftmost empty space of its row", () => {
  const asked = placing([CARDS.coastTracks, CARDS.anyTwo], [[CARDS.coastTracks, [0]], [CARDS.anyTwo, [0, 4]]]);
  assert.equal(interactionOf(asked, {}).card, null);
  const interaction = interactionOf(asked, { card: CARDS.coastTracks });
  assert.equal(interaction.space, 2);
  assert.deepEqual(interaction.command, { do: "place", placement: [CARDS.coastTracks, 0] });
  assert.deepEqual(interaction.previewable, interaction.command);
});

test("a universal card needs a row, offered at the next space of each", () => {
  const asked = placing([CARDS.coastTracks, CARDS.anyTwo], [[CARDS.coastTracks, [0]], [CARDS.anyTwo, [0, 4]]]);
  const interaction = interactionOf(asked, { card: CARDS.anyTwo });
  assert.equal(interaction.command, null);
  assert.deepEqual([...interaction.spaces.keys()], [2, 21]);
  assert.deepEqual(interactionOf(asked, interaction.spaces.get(21)).command, { do: "place", placement: [CARDS.anyTwo, 4] });
});

test("the last card of the hand is selected by default", () => {
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

test("a token is placed on a card, a bonus card in a row, and points nowhere", () => {
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

test("a single bonus is selected by default, unless it may be declined", () => {
  assert.equal(interactionOf(choosing({ do: "take_release" }), {}).bonus, "release");
  assert.equal(interactionOf(choosing({ do: "take_release" }, { do: "decline" }), {}).bonus, null);
});

test("ending the turn and passing need no pick", () => {
  assert.deepEqual(interactionOf(view(game(), { choices: [{ do: "confirm" }] }), {}).command, { do: "confirm" });
  assert.deepEqual(interactionOf(view(game(), { choices: [{ do: "pass" }] }), {}).command, { do: "pass" });
});

test("a seat that is not asked can pick nothing", () => {
  const interaction = interactionOf(view(game()), {});
  assert.deepEqual([interaction.columns.size, interaction.deck, interaction.spaces.size, interaction.command], [0, false, 0, null]);
});

test("a hint selects what a player would have clicked", () => {
  const selections = [
    [{ do: "draw" }, { deck: true }],
    [{ do: "finalize", column: 2 }, { column: 2 }],
    [{ do: "lay", column: 0 }, { column: 0 }],
    [{ do: "place", placement: [CARDS.anyTwo, 4] }, { card: CARDS.anyTwo, row: 4 }],
    [{ do: "discard", card: CARDS.anyTwo }, { card: CARDS.anyTwo }],
    [{ do: "take_tracks", space: 0 }, { bonus: "tracks", space: 0 }],
    [{ do: "take_depot", row: 0 }, { bonus: "depot", row: 0 }],
    [{ do: "take_points" }, { bonus: "points" }],
    [{ do: "confirm" }, null],
  ];
  for (const [command, selection] of selections) assert.deepEqual(selectionFor(command), selection);
});

// Which elements can be picked for a prompt, what is selected by default, and when a command is complete.

import assert from "node:assert/strict";
import { test } from "node:test";

import { fieldPoints, moneyPoints, neighbourPlot, plotOf, spacesOf } from "../../web/src/scenes/builders/game-data.js";
import { assignSlots } from "../../web/src/scenes/builders/displays.js";
import { chosenCommand, completeCommand, feeOf, isSame, pickable, pickablePlots, spaceCommand } from "../../web/src/scenes/builders/turn.js";
import { game, seat, view } from "./builders-fixture.js";

const onBuild = game({ stage: { name: "acting" }, pawns: [[3, 0], null, null] });
const acting = [
  { do: "take_dollar" },
  { do: "build" },
  { do: "take_permit", permit: { one_of: [0, 10, 41] } },
  { do: "clean_up", plot: { one_of: [1, 5, -1] } },
];

test("a plot has the colour and number of its place on the card", () => {
  assert.deepEqual(plotOf(game(), 0), { colour: "purple", number: 6 });
  assert.deepEqual(plotOf(game(), 7), { colour: "yellow", number: 5 });
});

test("arrow keys move through the whole city and stop at its edge", () => {
  // Two columns and three rows of plots on each of three by two cards.
  assert.equal(neighbourPlot(game(), 0, "ArrowRight"), 1);
  assert.equal(neighbourPlot(game(), 1, "ArrowRight"), 6);
  assert.equal(neighbourPlot(game(), 4, "ArrowDown"), 18);
  assert.equal(neighbourPlot(game(), 18, "ArrowUp"), 4);
  assert.equal(neighbourPlot(game(), 0, "ArrowLeft"), null);
  assert.equal(neighbourPlot(game(), 0, "ArrowUp"), null);
  assert.equal(neighbourPlot(game(), 35, "ArrowRight"), null);
  assert.equal(neighbourPlot(game(), 35, "ArrowDown"), null);
});

test("a game of two uses the other side of an action card", () => {
  assert.equal(spacesOf(game({ seats: [seat(), seat()] }), 1).length, 3);
  assert.equal(spacesOf(game(), 1).length, 5);
  assert.throws(() => spacesOf(game({ action_cards: ["A9"] }), 1));
});

test("a game keeps the numbers of the rules that it was begun with", () => {
  assert.deepEqual(
    spacesOf(game(), 3).map(({ action }) => action),
    ["build", "permit", "clean_up", "pass", "dollar"],
  );
  assert.deepEqual(
    spacesOf(game({ rules: 4 }), 3).map(({ action }) => action),
    ["build", "permit", "material", "pass", "dollar"],
  );
  assert.deepEqual([fieldPoints(game(), 5, 4), moneyPoints(game())[15]], [10, 4]);
  assert.deepEqual([fieldPoints(game({ rules: 4 }), 9, 4), moneyPoints(game({ rules: 4 }))[15]], [6, 2]);
});

test("the action of the own space is selected by default, if it is offered", () => {
  assert.deepEqual(chosenCommand(view("act", acting, onBuild), {}), { do: "build" });
  const withoutBuild = acting.filter((choice) => choice.do !== "build");
  assert.equal(chosenCommand(view("act", withoutBuild, onBuild), {}), null);
});

test("nothing is selected while another seat decides", () => {
  assert.equal(chosenCommand(view("take_card", null), {}), null);
  assert.equal(completeCommand(view("confirm", null), {}), null);
});

test("the first offered development card is selected by default", () => {
  const offered = [{ do: "take_card", symbol: { one_of: ["hydrant", "tram"] } }, { do: "decline_card" }];
  assert.deepEqual(completeCommand(view("take_card", offered), {}), { do: "take_card", symbol: "hydrant" });
});

test("a command is complete when every field has a value from the prompt", () => {
  const asked = view("act", acting, onBuild);
  assert.deepEqual(completeCommand(asked, { do: "build" }), { do: "build" });
  assert.equal(completeCommand(asked, { do: "take_permit" }), null);
  assert.deepEqual(completeCommand(asked, { do: "take_permit", permit: 41 }), { do: "take_permit", permit: 41 });
  assert.equal(completeCommand(asked, { do: "take_permit", permit: 5 }), null, "not on display");
  assert.deepEqual(completeCommand(view("act", [{ do: "take_permit", permit: { one_of: [7] } }], onBuild), { do: "take_permit" }), {
    do: "take_permit",
    permit: 7,
  });
});

test("targets of another action can be picked only after that action is selected", () => {
  const asked = view("act", acting, onBuild);
  assert.deepEqual(pickable(asked, {}, "take_permit", "permit"), []);
  assert.deepEqual(pickable(asked, { do: "take_permit" }, "take_permit", "permit"), [0, 10, 41]);
  assert.equal(pickablePlots(asked, {}), null);
  assert.deepEqual(pickablePlots(asked, { do: "clean_up" }), { command: "clean_up", plots: [1, 5] });
});

test("targets of a bonus can be picked after that bonus is selected, and at once if it is the only one", () => {
  const [permit, goal] = [{ do: "take_permit", permit: { one_of: [0, 7] } }, { do: "take_goal", goal: { one_of: ["row", "blind"] } }];
  const asked = view("bonus", [permit, goal], game({ area: 0 }));
  assert.deepEqual(pickable(asked, {}, "take_permit", "permit"), []);
  assert.deepEqual(pickable(asked, { do: "take_permit" }, "take_permit", "permit"), [0, 7]);
  assert.deepEqual(pickable(asked, { do: "take_permit" }, "take_goal", "goal"), []);
  assert.deepEqual(pickable(view("bonus", [permit], game({ area: 0 })), {}, "take_permit", "permit"), [0, 7]);
});

test("a space places the pawn first, and later carries out its action for a fee", () => {
  const standing = view("place_pawn", [{ do: "place_pawn", space: { one_of: [0, 4] } }]);
  assert.deepEqual(spaceCommand(standing, 4), { command: { do: "place_pawn", space: 4 }, fee: 0 });
  assert.equal(spaceCommand(standing, 1), null);
  const asked = view("act", acting, onBuild);
  assert.deepEqual(spaceCommand(asked, 0), { command: { do: "build" }, fee: 0 });
  assert.deepEqual(spaceCommand(asked, 2), { command: { do: "clean_up" }, fee: 4 });
  assert.deepEqual(spaceCommand(asked, 4), { command: { do: "take_dollar" }, fee: 0 });
  assert.equal(spaceCommand(asked, 3), null, "only a pawn on the space may pass");
});

test("taking a dollar never costs a fee", () => {
  assert.equal(feeOf(onBuild, "take_dollar"), 0);
  assert.equal(feeOf(onBuild, "take_permit"), 2);
});

test("commands are the same if all their fields are equal", () => {
  assert.ok(isSame({ do: "clean_up", plot: 1 }, { do: "clean_up", plot: 1 }));
  assert.ok(!isSame({ do: "clean_up", plot: 1 }, { do: "clean_up", plot: 5 }));
  assert.ok(!isSame({ do: "clean_up" }, { do: "clean_up", plot: 5 }));
  assert.ok(!isSame(null, null));
});

test("items on display keep their slots, and new ones fill the gaps", () => {
  const first = assignSlots([null, null, null], [7, 8, 9]);
  assert.deepEqual(first, [7, 8, 9]);
  assert.deepEqual(assignSlots(first, [7, 9]), [7, null, 9]);
  assert.deepEqual(assignSlots([7, null, 9], [7, 9, 4]), [7, 4, 9]);
  assert.deepEqual(assignSlots([7, 4, 9], []), [null, null, null]);
});

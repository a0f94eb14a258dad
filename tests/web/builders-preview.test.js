// Prices and changes of a command, computed from two views.

import assert from "node:assert/strict";
import { test } from "node:test";

import { changesOf, goalsOf, pointsOf, priceOf } from "../../web/src/scenes/builders/preview.js";
import { game, seat } from "./builders-fixture.js";

const composing = game({ stage: { name: "composing", permits: [3], plots: [] } });
const acting = game({ stage: { name: "acting" }, pawns: [[3, 0], null, null] });

function amounts(parts) {
  return Object.fromEntries(parts.map(({ part, amount }) => [part, amount]));
}

test("a building costs the price of the year, and more on rubble", () => {
  assert.deepEqual(amounts(priceOf(composing, { do: "choose_plot", plot: 0 })), { year: 2 });
  assert.deepEqual(amounts(priceOf(composing, { do: "choose_plot", plot: 5 })), { year: 2, rubble: 3 });
});

test("a price of zero is not listed", () => {
  const first = game({ ...composing, costs: { ...composing.costs, build: 0 } });
  assert.deepEqual(priceOf(first, { do: "choose_plot", plot: 0 }), []);
});

test("a tram is the only development card with a price", () => {
  const gaining = game({ stage: { name: "gaining", symbols: ["tram", "light"] } });
  assert.deepEqual(amounts(priceOf(gaining, { do: "take_card", symbol: "tram" })), { tram: 1 });
  assert.deepEqual(priceOf(gaining, { do: "take_card", symbol: "light" }), []);
});

test("an action of another space costs a fee besides its own price", () => {
  assert.deepEqual(amounts(priceOf(acting, { do: "clean_up", plot: 1 })), { fee: 4, clean_up: 3 });
  assert.deepEqual(amounts(priceOf(acting, { do: "clean_up", plot: -1 })), { fee: 4, step: 2 });
  assert.deepEqual(amounts(priceOf(acting, { do: "take_permit", permit: 0 })), { fee: 2 });
  assert.deepEqual(priceOf(acting, { do: "take_dollar" }), []);
});

test("changes are numbers before and after", () => {
  const own = seat({ money: 2, marker: [3, 2], rubble: 2, front: 1, cards: { light: 0, tram: 0, hydrant: 2, park: [] } });
  const after = game({ seats: [{ ...own, points: { ...own.points, board: 2, cards: 4 } }, seat(), seat()], hidden_goals: { colour_set: 10 } });
  assert.deepEqual(changesOf(game(), after, 0), {
    money: [7, 2],
    points: [7, 22],
    marker: { from: -1, to: 2 },
    rubble: 1,
    houses: -1,
    cards: ["hydrant"],
    permits: [],
    goals: [],
  });
});

test("gained permits and goals are listed, and spent ones are not", () => {
  const before = game({ seats: [seat({ permits: [3, 4] }), seat(), seat()] });
  const after = game({ seats: [seat({ permits: [4, 8], open_goals: ["row"] }), seat(), seat()] });
  const { permits, goals, marker } = changesOf(before, after, 0);
  assert.deepEqual({ permits, goals, marker }, { permits: [8], goals: ["row"], marker: null });
});

test("hidden goals count for their owner, and at the end for everybody", () => {
  const position = game({ hidden_goals: { colour_set: 10 }, seats: [seat(), seat(), seat()] });
  assert.equal(pointsOf(position, 0, 0), 17);
  assert.equal(pointsOf(position, 1, 0), 7);
  assert.equal(pointsOf(game({ final: [{ total: 40 }, { total: 31 }, { total: 2 }] }), 1, 0), 31);
});

test("the goals of a seat are those that the viewer knows", () => {
  const own = seat({ open_goals: ["row"], goal_points: { majority_green: 5, row: -2 } });
  const position = game({ seats: [own, own, seat()] });
  assert.deepEqual(goalsOf(position, 0, 0), { colour_set: 0, row: -2 });
  assert.deepEqual(goalsOf(position, 1, 0), { row: -2 });
  assert.deepEqual(goalsOf(game({ hidden_goals: null }), 2, null), {});
});

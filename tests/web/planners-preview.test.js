// What a command would change is found by comparing two positions, and told in words.

import assert from "node:assert/strict";
import { test } from "node:test";

import { language } from "../../web/src/catalogue/index.js";
import "../../web/src/catalogue/planners.js";
import { pointsText } from "../../web/src/parts/points.js";
import { cardOf, hasFeature, linksOf, nextSpace } from "../../web/src/scenes/planners/cards.js";
import { changesOf } from "../../web/src/scenes/planners/changes.js";
import { neighbourSpace } from "../../web/src/scenes/planners/city.js";
import { effectsOf } from "../../web/src/scenes/planners/effects.js";
import { stacksOf } from "../../web/src/scenes/planners/market.js";
import { selectionFor } from "../../web/src/scenes/planners/interaction.js";
import { tieText, tiesOf } from "../../web/src/scenes/planners/ties.js";
import { halvesText, signed } from "../../web/src/scenes/planners/labels.js";
import { CARDS, game, seat, view } from "./planners-fixture.js";

language.value = "en";

test("half points are written as people write them", () => {
  assert.deepEqual([19, 20, 1, 0, -1, -2, -3].map(halvesText), ["9½", "10", "½", "0", "−½", "−1", "−1½"]);
  assert.deepEqual([5, 0, -2].map(signed), ["+2½", "0", "−1"]);
  assert.equal(pointsText(19), "19");
});

test("the faces of cards are those of the box", () => {
  assert.deepEqual([cardOf(CARDS.coast3).district, cardOf(CARDS.coast3).value], ["blue", 3]);
  assert.ok(hasFeature(CARDS.civicFoundation, "foundation") && hasFeature(CARDS.civicSquare, "square") && hasFeature(CARDS.parksTracks, "tracks"));
  assert.equal(cardOf(CARDS.anyTwo).district, "universal");
  assert.throws(() => cardOf(0));
});

test("the next space is the leftmost empty one of the row, and a full row has none", () => {
  const { cards } = seat(`
    1  2  .  .  .
    16 17 18 19 20
    .  .  .  .  .
    .  .  .  .  .
    .  .  .  .  .
  `);
  assert.deepEqual([0, 1, 2].map((row) => nextSpace(cards, row)), [2, null, 10]);
});

test("the line joins neighbours that carry cable cars, and the printed depots below", () => {
  // 15 and 20 lie one above the other, 16 beside 15, 4 alone, 9 below it; 19 and 20 only seem to be neighbours.
  assert.deepEqual(linksOf([15, 16, 20]), [[15, 16], [15, 20], [20, null]]);
  assert.deepEqual(linksOf([4, 9, 5]), [[4, 9]]);
  assert.deepEqual(linksOf([19, 20]), [[20, null]]);
});

test("arrow keys walk from space to space and stop at the edges", () => {
  assert.deepEqual(["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown"].map((key) => neighbourSpace(12, key)), [11, 13, 7, 17]);
  assert.deepEqual(["ArrowRight", "ArrowUp"].map((key) => neighbourSpace(4, key)), [4, 4]);
  assert.deepEqual(["ArrowLeft", "ArrowDown"].map((key) => neighbourSpace(20, key)), [20, 20]);
});

test("foundation tokens are used from the left", () => {
  assert.deepEqual(stacksOf(10, 10), [2, 2, 2, 2, 2]);
  assert.deepEqual(stacksOf(5, 10), [0, 0, 1, 2, 2]);
  assert.deepEqual(stacksOf(0, 6), [0, 0, 0]);
});

function behind(order) {
  return Array.from({ length: 6 }, () => order.map((each) => ({ seat: each, total: 0, points: 0, tie: null })));
}

test("a placement shows what it connects, completes and scores", () => {
  const before = game([seat(`. . . . .  28 25 . . .  . . . . .  . . . . .  . . . . .`, { sites: [[5, 3, 7]], points: 3, contracts: 1 }), seat()]);
  const city = `. . . . .  28 25 . . .  . . . . .  . . . . .  65 . . . .`;
  const values = Array(25).fill(0);
  values[6] = 4;
  const after = game(
    [seat(city, { values, cars: [20], towers: [5], totals: [0, 4, 0, 0, 2], points: 9, contracts: 0 }), seat()],
    { completed: [null, null, null, null, 0], medal: 0, stage: { name: "bonus", row: 4, cards: [], taken: [] } },
  );
  before.standings = behind([1, 0]);
  after.standings = behind([1, 0]).with(1, [{ seat: 0, total: 4, points: 4, tie: null }, { seat: 1, total: 0, points: 0, tie: null }]);
  const changes = changesOf(before, after, 0);
  assert.deepEqual(changes.cards, [20]);
  assert.deepEqual(changes.cars, [20]);
  assert.deepEqual(changes.towers, [5]);
  assert.deepEqual(changes.values, [{ space: 6, from: 0, to: 4 }]);
  assert.deepEqual(changes.ranks, [{ category: 1, from: 2, to: 1 }]);
  assert.deepEqual(changes.rows, [4]);
  assert.equal(changes.medal, true);
  assert.equal(changes.bonus, 4);
  assert.deepEqual(changes.points, { from: 3, to: 9 });
  assert.deepEqual(
    effectsOf(before, after, changes, 0).map(({ text }) => text),
    [
      "Skyscraper in Civic 1: +1",
      "The medal is yours: +1",
      "First to fill Parks: +1",
      "Second compass: then hand back 2 contracts or tracks",
      "One more cable car: 1 in all",
      "Civic 2 counts 0 → 4",
      "You rise to 1st in Civic",
      "Civic counts 0 → 4",
      "Parks counts 0 → 2",
      "Contracts: 1 → 0",
    ],
  );
});

test("a foundation that comes nearer is told, one that stays is not", () => {
  const before = game([seat("", { sites: [[5, 3, 7], [10, 2, 7]] }), seat()]);
  const after = game([seat("", { sites: [[5, 5, 7], [10, 2, 7]] }), seat()]);
  assert.deepEqual(changesOf(before, after, 0).sites, [{ space: 5, from: 3, sum: 5, needed: 7 }]);
});

test("the seaside is told once for all foundations", () => {
  const before = game([seat("", { sites: [[5, 3, 7], [10, 2, 7]] }), seat()]);
  const after = game([seat("", { sites: [[5, 4, 6], [10, 2, 6]] }), seat()]);
  const changes = changesOf(before, after, 0);
  assert.equal(changes.sites.length, 2);
  assert.deepEqual(
    effectsOf(before, after, changes, 0).map(({ text }) => text),
    ["Foundations need 6 now, not 7", "Civic 1: 4 of 6 for a skyscraper"],
  );
});

test("a hint is taken up as if one had clicked it", () => {
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

test("nothing is told where nothing changes", () => {
  const same = game();
  assert.deepEqual(effectsOf(same, same, changesOf(same, same, 0), 0), []);
});

test("a sold-out bonus leaves only tracks to choose", () => {
  const after = game(undefined, { stage: { name: "bonus", row: 3, cards: [], taken: [] }, bonuses: { points: 0, tracks: 2 } });
  const changes = changesOf(game(), after, 0);
  assert.deepEqual(effectsOf(game(), after, changes, 0).map(({ text }) => text), ["Second compass: then a tracks token"]);
});

test("a tie names what decided it", () => {
  const values = Array(25).fill(0);
  values[2] = 3;
  const position = game([seat("", { values, cars: [0, 5] }), seat("", { cars: [0, 1] })]);
  position.standings[0] = [{ seat: 0, total: 3, points: 4, tie: null }, { seat: 1, total: 3, points: 0, tie: { by: "space", space: 2 } }];
  position.standings[5] = [{ seat: 0, total: 2, points: 5, tie: null }, { seat: 1, total: 2, points: 0, tie: { by: "column", column: 0 } }];
  position.standings[1] = [{ seat: 1, total: 0, points: 4, tie: null }, { seat: 0, total: 0, points: 0, tie: { by: "turn" } }];
  const words = (category) => tiesOf(position, category).map((tie) => tieText(view(position), tie));
  assert.deepEqual(words(0), ["You before Bo at 3: Coast 3, 3 against 0."]);
  assert.deepEqual(words(5), ["You before Bo at 2: column 1, 2 against 1."]);
  assert.deepEqual(words(1), ["Bo before you at 0: all equal, so turn order from whoever ended the game."]);
  assert.deepEqual(words(2), []);
});

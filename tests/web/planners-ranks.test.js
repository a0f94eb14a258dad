// The ranks read from the standings: ties, and the points that they leave open.

import assert from "node:assert/strict";
import { test } from "node:test";

import { hasStandings, pointsNow, ranksOf } from "../../web/src/scenes/planners/ranks.js";
import { game, seat } from "./planners-fixture.js";

const CARD = "1";

/** Return a game of three seats whose standings in the first row are given; the other categories are empty. */
function ranked(ranking, more = {}) {
  const seats = [9, 4, 0].map((points) => seat(CARD, { points }));
  return game(seats, { standings: [ranking, [], [], [], [], []], ...more });
}

const SETTLED = [
  { seat: 2, total: 6, points: 4, tie: null },
  { seat: 0, total: 6, points: 2, tie: { by: "space", space: 3 } },
  { seat: 1, total: 1, points: 0, tie: null },
];
const OPEN = [
  { seat: 0, total: 6, points: 4, tie: null },
  { seat: 2, total: 6, points: 2, tie: { by: "turn" } },
  { seat: 1, total: 1, points: 0, tie: null },
];

test("equal totals are tied, and a card of the row settles them", () => {
  const ranks = ranksOf(ranked(SETTLED), 0);
  assert.deepEqual(
    ranks.map(({ seat, isTied, isOpen }) => [seat, isTied, isOpen]),
    [
      [2, true, false],
      [0, true, false],
      [1, false, false],
    ],
  );
});

test("a tie that only the turn order would break is open, and gives nobody points", () => {
  const position = ranked(OPEN);
  assert.deepEqual(
    ranksOf(position, 0).map(({ isOpen }) => isOpen),
    [true, true, false],
  );
  assert.deepEqual(
    [0, 1, 2].map((each) => pointsNow(position, each)),
    [9 - 4, 4, 0 - 2],
  );
});

test("at the end the turn order has broken all ties", () => {
  const position = ranked(OPEN, { stage: { name: "over" } });
  assert.ok(ranksOf(position, 0).every(({ isOpen }) => !isOpen));
  assert.equal(pointsNow(position, 0), 9);
});

test("there are no standings before the first card", () => {
  assert.equal(hasStandings(game()), false);
  assert.equal(hasStandings(game([seat(), seat(`. . . . . ${CARD}`)])), true);
});

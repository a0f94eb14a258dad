// Reveals are sorted, and mark ties and winners.

import assert from "node:assert/strict";
import { test } from "node:test";

import { revealOf, tied } from "../../web/src/scenes/investors/reveal.js";

test("equal cards are tied, and abstaining is never tied", () => {
  assert.deepEqual(tied([5, 7, 5, null, null]), [true, false, true, false, false]);
});

test("a reveal is sorted from high to low and marks the winners", () => {
  const view = { mine: 0, seats: ["Ana", "Bo", "Cem", "Dora"].map((name) => ({ name })), play: { game: {} } };
  const rights = [{ seat: 1 }, { seat: 3 }];
  const events = [{ event: "influence_revealed", cards: [5, 7, 5, 2], winners: [1, 3] }, { event: "tender_closed", rights }];
  const reveal = revealOf(events, view);
  assert.deepEqual(reveal.shown.map(({ seat }) => seat), [1, 0, 2, 3]);
  assert.deepEqual(reveal.shown.map(({ rank }) => rank), [1, null, null, 2]);
  assert.deepEqual(reveal.order, [1, 3]);
  assert.equal(revealOf([{ event: "stick_placed" }], view), null);
});

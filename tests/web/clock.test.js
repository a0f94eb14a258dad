import assert from "node:assert/strict";
import { test } from "node:test";
import { isTimeShort, timeLeft } from "../../web/src/parts/time-left.js";
import { TableModel } from "../../web/src/store.js";

/** Return a model with a clock of 60 s for two seats, of which the first has been awaited for 10 s. */
function modelAfterTenSeconds() {
  const table = new TableModel("abcd", null, /** @type {any} */ ({}));
  const view = {
    table: { paused: false },
    seats: [{ stand_in: null }, { stand_in: null }],
    clock: { thinking: [60_000, 60_000] },
    play: { decision: { number: 7, awaited: [0] } },
  };
  table.receive({ type: "view", number: 1, view, missed: [], elapsed: 10_000 });
  return table;
}

const secondsLeft = (table, seat, later = 0) => {
  const left = timeLeft(table, seat, Date.now() + later);
  return left === null ? null : Math.round(left / 1000);
};

test("the clock of an awaited seat runs from the time that the server sent", () => {
  const table = modelAfterTenSeconds();
  assert.equal(secondsLeft(table, 0), 50);
  assert.equal(secondsLeft(table, 0, 5_000), 45);
  assert.equal(secondsLeft(table, 1, 5_000), 60);
});

test("a pause stops the clock where it is, and resuming lets it run on from there", () => {
  const table = modelAfterTenSeconds();
  table.receive({ type: "update", number: 2, patch: [["set", ["table", "paused"], true]], events: [], elapsed: 12_000 });
  assert.equal(secondsLeft(table, 0), 48);
  assert.equal(secondsLeft(table, 0, 900_000), 48);
  table.receive({ type: "update", number: 3, patch: [["set", ["table", "paused"], false]], events: [], elapsed: 12_000 });
  assert.equal(secondsLeft(table, 0, 1_000), 47);
});

test("an undone step does not give the clock its full time again", () => {
  const table = modelAfterTenSeconds();
  table.receive({ type: "update", number: 2, patch: [["set", ["play", "decision", "number"], 8]], events: [], elapsed: 11_000 });
  assert.equal(secondsLeft(table, 0), 49);
});

test("a seat for which a bot stands in has no clock", () => {
  const table = modelAfterTenSeconds();
  table.receive({ type: "update", number: 2, patch: [["set", ["seats", 0, "stand_in"], "normal"]], events: [], elapsed: 60_000 });
  assert.equal(secondsLeft(table, 0), null);
});

test("time is short in the last twenty seconds of the visitor's own decision", () => {
  const table = modelAfterTenSeconds();
  const isShort = (mine, later) => {
    table.view.value = { ...table.view.value, mine };
    return isTimeShort(table, Date.now() + later);
  };
  assert.equal(isShort(0, 0), false);
  assert.equal(isShort(0, 31_000), true);
  assert.equal(isShort(1, 31_000), false);
  assert.equal(isShort(null, 31_000), false);
  table.view.value = { ...table.view.value, table: { paused: true } };
  assert.equal(isShort(0, 31_000), false);
  assert.equal(isTimeShort(null, Date.now()), false);
});

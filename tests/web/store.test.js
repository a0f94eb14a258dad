import assert from "node:assert/strict";
import { test } from "node:test";
import { Store, TableModel } from "../../web/src/store.js";

/** A table model with the requests that it made. */
function model() {
  const asked = [];
  const socket = { request: async (message) => void asked.push(message) };
  return { table: new TableModel("abcd", null, /** @type {any} */ (socket)), asked };
}

const VIEW = { play: { decision: { number: 1 } }, seats: [] };

test("updates in order change the view; one seen before changes nothing", () => {
  const { table } = model();
  table.receive({ type: "view", number: 4, view: VIEW, missed: [], elapsed: 0 });
  const update = { type: "update", number: 5, patch: [["set", ["play", "decision", "number"], 2]], events: [{ event: "bid_made" }] };
  table.receive(update);
  table.receive(update);
  assert.equal(table.view.value.play.decision.number, 2);
  assert.deepEqual(table.latest.value, [{ event: "bid_made" }]);
  assert.deepEqual(table.log.value.map(({ event }) => event.event), ["bid_made"]);
});

test("a gap asks for what is missing and says what is there", () => {
  const { table, asked } = model();
  table.receive({ type: "view", number: 3, stamp: "three", view: VIEW, missed: [], elapsed: 0 });
  table.receive({ type: "update", number: 4, stamp: "four", patch: [], events: [] });
  table.receive({ type: "update", number: 6, stamp: "six", patch: [], events: [] });
  assert.deepEqual(asked, [{ type: "watch", table: "abcd", have: 4, stamp: "four" }]);
  assert.deepEqual(table.view.value, VIEW);
});

test("what was missed is told once, even if the server says it twice, and also if its storage went back", () => {
  const { table } = model();
  const hear = (number, stamp, missed) => table.receive({ type: "view", number, stamp, view: VIEW, missed, elapsed: 0 });
  hear(4, "four", []);
  for (const _ of [1, 2]) hear(6, "six", [{ event: "bid_made" }, { event: "passed" }]);
  hear(5, "lost", [{ event: "went_back" }]);
  assert.deepEqual(table.log.value.map(({ event }) => event.event), ["bid_made", "passed", "went_back"]);
});

test("an update before the first view is not taken", () => {
  const { table } = model();
  table.receive({ type: "update", number: 1, patch: [], events: [{ event: "bid_made" }] });
  assert.equal(table.view.value, null);
  assert.deepEqual(table.log.value, []);
});

test("what happened while away is told, but not what happened before the first visit", () => {
  const { table } = model();
  table.receive({ type: "view", number: 4, view: VIEW, missed: [{ event: "old" }], elapsed: 0 });
  assert.equal(table.missed.value, null);
  table.receive({ type: "view", number: 9, view: VIEW, missed: [{ event: "new" }], elapsed: 0 });
  assert.deepEqual(table.missed.value, [{ event: "new" }]);
  assert.deepEqual(table.log.value.map(({ event }) => event.event), ["old", "new"]);
});

test("the log keeps its end, and every line its key", () => {
  const { table } = model();
  table.receive({ type: "view", number: 0, view: VIEW, missed: [], elapsed: 0 });
  for (let number = 1; number <= 450; number += 1) table.receive({ type: "update", number, patch: [], events: [{ event: `e${number}` }] });
  assert.equal(table.log.value.length, 400);
  assert.deepEqual(table.log.value[0], { key: 51, event: { event: "e51" } });
});

test("the lobby's list changes by what is new and what is gone", () => {
  const store = new Store();
  store.receive({ type: "tables", tables: [{ table: "aaaa", phase: "open" }, { table: "bbbb", phase: "open" }] });
  store.receive({ type: "tables_changed", changed: [{ table: "bbbb", phase: "running" }, { table: "cccc", phase: "open" }], gone: ["aaaa"] });
  assert.deepEqual([...(store.tables.value?.values() ?? [])].map(({ table, phase }) => [table, phase]), [["bbbb", "running"], ["cccc", "open"]]);
});

test("a message about another table is not for the one that is open", () => {
  const store = new Store();
  const { table } = model();
  store.table.value = table;
  store.receive({ type: "view", table: "wxyz", number: 1, view: VIEW, missed: [], elapsed: 0 });
  assert.equal(table.view.value, null);
});

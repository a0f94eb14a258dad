import assert from "node:assert/strict";
import { test } from "node:test";
import { Store, TableModel } from "../../web/src/store.js";

/** Return a table model and the requests that it sent. */
function modelWithRequests() {
  const requests = [];
  const socket = { request: async (message) => void requests.push(message) };
  return { table: new TableModel("abcd", null, /** @type {any} */ (socket)), requests };
}

const VIEW = { play: { decision: { number: 1 } }, seats: [] };

test("updates in order change the view, and a repeated one changes nothing", () => {
  const { table } = modelWithRequests();
  table.receive({ type: "view", number: 4, view: VIEW, missed: [], elapsed: 0 });
  const update = { type: "update", number: 5, patch: [["set", ["play", "decision", "number"], 2]], events: [{ event: "bid_made" }] };
  table.receive(update);
  table.receive(update);
  assert.equal(table.view.value.play.decision.number, 2);
  assert.deepEqual(table.latest.value, [{ event: "bid_made" }]);
  assert.deepEqual(table.log.value.map(({ event }) => event.event), ["bid_made"]);
});

test("a gap in the numbers subscribes again from the last update", () => {
  const { table, requests } = modelWithRequests();
  table.receive({ type: "view", number: 3, stamp: "three", view: VIEW, missed: [], elapsed: 0 });
  table.receive({ type: "update", number: 4, stamp: "four", patch: [], events: [] });
  table.receive({ type: "update", number: 6, stamp: "six", patch: [], events: [] });
  assert.deepEqual(requests, [{ type: "watch", table: "abcd", have: 4, stamp: "four" }]);
  assert.deepEqual(table.view.value, VIEW);
});

test("missed events are shown once, even if the server repeats them or its log was rolled back", () => {
  const { table } = modelWithRequests();
  const receiveView = (number, stamp, missed) => table.receive({ type: "view", number, stamp, view: VIEW, missed, elapsed: 0 });
  receiveView(4, "four", []);
  for (const _ of [1, 2]) receiveView(6, "six", [{ event: "bid_made" }, { event: "passed" }]);
  receiveView(5, "lost", [{ event: "went_back" }]);
  assert.deepEqual(table.log.value.map(({ event }) => event.event), ["bid_made", "passed", "went_back"]);
});

test("an update before the first view is ignored", () => {
  const { table } = modelWithRequests();
  table.receive({ type: "update", number: 1, patch: [], events: [{ event: "bid_made" }] });
  assert.equal(table.view.value, null);
  assert.deepEqual(table.log.value, []);
});

test("events missed while disconnected are shown, but not those before the first visit", () => {
  const { table } = modelWithRequests();
  table.receive({ type: "view", number: 4, view: VIEW, missed: [{ event: "old" }], elapsed: 0 });
  assert.equal(table.missed.value, null);
  table.receive({ type: "view", number: 9, view: VIEW, missed: [{ event: "new" }], elapsed: 0 });
  assert.deepEqual(table.missed.value, [{ event: "new" }]);
  assert.deepEqual(table.log.value.map(({ event }) => event.event), ["old", "new"]);
});

test("the log keeps its newest lines, and every line its key", () => {
  const { table } = modelWithRequests();
  table.receive({ type: "view", number: 0, view: VIEW, missed: [], elapsed: 0 });
  for (let number = 1; number <= 450; number += 1) table.receive({ type: "update", number, patch: [], events: [{ event: `e${number}` }] });
  assert.equal(table.log.value.length, 400);
  assert.deepEqual(table.log.value[0], { key: 51, event: { event: "e51" } });
});

test("the list of tables applies changed and removed tables", () => {
  const store = new Store();
  store.receive({ type: "tables", tables: [{ table: "aaaa", phase: "open" }, { table: "bbbb", phase: "open" }] });
  store.receive({ type: "tables_changed", changed: [{ table: "bbbb", phase: "running" }, { table: "cccc", phase: "open" }], gone: ["aaaa"] });
  assert.deepEqual([...(store.tables.value?.values() ?? [])].map(({ table, phase }) => [table, phase]), [["bbbb", "running"], ["cccc", "open"]]);
});

test("a message about another table is ignored", () => {
  const store = new Store();
  const { table } = modelWithRequests();
  store.table.value = table;
  store.receive({ type: "view", table: "wxyz", number: 1, view: VIEW, missed: [], elapsed: 0 });
  assert.equal(table.view.value, null);
});

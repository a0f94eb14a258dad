import assert from "node:assert/strict";
import { test } from "node:test";
import { Store, TableModel } from "../../web/src/store.js";

/** Return a table model and the requests that it sent. The server's log is given as events by number. */
function modelWithRequests(log = {}) {
  const requests = [];
  const socket = {
    request: async (message) => {
      requests.push(message);
      if (message.type !== "read_log") return undefined;
      const numbers = Object.keys(log).map(Number).filter((number) => number < message.before);
      return { entries: numbers.map((number) => ({ number, at: null, events: [{ event: log[number] }] })), more: false };
    },
  };
  return { table: new TableModel("abcd", null, /** @type {any} */ (socket)), requests };
}

/** Return the names of the events in the log, once all requests have their replies. */
async function logged(table) {
  await new Promise(setImmediate);
  return table.log.value.map(({ event }) => event.event);
}

const VIEW = { play: { decision: { number: 1 } }, seats: [] };

test("updates in order change the view, and a repeated one changes nothing", async () => {
  const { table } = modelWithRequests({ 3: "older", 4: "old" });
  table.receive({ type: "view", number: 4, view: VIEW, missed: null, elapsed: 0 });
  const update = { type: "update", number: 5, patch: [["set", ["play", "decision", "number"], 2]], events: [{ event: "bid_made" }] };
  table.receive(update);
  table.receive(update);
  assert.equal(table.view.value.play.decision.number, 2);
  assert.deepEqual(table.latest.value, [{ event: "bid_made" }]);
  assert.deepEqual(await logged(table), ["older", "old", "bid_made"]);
});

test("a gap in the numbers subscribes again from the last update", () => {
  const { table, requests } = modelWithRequests();
  table.receive({ type: "view", number: 3, stamp: "three", view: VIEW, missed: [], elapsed: 0 });
  table.receive({ type: "update", number: 4, stamp: "four", patch: [], events: [] });
  table.receive({ type: "update", number: 6, stamp: "six", patch: [], events: [] });
  assert.deepEqual(requests.at(-1), { type: "watch", table: "abcd", have: 4, stamp: "four" });
  assert.deepEqual(table.view.value, VIEW);
});

test("what was missed is loaded once, even if the server repeats the view", async () => {
  const log = { 4: "begun" };
  const { table } = modelWithRequests(log);
  const receiveView = (number, stamp, missed) => table.receive({ type: "view", number, stamp, view: VIEW, missed, elapsed: 0 });
  receiveView(4, "four", null);
  assert.deepEqual(await logged(table), ["begun"]);
  assert.equal(table.missedAfter.value, null);
  Object.assign(log, { 5: "bid_made", 6: "passed" });
  for (const _ of [1, 2]) receiveView(6, "six", [{ event: "bid_made" }, { event: "passed" }]);
  assert.deepEqual(await logged(table), ["begun", "bid_made", "passed"]);
  assert.equal(table.missedAfter.value, 4);
});

test("a rolled-back log is loaded anew, whether it is shorter now or has grown again", async () => {
  for (const rolledBack of [{ 4: "begun", 5: "went_back" }, { 4: "begun", 5: "went_back", 6: "other", 7: "others" }]) {
    const log = { 4: "begun", 5: "bid_made", 6: "passed" };
    const { table } = modelWithRequests(log);
    table.receive({ type: "view", number: 6, stamp: "six", view: VIEW, missed: null, elapsed: 0 });
    assert.deepEqual(await logged(table), ["begun", "bid_made", "passed"]);
    delete log[6];
    Object.assign(log, rolledBack);
    const missed = Object.values(rolledBack).slice(1).map((event) => ({ event }));
    table.receive({ type: "view", number: Math.max(...Object.keys(rolledBack).map(Number)), stamp: "new", view: VIEW, missed, elapsed: 0 });
    assert.deepEqual(await logged(table), Object.values(rolledBack));
  }
});

test("a view without missed events may be another viewer's, so the log is loaded anew", async () => {
  const log = { 1: "opened", 2: "seat_taken" };
  const { table } = modelWithRequests(log);
  table.receive({ type: "view", number: 2, stamp: "two", view: VIEW, missed: null, elapsed: 0 });
  await logged(table);
  log[2] = "answered";
  log[3] = "bid_made";
  table.receive({ type: "view", number: 3, stamp: "three", view: VIEW, missed: null, elapsed: 0 });
  assert.deepEqual(await logged(table), ["opened", "answered", "bid_made"]);
  assert.equal(table.missedAfter.value, null);
});

test("an update before the first view is ignored", async () => {
  const { table } = modelWithRequests();
  table.receive({ type: "update", number: 1, patch: [], events: [{ event: "bid_made" }] });
  assert.equal(table.view.value, null);
  assert.deepEqual(await logged(table), []);
});

test("the list of tables applies changed and removed tables", () => {
  const store = new Store();
  store.receive({ type: "tables", tables: [{ table: "aaaa", phase: "open" }, { table: "bbbb", phase: "open" }] });
  store.receive({ type: "tables_changed", changed: [{ table: "bbbb", phase: "running" }, { table: "cccc", phase: "open" }], gone: ["aaaa"] });
  assert.deepEqual([...(store.lists.tables.value?.values() ?? [])].map(({ table, phase }) => [table, phase]), [["cccc", "open"], ["bbbb", "running"]]);
});

test("a message about another table is ignored", () => {
  const store = new Store();
  const { table } = modelWithRequests();
  store.table.value = table;
  store.receive({ type: "view", table: "wxyz", number: 1, view: VIEW, missed: [], elapsed: 0 });
  assert.equal(table.view.value, null);
});

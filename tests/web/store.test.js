import assert from "node:assert/strict";
import { test } from "node:test";
import { Refusal } from "../../web/src/refusal.js";
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

test("chat, votes and clocks leave the view of boards and seats the same object", () => {
  const { table } = modelWithRequests();
  const view = { ...VIEW, mine: 0, table: { phase: "running" }, talk: [], votes: {}, clock: { thinking: [null] } };
  table.receive({ type: "view", number: 1, view, missed: null, elapsed: 0 });
  const before = table.gameView.value;
  const patches = [["splice", ["talk"], 0, 0, [{ text: "hello" }]], ["set", ["votes", "pause"], [0]], ["set", ["clock", "thinking"], [5]]];
  patches.forEach((operation, index) => table.receive({ type: "update", number: 2 + index, patch: [operation], events: [] }));
  assert.deepEqual([table.lines.value.length, table.view.value.votes.pause], [1, [0]]);
  assert.equal(table.gameView.value, before);
  table.receive({ type: "update", number: 5, patch: [["set", ["play", "decision", "number"], 2]], events: [] });
  assert.equal(table.gameView.value, table.view.value);
  assert.equal(table.gameView.value.seats, before.seats);
});

test("a gap in the numbers subscribes again from the last update", () => {
  const { table, requests } = modelWithRequests();
  table.receive({ type: "view", number: 3, stamp: "three", view: VIEW, missed: [], elapsed: 0 });
  table.receive({ type: "update", number: 4, stamp: "four", patch: [], events: [] });
  table.receive({ type: "update", number: 6, stamp: "six", patch: [], events: [] });
  assert.deepEqual(requests.at(-1), { type: "watch", table: "abcd", have: 4, stamp: "four" });
  assert.deepEqual(table.view.value, VIEW);
});

test("a busy table is asked again until it answers or the page leaves it", async (context) => {
  context.mock.timers.enable({ apis: ["setTimeout"] });
  const requests = [];
  let reply = () => Promise.reject(new Refusal({ code: "busy", sentence: "Please try again." }));
  const socket = { request: (message) => (requests.push(message), reply()) };
  const table = new TableModel("abcd", null, /** @type {any} */ (socket));
  const settled = () => new Promise(setImmediate);
  table.subscribe();
  for (let attempt = 1; attempt <= 4; attempt += 1) {
    await settled();
    assert.equal(requests.length, attempt);
    assert.equal(table.error.value?.message, attempt < 4 ? undefined : "Please try again.");
    context.mock.timers.tick(8000);
  }
  reply = () => Promise.resolve({});
  context.mock.timers.tick(8000);
  await settled();
  reply = () => Promise.reject(new Refusal({ code: "busy", sentence: "Please try again." }));
  table.subscribe();
  await settled();
  const sent = requests.length;
  table.unsubscribe();
  context.mock.timers.tick(8000);
  await settled();
  assert.deepEqual(requests.slice(sent).map(({ type }) => type), ["unwatch"]);
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

test("after a long absence the newest page is loaded, and what was missed is told", async () => {
  const log = { 1: "opened", 2: "begun" };
  const { table, requests } = modelWithRequests(log);
  table.receive({ type: "view", number: 2, stamp: "two", view: { ...VIEW, mine: 1 }, missed: null, elapsed: 0 });
  assert.deepEqual(await logged(table), ["opened", "begun"]);
  for (let number = 3; number <= 80; number += 1) log[number] = `event ${number}`;
  await table.subscribe();
  assert.equal(requests.at(-1).have, 2);
  table.receive({ type: "view", number: 80, stamp: "eighty", view: { ...VIEW, mine: 1 }, missed: null, elapsed: 0 });
  assert.equal(table.missedAfter.value, 2);
  assert.deepEqual(await logged(table), Object.values(log));
  table.missedAfter.value = null;
  // A view that was not asked for replaces updates that this connection was too slow for.
  table.receive({ type: "view", number: 82, stamp: "later", view: { ...VIEW, mine: 1 }, missed: null, elapsed: 0 });
  assert.equal(table.missedAfter.value, null);
  await table.subscribe();
  table.receive({ type: "view", number: 90, stamp: "other", view: { ...VIEW, mine: null }, missed: null, elapsed: 0 });
  assert.equal(table.missedAfter.value, null, "the numbers of another viewer count other updates");
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

test("the chat joins the lines of the view and those of people without a seat by their time", () => {
  const { table } = modelWithRequests();
  const line = (text, at) => ({ user: "u", name: "U", room: "all", text, at });
  const texts = () => table.lines.value.map(({ text }) => text);
  const view = { ...VIEW, talk: [line("one", 1), line("three", 3)] };
  table.receive({ type: "view", number: 4, view, missed: null, elapsed: 0, chat: [line("two", 2)] });
  assert.deepEqual(texts(), ["one", "two", "three"]);
  table.receive({ type: "chat", table: "abcd", lines: [line("four", 4)] });
  table.receive({ type: "update", number: 5, patch: [["splice", ["talk"], 2, 0, [line("five", 5)]]], events: [] });
  assert.deepEqual(texts(), ["one", "two", "three", "four", "five"]);
  for (let number = 0; number < 150; number += 1) table.receive({ type: "chat", table: "abcd", lines: [line(String(number), 6)] });
  assert.equal(table.others.value.length, 100);
  table.receive({ type: "view", number: 5, view, missed: [], elapsed: 0 });
  assert.deepEqual(texts(), ["one", "three"], "a view replaces everything, also that of an older server");
});

// The lists of tables without a browser: queries, changes, and rows that stay put.

import assert from "node:assert/strict";
import { test } from "node:test";

import { calmRows, conditionsOf, hasFilters } from "../../web/src/parts/list-query.js";
import { NO_LIST, TableList } from "../../web/src/table-list.js";

const row = (table, phase = "open", more = {}) => ({ table, phase, ...more });
const place = (total, more = {}) => ({ total, start: 0, next: null, order: null, ...more });
const query = (game) => ({ open: { game }, running: null });

/** Return a list with the requests that it has sent; each is answered by `answer`. */
function listWithRequests() {
  const list = new TableList();
  const waiting = [];
  const requests = [];
  list.connected((message) => {
    requests.push(message);
    return new Promise((resolve, reject) => waiting.push({ resolve, reject }));
  });
  const answer = async (kind = "resolve") => {
    waiting.shift()[kind](new Error("refused"));
    await new Promise(setImmediate);
  };
  return { list, requests, answer };
}

test("rows keep the order of the server: new ones last in their phase, or as the order says", () => {
  const list = new TableList();
  const shown = () => [...(list.tables.value?.keys() ?? [])].join(" ");
  list.receive({ type: "tables", tables: [row("a"), row("b"), row("x", "running")], online: 3, open: place(2), running: place(1), waiting: { planners: 2 }, live: true });
  assert.equal(shown(), "a b x");
  assert.equal(list.online.value, 3);
  list.receive({ type: "tables_changed", changed: [row("c")], gone: ["a"], online: 4, open: place(2), running: null, waiting: null });
  assert.equal(shown(), "b c x");
  assert.deepEqual(list.waiting.value, { planners: 2 });
  list.receive({ type: "tables_changed", changed: [row("d"), row("b", "running")], gone: [], online: 4, open: place(9, { order: ["d", "c"] }), running: null, waiting: {} });
  assert.equal(shown(), "d c x b");
  assert.equal(list.places.value.open?.total, 9);
  assert.equal(list.places.value.running?.total, 1);
  assert.deepEqual(list.waiting.value, {});
  assert.deepEqual(list.rows("running").map(({ table }) => table), ["x", "b"]);
});

test("one query is sent at a time, and the newest follows", async () => {
  const { list, requests, answer } = listWithRequests();
  assert.deepEqual(requests, []);
  list.setQuery(query("planners"));
  list.setQuery(query("planners"));
  list.setQuery(query("builders"));
  list.setQuery(query("investors"));
  assert.deepEqual(requests, [{ type: "list_tables", ...query("planners") }]);
  assert.equal(list.isPending.value, true);
  await answer();
  assert.deepEqual(requests[1], { type: "list_tables", ...query("investors") });
  // The rows of the first query come only now, and are not those that the page waits for.
  list.receive({ type: "tables", tables: [], online: 1, open: place(0), running: null });
  assert.equal(list.isPending.value, true);
  await answer();
  list.receive({ type: "tables", tables: [], online: 1, open: place(0), running: null });
  assert.equal(list.isPending.value, false);
  assert.equal(requests.length, 2);
});

test("a new connection asks again, unless it repeats a request without a reply", async () => {
  const { list, requests, answer } = listWithRequests();
  list.setQuery(NO_LIST);
  await answer();
  const again = [];
  list.connected((message) => Promise.resolve(again.push(message)));
  assert.deepEqual(again, [{ type: "list_tables", ...NO_LIST }]);
  await new Promise(setImmediate);
  const { list: other, requests: sent, answer: reply } = listWithRequests();
  other.setQuery(NO_LIST);
  other.connected((message) => Promise.resolve(again.push(message)));
  assert.equal(again.length, 1);
  await reply();
  assert.equal(sent.length, 1);
  assert.equal(requests.length, 1);
});

test("a query that was refused, or that gets no changes, is sent again later", async (context) => {
  context.mock.timers.enable({ apis: ["setTimeout"] });
  const { list, requests, answer } = listWithRequests();
  list.setQuery(query("planners"));
  await answer("reject");
  assert.equal(requests.length, 1);
  context.mock.timers.tick(5000);
  assert.equal(requests.length, 2);
  await answer();
  list.receive({ type: "tables", tables: [], online: 1, open: place(0), running: null, live: false });
  context.mock.timers.tick(5000);
  assert.equal(requests.length, 3);
  await answer();
  list.receive({ type: "tables", tables: [], online: 1, open: place(0), running: null, live: true });
  context.mock.timers.tick(60_000);
  assert.equal(requests.length, 3);
});

test("rows stay where they are while they are held", () => {
  const calm = (rows) => rows.map(({ table, isGone }) => `${table.table}${isGone ? "-" : ""}`).join(" ");
  const shown = calmRows([], [row("a"), row("b"), row("c")], true);
  assert.equal(calm(shown), "a b c");
  const held = calmRows(shown, [row("d"), row("c", "open", { spectators: 2 }), row("a")], true);
  assert.equal(calm(held), "a b- c d");
  assert.equal(held[2].table.spectators, 2);
  assert.equal(calm(calmRows(held, [row("b"), row("a")], true)), "a b c- d-");
  assert.equal(calm(calmRows(held, [row("d"), row("c")], false)), "d c");
});

test("filters become conditions of a query", () => {
  const none = { game: "", seats: 0, withoutClock: false, language: "", search: "  " };
  assert.deepEqual(conditionsOf(none), {});
  assert.equal(hasFilters(none), false);
  const all = { game: "planners", seats: 3, withoutClock: true, language: "de", search: " Nob Hill" };
  assert.deepEqual(conditionsOf(all), { game: "planners", seats: 3, clock: "none", language: "de", search: "Nob Hill" });
});

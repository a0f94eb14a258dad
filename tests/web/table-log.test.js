import assert from "node:assert/strict";
import { test } from "node:test";
import { TableLog } from "../../web/src/table-log.js";

const entry = (number) => ({ number, at: number * 1000, events: [{ event: `e${number}` }] });

/** Return a log on a server with updates 1 to `last`, and the pages that it requested. */
function logOn(last, { size = 10, limit = undefined } = {}) {
  const requested = [];
  const server = { last };
  const log = new TableLog(async (before) => {
    requested.push(before);
    const end = Math.min(before - 1, server.last);
    const first = Math.max(1, end - size + 1);
    return { entries: Array.from({ length: Math.max(0, end - first + 1) }, (_, index) => entry(first + index)), more: first > 1 };
  }, limit);
  return { log, requested, server };
}

const numbers = (log) => log.entries.value.map(({ number }) => number);
const range = (first, last) => Array.from({ length: last - first + 1 }, (_, index) => first + index);

test("joining loads the newest page, and older pages follow on request without gaps", async () => {
  const { log, requested } = logOn(25);
  await log.reset(25);
  assert.deepEqual(numbers(log), range(16, 25));
  assert.equal(log.hasMore.value, true);
  await log.loadOlder();
  await log.loadOlder();
  await log.loadOlder();
  assert.deepEqual(numbers(log), range(1, 25));
  assert.equal(log.hasMore.value, false);
  assert.deepEqual(requested, [26, 16, 6]);
});

test("live updates that arrive while the first page loads appear once, in order", async () => {
  const { log, server } = logOn(12);
  const loaded = log.reset(12);
  server.last = 14;
  log.append(entry(13));
  log.append(entry(14));
  assert.deepEqual(numbers(log), []);
  await loaded;
  assert.deepEqual(numbers(log), range(3, 14));
  log.append(entry(15));
  log.append(entry(15));
  assert.deepEqual(numbers(log), range(3, 15));
});

test("what was missed while disconnected is loaded into its place, over more than one page", async () => {
  const { log, server, requested } = logOn(5);
  await log.reset(5);
  server.last = 30;
  const filled = log.extend(29);
  log.append(entry(30));
  await filled;
  assert.deepEqual(numbers(log), range(1, 30));
  assert.deepEqual(requested, [6, 30, 20, 10]);
});

test("a reset replaces everything, and a page requested before it is ignored", async () => {
  const pages = [];
  const log = new TableLog(() => new Promise((resolve) => pages.push(resolve)));
  const old = log.reset(5);
  const now = log.reset(3);
  pages[0]({ entries: [entry(5)], more: true });
  pages[1]({ entries: [{ ...entry(3), events: [{ event: "went_back" }] }], more: false });
  await Promise.all([old, now]);
  assert.deepEqual(log.entries.value.map(({ events }) => events[0].event), ["went_back"]);
  assert.equal(log.hasMore.value, false);
});

test("the log stays on the screen while a reset loads its page", async () => {
  const { log } = logOn(8);
  await log.reset(8);
  const loaded = log.reset(4);
  assert.deepEqual(numbers(log), range(1, 8));
  await loaded;
  assert.deepEqual(numbers(log), range(1, 4));
});

test("memory is bounded, and what was dropped loads again", async () => {
  const { log, server } = logOn(10, { limit: 12 });
  await log.reset(10);
  assert.equal(log.hasMore.value, false);
  for (let number = 11; number <= 20; number += 1) log.append(entry(number));
  server.last = 20;
  assert.deepEqual(numbers(log), range(9, 20));
  assert.equal(log.hasMore.value, true);
  await log.loadOlder();
  assert.deepEqual(numbers(log), range(1, 20));
});

test("a refused page leaves what is there, says why, and can be requested again", async () => {
  let isRefused = true;
  const log = new TableLog(async () => {
    if (isRefused) throw new Error("Please wait.");
    return { entries: [entry(1), entry(2)], more: false };
  });
  await log.reset(2);
  log.append(entry(3));
  assert.deepEqual(numbers(log), [3]);
  assert.equal(log.refusal.value, "Please wait.");
  isRefused = false;
  await log.fillGaps();
  assert.deepEqual(numbers(log), [1, 2, 3]);
  assert.equal(log.refusal.value, null);
});

test("an empty table has no page to load", async () => {
  const { log, requested } = logOn(0);
  await log.reset(0);
  log.append(entry(1));
  assert.deepEqual(numbers(log), [1]);
  assert.deepEqual(requested, []);
});

test("older pages load until a wanted update is there", async () => {
  const { log, requested } = logOn(60);
  await log.reset(60);
  await log.loadUntil(() => log.lowest <= 25);
  assert.deepEqual(numbers(log), range(21, 60));
  assert.deepEqual(requested, [61, 51, 41, 31]);
});

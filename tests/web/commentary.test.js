// The delayed view of commentators: how the page subscribes, talks, and hears that it is over.

import assert from "node:assert/strict";
import { test } from "node:test";
import { missingVotes } from "../../web/src/parts/notices.js";
import { asksToCommentate, commentaryPath, parseAddress } from "../../web/src/routes.js";
import { Store, TableModel } from "../../web/src/store.js";

const KEY = "0f1e2d3c4b5a69788796a5b4c3d2e1f0";

/** Return the model of a commentator and the requests that it sent. */
function commentator() {
  const requests = [];
  const socket = { request: async (message) => void requests.push(message) };
  return { table: new TableModel("abcd", KEY, /** @type {any} */ (socket), { isDelayed: true }), requests };
}

test("the link of commentators leads to the table with their key", () => {
  const url = new URL(commentaryPath("abcd", KEY), "http://localhost");
  const { page, id, key } = parseAddress(url.pathname, url.hash);
  assert.deepEqual({ page, id, key }, { page: "table", id: "abcd", key: KEY });
  assert.ok(asksToCommentate(url.search));
  assert.ok(!asksToCommentate("?overlay"));
});

test("a commentator subscribes with the delay, talks to commentators, and asks for no pages of the log", async () => {
  const { table, requests } = commentator();
  await table.subscribe();
  assert.deepEqual(requests[0], { type: "watch", table: "abcd", key: KEY, delayed: true });
  table.receive({ type: "view", number: 7, stamp: "seven", view: { seats: [], play: null }, missed: null, elapsed: 0 });
  await new Promise(setImmediate);
  await table.say("They bluff.");
  assert.deepEqual(requests.slice(1), [{ type: "say", table: "abcd", text: "They bluff.", room: "commentary" }]);
  await table.subscribe();
  assert.deepEqual(requests.at(-1), { type: "watch", table: "abcd", key: KEY, delayed: true, have: 7, stamp: "seven" });
});

test("when players end it, the page says so; a refusal of a request does not end it", () => {
  const store = new Store();
  const { table } = commentator();
  store.table.value = table;
  store.receive({ type: "refused", id: "x1", code: "too_fast", sentence: "Wait." });
  assert.equal(table.error.value, null);
  store.receive({ type: "refused", id: null, code: "commentary_ended", sentence: "Over." });
  assert.equal(table.error.value?.code, "commentary_ended");
});

test("hands are shown only if everybody agrees, however long somebody is away", () => {
  const seats = [{ user: "ann" }, { user: "ben" }, { user: "cat", resigned: true }, { user: null, bot: "easy" }];
  const view = { seats, votes: { commentary: [0] }, table: { vote_absence_seconds: 600 } };
  assert.deepEqual(missingVotes(view, "commentary", { away: [null, 0, null, null] }, 1e12), [{ seat: 1, until: null }]);
});

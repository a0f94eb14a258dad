// What a page does to make a game verifiable: the seed exchange, sealed answers, and what it keeps.

import assert from "node:assert/strict";
import { test } from "node:test";
import { answerCommitment, fromHex, seedCommitment } from "../../web/src/fairness/commitments.js";
import { Kept, keptTables } from "../../web/src/fairness/kept.js";
import { FairPart } from "../../web/src/fairness/part.js";
import { Refusal } from "../../web/src/refusal.js";
import { TableModel } from "../../web/src/store.js";

/** Return a storage in memory, as the tabs of one browser share it. */
function memory() {
  const texts = new Map();
  return { get: (name) => texts.get(name) ?? null, set: (name, text) => void texts.set(name, text), remove: (name) => void texts.delete(name), texts };
}

/**
 * Return a part of a page with the requests that it sent, as type and fields; `settled` waits until hashes are made and
 * requests are answered.
 */
function partWith(storage = memory(), reply = async () => ({})) {
  const requests = [];
  const request = (type, fields) => (requests.push([type, fields]), reply(type, fields));
  const part = new FairPart("abcd", request, new Kept("abcd", storage));
  const once = part.once.bind(part);
  const works = [];
  part.once = (name, work) => {
    works.push(once(name, work));
    return works.at(-1);
  };
  const settled = async () => {
    while (works.length) await works.shift();
  };
  return { part, requests, storage, settled };
}

/** Return the view of somebody on seat 1 of an open table. */
function openView(fairness, mine = 1) {
  const seats = [{ user: "ana" }, { user: "bo" }, { user: null }];
  return { mine, seats, table: { phase: "open", fairness: { game: 1, commitment: "00", stage: "waiting", committed: [], opened: [], ...fairness } }, play: null };
}

test("a page that takes a seat commits to 32 random bytes, and opens them when it is asked", async () => {
  const { part, requests, settled } = partWith();
  part.follow(openView({}));
  part.follow(openView({}));
  await settled();
  assert.equal(requests.length, 1);
  const [[type, { game, commitment }]] = requests;
  assert.deepEqual([type, game], ["commit_seed", 1]);
  part.follow(openView({ stage: "open", committed: [1] }));
  part.follow(openView({ stage: "open", committed: [1] }));
  await settled();
  assert.equal(requests.length, 2);
  const [, { seed }] = requests[1];
  assert.equal(requests[1][0], "open_seed");
  assert.match(seed, /^[0-9a-f]{64}$/);
  assert.equal(await seedCommitment("abcd", 1, 1, "bo", fromHex(seed)), commitment);
  part.follow(openView({ stage: "open", committed: [1], opened: [1] }));
  await settled();
  assert.equal(requests.length, 2);
});

test("a page that was reloaded opens the bytes from before", async () => {
  const first = partWith();
  first.part.follow(openView({}));
  await first.settled();
  const second = partWith(first.storage);
  second.part.follow(openView({ stage: "open", committed: [1] }));
  await second.settled();
  const [, { seed }] = second.requests[0];
  assert.equal(await seedCommitment("abcd", 1, 1, "bo", fromHex(seed)), first.requests[0][1].commitment);
});

test("a page commits again for another number, seat or person, and never opens bytes of another exchange", async () => {
  const { part, requests, settled } = partWith();
  part.follow(openView({}));
  await settled();
  part.follow(openView({ game: 2 }));
  await settled();
  part.follow(openView({ game: 2 }, 0));
  await settled();
  assert.deepEqual(requests.map(([type, { game }]) => [type, game]), [["commit_seed", 1], ["commit_seed", 2], ["commit_seed", 2]]);
  assert.equal(new Set(requests.map(([, { commitment }]) => commitment)).size, 3);
  part.follow(openView({ game: 3, stage: "open", committed: [1] }));
  await settled();
  assert.equal(requests.length, 3);
});

test("a seat that was left and taken again commits again", async () => {
  const { part, requests, settled } = partWith();
  part.follow(openView({}));
  await settled();
  part.follow(openView({ committed: [1] }));
  part.follow(openView({ committed: [] }, null));
  part.follow(openView({ committed: [] }));
  await settled();
  assert.equal(requests.length, 2);
  assert.equal(requests[0][1].commitment, requests[1][1].commitment);
});

test("two tabs of one person commit to the same bytes; one on another device leaves it to them", async () => {
  const first = partWith();
  first.part.follow(openView({}));
  const second = partWith(first.storage);
  second.part.follow(openView({}));
  await Promise.all([first.settled(), second.settled()]);
  assert.equal(second.requests[0][1].commitment, first.requests[0][1].commitment);
  const elsewhere = partWith();
  elsewhere.part.follow(openView({ committed: [1] }));
  elsewhere.part.follow(openView({ stage: "open", committed: [1] }));
  await elsewhere.settled();
  assert.deepEqual(elsewhere.requests, []);
});

test("spectators, bots' tables that run and tables of older servers get nothing", async () => {
  const { part, requests, settled } = partWith();
  part.follow(openView({}, null));
  part.follow({ ...openView({}), table: { phase: "running", fairness: { game: 1, stage: "begun", committed: [], opened: [] } } });
  part.follow({ ...openView({}), table: { phase: "open", fairness: null } });
  part.follow({ ...openView({}), table: { phase: "open" } });
  await settled();
  assert.deepEqual(requests, []);
});

test("a request that a busy table refused is sent again, and one that came too late is not", async (context) => {
  context.mock.timers.enable({ apis: ["setTimeout"] });
  const codes = ["busy", "stale_seeds"];
  const { part, requests, settled } = partWith(memory(), async () => {
    const code = codes.shift();
    if (code) throw new Refusal({ code, sentence: "No." });
  });
  part.follow(openView({}));
  await settled();
  assert.equal(requests.length, 1);
  context.mock.timers.tick(500);
  await settled();
  assert.equal(requests.length, 2);
  part.follow(openView({}));
  await settled();
  assert.equal(requests.length, 2);
});

test("an exchange works where nothing can be stored", async () => {
  const refused = { get: () => null, set: () => {}, remove: () => {} };
  const { part, requests, settled } = partWith(refused);
  part.follow(openView({}));
  await settled();
  part.follow(openView({ stage: "open", committed: [1] }));
  await settled();
  assert.deepEqual(requests.map(([type]) => type), ["commit_seed", "open_seed"]);
});

const RUNNING = {
  mine: 1,
  seats: [{ user: "ana" }, { user: "bo" }],
  table: { phase: "running", fairness: { game: 1, commitment: "00", stage: "begun", committed: [0, 1], opened: [0, 1] } },
  play: { decision: { number: 34, sealed: true, attempt: 0, prompt: {} } },
};
const HEAD = "V4sWCeif29HkxCLCG94EmyLyVdyXrrKJOt2OcPUBTPw";

/** Return a table with the requests that it sent; a reply is that of `reply`. */
function tableWith(view, reply = async () => ({}), about = { line: 57, head: HEAD }) {
  const requests = [];
  const socket = { request: (message) => (requests.push(message), message.type === "read_log" ? Promise.resolve({ entries: [], more: false }) : reply(message)) };
  const table = new TableModel("abcd", null, /** @type {any} */ (socket));
  table.receive({ type: "view", number: 1, stamp: "s", view, missed: null, elapsed: 0, ...about });
  return { table, sent: () => requests.filter(({ type }) => type !== "read_log") };
}

test("a sealed answer goes with a salt, a commitment and the last head; its opening is kept", async () => {
  const { table, sent } = tableWith(RUNNING);
  await table.decide({ do: "bid_cheques", cheques: [10, 50] });
  const [{ type, decision, command, commitment, salt, seen }] = sent();
  assert.deepEqual([type, decision, command, seen], ["decide", 34, { do: "bid_cheques", cheques: [10, 50] }, `57.${HEAD}`]);
  assert.match(salt, /^[0-9a-f]{32}$/);
  const answer = '{"cheques":[10,50],"do":"bid_cheques"}';
  assert.equal(commitment, await answerCommitment("abcd", 1, 34, 1, 0, answer, fromHex(salt)));
  const part = await table.fairPart;
  assert.deepEqual(part.kept.now.openings.at(-1), { decision: 34, seat: 1, attempt: 0, commitment, salt, answer });
});

test("an open decision, an undo, a vote and a resignation name the last head and no commitment", async () => {
  const { table, sent } = tableWith({ ...RUNNING, play: { decision: { number: 3, sealed: false } } });
  await table.decide({ do: "place_stick" });
  await table.undo();
  await table.request("vote", { on: "pause", agree: true });
  await table.request("resign");
  await table.request("return_to_seat");
  assert.deepEqual(sent().map(({ seen }) => seen), [...Array(4).fill(`57.${HEAD}`), undefined]);
  assert.ok(sent().every((message) => !("commitment" in message)));
});

test("an older server gets no new fields", async () => {
  const { fairness, ...older } = RUNNING.table;
  const { table, sent } = tableWith({ ...RUNNING, table: older, play: { decision: { number: 34, sealed: true } } }, undefined, {});
  await table.decide({ do: "abstain" });
  assert.deepEqual(sent(), [{ type: "decide", table: "abcd", decision: 34, command: { do: "abstain" } }]);
});

test("a commitment that another tab has made outdated is made anew, once", async () => {
  const codes = ["bad_commitment"];
  const { table, sent } = tableWith(RUNNING, async () => {
    const code = codes.shift();
    if (!code) return {};
    table.receive({ type: "update", number: 2, stamp: "t", patch: [["set", ["play", "decision", "attempt"], 1]], events: [], line: 57, head: HEAD });
    throw new Refusal({ code, sentence: "No." });
  });
  await table.decide({ do: "abstain" });
  const [first, second] = sent();
  assert.notEqual(first.salt, second.salt);
  assert.equal(second.commitment, await answerCommitment("abcd", 1, 34, 1, 1, '{"do":"abstain"}', fromHex(second.salt)));
  assert.ok(!(await table.fairPart).kept.now.openings.some(({ commitment }) => commitment === first.commitment));
  codes.push("bad_commitment");
  await assert.rejects(tableWith(RUNNING, async () => Promise.reject(new Refusal({ code: "bad_commitment", sentence: "No." }))).table.decide({ do: "abstain" }));
});

test("the heads that a player was shown are kept by line, and a rollback forgets them", async () => {
  const { table } = tableWith(RUNNING);
  const update = (number, line, head, events = []) => table.receive({ type: "update", number, stamp: "s", patch: [], events, line, head });
  update(2, 58, "b".repeat(43));
  const { kept } = await table.fairPart;
  await table.fairPart;
  assert.deepEqual(kept.heads, { 57: HEAD, 58: "b".repeat(43) });
  assert.deepEqual(table.head.value, { line: 58, head: "b".repeat(43) });
  update(3, 40, "c".repeat(43), [{ event: "went_back" }]);
  await table.fairPart;
  assert.deepEqual(kept.heads, { 40: "c".repeat(43) });
});

test("only bytes that were opened are evidence, and nothing is after a rollback", async () => {
  const { part, settled } = partWith();
  part.follow(openView({}));
  await settled();
  assert.deepEqual(part.kept.evidence().seeds, []);
  part.follow(openView({ stage: "open", committed: [1] }));
  await settled();
  assert.deepEqual(part.kept.evidence().seeds.map(({ game, seat }) => [game, seat]), [[1, 1]]);
  await part.seal(RUNNING, { do: "abstain" });
  assert.equal(part.kept.evidence().answers.length, 1);
  part.kept.forget(undefined);
  assert.deepEqual(part.kept.evidence(), { heads: [], seeds: [], answers: [] });
});

test("seats that did not answer in time are known until the game begins again", () => {
  const { table } = tableWith(openView({}));
  const update = (number, stage, events) => table.receive({ type: "update", number, stamp: "s", patch: [["set", ["table", "fairness", "stage"], stage]], events });
  update(2, "waiting", [{ event: "seeds_voided", game: 1, late: [0], seed: "00" }]);
  assert.deepEqual(table.voided.value, [0]);
  update(3, "waiting", []);
  assert.deepEqual(table.voided.value, [0]);
  update(4, "commit", [{ event: "seeds_asked", game: 2 }]);
  assert.deepEqual(table.voided.value, []);
});

test("another history is noticed by the event and by the refusal, but not after a rollback", async () => {
  const refusing = async () => Promise.reject(new Refusal({ code: "other_history", sentence: "No." }));
  const one = tableWith(RUNNING);
  one.table.receive({ type: "update", number: 2, stamp: "s", patch: [], events: [{ event: "history_differs", seat: 0, line: 3, head: HEAD }], line: 58, head: HEAD });
  assert.equal(one.table.differs.value, 0);
  const other = tableWith(RUNNING, refusing);
  await assert.rejects(other.table.request("resign"));
  assert.equal(other.table.differs.value, -1);
  const rolledBack = tableWith({ ...RUNNING, table: { ...RUNNING.table, went_back: true } }, refusing);
  await assert.rejects(rolledBack.table.request("resign"));
  assert.equal(rolledBack.table.differs.value, null);
});

test("what is kept survives a reload, is bounded, and the oldest tables go first", async () => {
  const storage = memory();
  const kept = new Kept("abcd", storage);
  for (let line = 1; line <= 1000; line += 1) kept.keepHead(line, `h${line}`);
  kept.storeHeads();
  const { heads } = new Kept("abcd", storage);
  assert.deepEqual([Object.keys(heads).length, heads[1000], heads[1]], [800, "h1000", undefined]);
  for (let number = 0; number < 12; number += 1) new Kept(`table${number}`, storage).change({ differs: 1 });
  assert.equal(keptTables(storage).length, 12);
  assert.deepEqual([...storage.texts.keys()].filter((name) => name.includes("abcd")), []);
});

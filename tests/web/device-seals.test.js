// Sealed answers that stay on the device: what the page sends and keeps, when it opens, and what people read meanwhile.

import assert from "node:assert/strict";
import { afterEach, test } from "node:test";
import "./all-texts.js";
import { hasText, language, languageNames } from "../../web/src/catalogue/index.js";
import { followSeats } from "../../web/src/fairness/begin.js";
import { answerCommitment, fromHex } from "../../web/src/fairness/commitments.js";
import { canKeep, Kept, keptTables } from "../../web/src/fairness/kept.js";
import { isOpening, openingText, sealNote } from "../../web/src/parts/device-seals.js";
import { tableSentence } from "../../web/src/parts/narration.js";
import { turnText } from "../../web/src/parts/turn-status.js";
import { isMyMove } from "../../web/src/parts/your-move.js";
import { settingSentences } from "../../web/src/pages/waiting/setting-sentences.js";
import { Refusal } from "../../web/src/refusal.js";
import { Store, TableModel } from "../../web/src/store.js";

language.value = "en";

const HEAD = "V4sWCeif29HkxCLCG94EmyLyVdyXrrKJOt2OcPUBTPw";
const BID = { do: "play_influence", card: 4 };

/** Let this browser store texts, or refuse to. Return what is stored. */
function browserWith({ isStoring = true } = {}) {
  const texts = new Map();
  const refuse = () => {
    throw new Error("QuotaExceededError");
  };
  const storage = { getItem: (name) => texts.get(name) ?? null, setItem: isStoring ? (name, text) => void texts.set(name, text) : refuse, removeItem: (name) => void texts.delete(name) };
  Object.defineProperty(globalThis, "localStorage", { value: storage, configurable: true });
  return texts;
}

afterEach(() => delete globalThis.localStorage);

/** Return the view of somebody on seat 1 who has to seal an answer at such a table. */
function viewWith(decision = {}, table = {}) {
  const fairness = { game: 1, commitment: "00", stage: "begun", committed: [0, 1], opened: [0, 1] };
  const asked = { number: 34, about: "influence_tender", sealed: true, seats: [0, 1], awaited: [0, 1], attempt: 0, prompt: {}, opening: null, ...decision };
  return {
    mine: 1,
    seats: [{ user: "ana", name: "Ana" }, { user: "bo", name: "Bo" }],
    table: { game: "investors", phase: "running", settings: { sealed_on_devices: true }, fairness, ...table },
    play: { game: {}, decision: asked },
  };
}

/** Return a table with the requests that it sent. */
function tableWith(view, reply = async () => ({})) {
  const requests = [];
  const socket = { request: (message) => (requests.push(message), message.type === "read_log" ? Promise.resolve({ entries: [], more: false }) : reply(message)) };
  const table = new TableModel("abcd", null, /** @type {any} */ (socket));
  let number = 0;
  /** Show another view, as an update that replaces it all. */
  const show = (now, events = []) => {
    number += 1;
    table.receive({ type: "view", number, stamp: `s${number}`, view: now, missed: events, elapsed: 0, line: 57, head: HEAD });
  };
  show(view);
  return { table, show, sent: () => requests.filter(({ type }) => type !== "read_log") };
}

/** Wait until hashes are made and requests are answered. */
async function settled() {
  for (let turn = 0; turn < 8; turn += 1) await new Promise((resolve) => setTimeout(resolve, 1));
}

/** Return the view after the own answer was sealed with this commitment. */
const sealedView = (commitment, more = {}) => viewWith({ kept: commitment, attempt: 1, awaited: [0], ...more });

/** Return what all seats have sealed, with this answer of seat 1. */
const sealsWith = (commitment) => [{ seat: 0, attempt: 0, commitment: "a".repeat(43) }, { seat: 1, attempt: 0, commitment }];

/** Return the view in which the devices are asked for these answers of seat 1. */
const openingView = (commitment, more = {}) => sealedView(commitment, { awaited: [1], opening: { seals: sealsWith(commitment), seconds: 10 }, ...more });

/** Seal an answer, and return its table, the commitment and what was stored when it was sent. */
async function sealedTable(reply) {
  const texts = browserWith();
  let stored = "";
  const made = tableWith(viewWith(), async (message) => {
    if (message.type === "seal") stored = texts.get("fairness.abcd") ?? "";
    return reply ? reply(message, made.show) : {};
  });
  await made.table.decide(BID);
  const { commitment } = made.sent()[0];
  return { ...made, texts, stored, commitment };
}

test("a sealed answer is stored before its commitment is sent, and nothing else is sent", async () => {
  const { sent, stored, commitment } = await sealedTable();
  assert.deepEqual(sent(), [{ type: "seal", table: "abcd", decision: 34, attempt: 0, commitment, seen: `57.${HEAD}` }]);
  const [kept] = JSON.parse(stored).openings;
  assert.deepEqual([kept.isHeld, kept.answer], [true, '{"card":4,"do":"play_influence"}']);
  assert.equal(commitment, await answerCommitment("abcd", 1, 34, 1, 0, kept.answer, fromHex(kept.salt)));
});

test("the own sealed answer is shown as at other tables, by its commitment, also after a reload", async () => {
  const { table, show, commitment } = await sealedTable();
  assert.equal(table.gameView.value.play.decision.answer, undefined);
  show(sealedView(commitment));
  assert.deepEqual(table.gameView.value.play.decision.answer, BID);
  const shown = table.gameView.value;
  show({ ...sealedView(commitment), ...table.view.value, talk: [] });
  assert.equal(table.gameView.value, shown);
  assert.deepEqual(tableWith(sealedView(commitment)).table.gameView.value.play.decision.answer, BID);
  browserWith();
  assert.equal(tableWith(sealedView(commitment)).table.gameView.value.play.decision.answer, undefined);
});

test("the page opens as soon as it is asked, once, and after a reload", async () => {
  const { show, sent, texts, commitment } = await sealedTable(({ type }) => (type === "unseal" ? new Promise(() => {}) : {}));
  show(sealedView(commitment));
  await settled();
  assert.equal(sent().length, 1);
  show(openingView(commitment));
  show(openingView(commitment));
  await settled();
  const { salt } = JSON.parse(texts.get("fairness.abcd")).openings[0];
  const unseal = { type: "unseal", table: "abcd", decision: 34, command: BID, salt, seen: `57.${HEAD}` };
  assert.deepEqual(sent().slice(1), [unseal]);
  const reloaded = tableWith(openingView(commitment));
  await settled();
  assert.deepEqual(reloaded.sent(), [unseal]);
});

test("a page that is not asked, does not have the answer, or is asked before all have sealed theirs, opens nothing", async () => {
  const { texts, commitment } = await sealedTable();
  const early = { opening: { seals: sealsWith(commitment).slice(1), seconds: 10 } };
  for (const view of [sealedView(commitment), openingView(commitment, early), openingView(commitment, { awaited: [0] }), openingView("x".repeat(43)), { ...openingView(commitment), mine: null }]) {
    const other = tableWith(view);
    await settled();
    assert.deepEqual(other.sent(), []);
    assert.ok(texts.get("fairness.abcd").includes('"isHeld":true'));
  }
});

test("an opening that a busy table refused is sent again, and in a pause it waits for the end of the pause", async () => {
  const codes = ["busy", "paused"];
  const { show, sent, commitment } = await sealedTable(async ({ type }) => {
    const code = type === "unseal" && codes.shift();
    if (code) throw new Refusal({ code, sentence: "No." });
  });
  show(openingView(commitment));
  await new Promise((resolve) => setTimeout(resolve, 500));
  assert.deepEqual(sent().map(({ type }) => type), ["seal", "unseal", "unseal"]);
  show(openingView(commitment));
  await settled();
  assert.equal(sent().length, 4);
});

test("another answer replaces a sealed one, and the last is opened", async () => {
  const { table, show, sent, commitment } = await sealedTable();
  show(sealedView(commitment));
  await table.decide({ do: "abstain" });
  const again = sent()[1];
  assert.deepEqual([again.type, again.attempt], ["seal", 1]);
  assert.notEqual(again.commitment, commitment);
  show(sealedView(again.commitment, { attempt: 2 }));
  assert.deepEqual(table.gameView.value.play.decision.answer, { do: "abstain" });
  show(openingView(again.commitment, { attempt: 2 }));
  await settled();
  assert.deepEqual(sent()[2].command, { do: "abstain" });
});

test("an attempt that another tab has used is made anew; after other refusals the answer is kept", async () => {
  const codes = ["bad_commitment"];
  const { table, sent, texts } = await sealedTable(async (_, show) => {
    const code = codes.shift();
    if (!code) return {};
    if (code === "bad_commitment") show(viewWith({ kept: "x".repeat(43), attempt: 1 }));
    throw new Refusal({ code, sentence: "No." });
  });
  assert.deepEqual(sent().map(({ attempt }) => attempt), [0, 1]);
  const kept = () => JSON.parse(texts.get("fairness.abcd")).openings.map(({ commitment }) => commitment);
  assert.deepEqual(kept(), [sent()[1].commitment]);
  codes.push("table_unavailable");
  await assert.rejects(table.decide(BID));
  assert.deepEqual(kept(), sent().slice(1).map(({ commitment }) => commitment));
});

test("what was opened is evidence; what was replaced or not opened is dropped when the decision is over", async () => {
  const { table, show, sent, commitment } = await sealedTable();
  show(sealedView(commitment));
  await table.decide({ do: "abstain" });
  const last = sent()[1].commitment;
  show(openingView(last));
  const { kept } = await table.fairPart;
  assert.deepEqual(kept.evidence().answers, []);
  await settled();
  assert.deepEqual(kept.evidence().answers.map((each) => [each.commitment, each.asked]), [[last, sealsWith(last)]]);
  show(viewWith({ number: 35 }));
  await settled();
  assert.deepEqual(kept.now.openings.map((each) => [each.commitment, each.isHeld]), [[last, false]]);
  assert.equal(kept.evidence().answers.length, 1);
  await table.decide(BID);
  show(viewWith({ number: 36 }));
  await settled();
  assert.deepEqual(kept.evidence().answers.map((each) => each.commitment), [last]);
  assert.equal(kept.now.openings.length, 1);
});

test("after a rollback the open decision can ask again for what the device has", async () => {
  const { show, sent, commitment } = await sealedTable();
  show(sealedView(commitment), [{ event: "went_back" }]);
  show(openingView(commitment));
  await settled();
  assert.equal(sent()[1].type, "unseal");
  // The opening was lost too.
  show(openingView(commitment), [{ event: "went_back" }]);
  await settled();
  assert.equal(sent()[2].type, "unseal");
});

test("a browser that stores nothing answers as at other tables, and so does a page at other tables", async () => {
  browserWith({ isStoring: false });
  assert.equal(canKeep(), false);
  const unable = tableWith(viewWith());
  await unable.table.decide(BID);
  assert.deepEqual([unable.sent()[0].type, unable.sent()[0].command], ["decide", BID]);
  assert.match(unable.sent()[0].salt, /^[0-9a-f]{32}$/);
  const texts = browserWith();
  assert.equal(canKeep(), true);
  assert.equal(texts.size, 0);
  for (const other of [{ settings: {} }, { settings: { sealed_on_devices: false } }, { fairness: null }]) {
    const { table, sent } = tableWith(viewWith({}, other));
    await table.decide(BID);
    assert.equal(sent()[0].type, "decide");
  }
});

test("a running table at which the device holds an answer is followed from other pages, until it does no more", async () => {
  const { commitment } = await sealedTable();
  const requests = [];
  const store = new Store();
  const socket = { request: async (message) => void requests.push(message) };
  store.connection.value = "open";
  store.yourTables.value = [{ table: "abcd", phase: "running" }, { table: "other", phase: "running" }];
  const followed = new Map();
  followSeats(store, socket, followed);
  assert.deepEqual([...followed.keys()], ["abcd"]);
  assert.deepEqual(requests.map(({ type, table }) => [type, table]), [["watch", "abcd"]]);
  store.receive({ type: "view", table: "abcd", number: 1, stamp: "s", view: openingView(commitment), elapsed: 0, line: 57, head: HEAD });
  await settled();
  assert.deepEqual(requests.map(({ type }) => type), ["watch", "unseal"]);
  store.receive({ type: "view", table: "abcd", number: 2, stamp: "t", view: viewWith({ number: 35 }), elapsed: 0, line: 58, head: HEAD });
  await settled();
  followSeats(store, socket, followed);
  assert.deepEqual([...followed.keys()], []);
});

test("a table with a held answer is not forgotten for others", () => {
  browserWith();
  const held = new Kept("held");
  held.keepOpening({ decision: 1, seat: 0, attempt: 0, commitment: "c", salt: "00", answer: "{}", isHeld: true });
  for (let number = 0; number < 14; number += 1) new Kept(`table${number}`).change({ differs: 1 });
  assert.deepEqual(keptTables().slice(0, 2), ["held", "table2"]);
  assert.equal(keptTables().length, 13);
  held.dropHeld(2);
  new Kept("latest").change({ differs: 1 });
  assert.ok(!keptTables().includes("table2"));
});

test("the bar says where the own answer is, and what is awaited while the answers are opened", async () => {
  const { table, show, commitment } = await sealedTable();
  assert.equal(sealNote(table.gameView.value), null);
  show(sealedView(commitment));
  assert.match(sealNote(table.gameView.value), /^Sealed on this device: stay connected until all have answered\./);
  assert.match(sealNote(sealedView("x".repeat(43))), /^Sealed on another of your devices: keep it connected, or answer again here\./);
  assert.equal(sealNote(viewWith({ answer: BID, awaited: [0] })), null);
  show(openingView(commitment, { awaited: [0, 1] }));
  const view = table.gameView.value;
  assert.deepEqual([sealNote(view), isOpening(view), isMyMove(view)], [null, true, false]);
  assert.deepEqual(openingText(view), { title: "Opening the sealed answers…", more: "Still awaited: Ana and you." });
  assert.equal(turnText(view), "Waiting for Ana and you to open the answer");
  assert.match(openingText(openingView("x".repeat(43))).more, /^Yours is on another of your devices/);
});

test("a seat that did not open is in the log, and the setting with its price in the waiting room", () => {
  const settings = { game: "investors", seats: 3, clock: { kind: "none" }, private: false, bots: true, spectators: true, hints: "alone", show_decided: true };
  for (const code of Object.keys(languageNames)) {
    language.value = code;
    for (const key of ["seat.opening", "settings.sealed_on_devices", "settings.sealed_on_devices.help", "fair.sealed.devices", "fair.sealed.no_storage", "fairpage.devices"]) assert.ok(hasText(key), key);
  }
  language.value = "en";
  assert.equal(tableSentence({ event: "seals_not_opened", decision: 34, seats: [0, 1] }, viewWith())?.text, "Not opened in time: Ana and you. The careful answer counts instead.");
  const sentence = (isOn) => settingSentences({ ...settings, sealed_on_devices: isOn }, []).find(({ key }) => key === "sealed_on_devices");
  assert.match(sentence(true)?.text, /within ten seconds/);
  assert.equal(sentence(true)?.isMain, true);
  assert.equal(sentence(false), undefined);
});

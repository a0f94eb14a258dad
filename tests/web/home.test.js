// The home page without a browser: addresses, the order of games, texts, faces, and the keyboard of controls.

import assert from "node:assert/strict";
import { test } from "node:test";

import "./all-texts.js";
import { findTyped, stepTo } from "../../web/src/parts/controls.js";
import { traitsOf } from "../../web/src/parts/face.js";
import { placeBeside } from "../../web/src/parts/floating.js";
import { clockSettingText } from "../../web/src/parts/settings.js";
import { aboutText, changedOptions, progressText, tableName } from "../../web/src/parts/table-texts.js";
import { durationText } from "../../web/src/parts/waiting-time.js";
import { awaitedGames, sortYourGames } from "../../web/src/parts/your-games.js";
import { nextToWatch } from "../../web/src/parts/watch-next.js";
import { tableAfter, tableToShow } from "../../web/src/pages/big-table.js";
import { watchableTable } from "../../web/src/parts/friends.js";
import { sharesOf, stateText } from "../../web/src/parts/spectator-panel.js";
import { parseAddress } from "../../web/src/routes.js";

test("every page has its addresses, and all others are unknown", () => {
  const pages = {
    home: ["/"],
    watch: ["/watch", "/watch/"],
    rules: ["/rules", "/rules/planners"],
    new: ["/new", "/new/builders"],
    you: ["/you"],
    profile: ["/u/ada", "/u/Ada_99", "/u/ada/"],
    rankings: ["/rankings", "/rankings/planners"],
    games: ["/games"],
    replay: ["/g/abcd1234"],
    table: ["/t/abcd1234"],
    unknown: ["/foo", "/t/", "/t/UPPER!", "/t/abc", "/rules/a/b", "/watch/x", "/u/", "/u/ab", "/u/9ada", "/games/x", "/g/abc"],
  };
  for (const [page, paths] of Object.entries(pages)) for (const path of paths) assert.equal(parseAddress(path).page, page, path);
  assert.deepEqual(parseAddress("/t/abcd1234", "#k=0f"), { page: "table", id: "abcd1234", game: null, handle: null, key: "0f" });
  assert.equal(parseAddress("/rules/planners").game, "planners");
});

test("games that wait for the visitor come first, the longest wait before the others", () => {
  const tables = [
    { table: "over", phase: "over" },
    { table: "open", phase: "open" },
    { table: "others", phase: "running", awaited: false, since: 1 },
    { table: "late", phase: "running", awaited: true, since: 900 },
    { table: "unknown", phase: "running", awaited: true, since: null },
    { table: "early", phase: "running", awaited: true, since: 100 },
  ];
  assert.deepEqual(
    sortYourGames(tables).map(({ table }) => table),
    ["early", "late", "unknown", "others", "open", "over"],
  );
  assert.deepEqual(
    awaitedGames(tables).map(({ table }) => table),
    ["early", "late", "unknown"],
  );
});

test("a server that does not say whose move it is leaves the order as it is", () => {
  const tables = [{ table: "a", phase: "running" }, { table: "b", phase: "running" }];
  assert.deepEqual(sortYourGames(tables), tables);
  assert.deepEqual(awaitedGames(tables), []);
});

test("clocks are said in words", () => {
  const decision = (seconds) => clockSettingText({ kind: "decision", seconds });
  assert.equal(clockSettingText({ kind: "none" }), "No clock");
  assert.equal(clockSettingText({ kind: "bank", seconds: 600, increment: 15 }), "10 min + 15 s");
  assert.equal(decision(45), "45 s a decision");
  assert.equal(decision(90), "90 s a decision");
  assert.equal(decision(300), "5 minutes a decision");
  assert.equal(decision(3600), "1 hour a move");
  assert.equal(decision(86_400), "1 day a move");
  assert.equal(decision(604_800), "7 days a move");
});

test("how long a game has waited is said in short", () => {
  const minutes = (count) => durationText(count * 60_000);
  assert.deepEqual([0.5, 1, 59, 60, 47 * 60, 48 * 60].map(minutes), ["just now", "1 min", "59 min", "1 h", "47 h", "2 days"]);
});

test("what a table is about is said from its summary, as far as the server says it", () => {
  const games = [{ name: "investors", options: [{ name: "bargaining_offers", default: 0 }, { name: "layout", default: "random" }] }];
  const table = { game: "investors", settings: { name: null, options: { bargaining_offers: 2, layout: "random" } }, progress: { round: 7 } };
  assert.deepEqual(changedOptions(table, games), ["Bargaining"]);
  assert.equal(tableName(table), "Investors");
  assert.equal(tableName({ ...table, settings: { name: "Nob Hill" } }), "Nob Hill");
  assert.equal(progressText(table), "Round 7");
  assert.equal(progressText({ game: "builders", progress: {} }), null);
  assert.equal(progressText({ game: "builders" }), null);
  assert.equal(aboutText("planners", "place"), "Place the cards");
  assert.equal(aboutText("planners", "unheard_of"), null);
});

test("the big table is the server's choice, or the visitor's while its game goes on", () => {
  const table = (id, game = "investors") => ({ table: id, game });
  const tables = [table("unknown", "chess"), table("first"), table("second"), table("third")];
  const none = new Set();
  assert.equal(tableToShow(tables, null, none)?.table, "first");
  assert.equal(tableToShow(tables, table("elsewhere"), none)?.table, "elsewhere");
  assert.equal(tableToShow(tables, tables[2], new Set(["second"]))?.table, "first");
  assert.equal(tableToShow(tables, null, new Set(["first"]))?.table, "second");
  assert.equal(tableToShow([], null, none), null);
  assert.equal(tableAfter(tables, tables[1], none)?.table, "second");
  assert.equal(tableAfter(tables, tables[3], none)?.table, "first");
  assert.equal(tableAfter(tables, tables[1], new Set(["second"]))?.table, "third");
  assert.equal(tableAfter(tables.slice(0, 2), tables[1], none), null);
});

test("a person can be watched where they play, unless the visitor sits there or nobody may watch", () => {
  const table = (id, more = {}) => ({ table: id, phase: "running", settings: {}, seats: [{ user: "ada" }], ...more });
  const watch = (...tables) => watchableTable({ tables }, "me", "shown")?.table ?? null;
  assert.equal(watch(table("a")), "a");
  assert.equal(watch(table("shown"), table("b")), "b");
  assert.equal(watch(table("open", { phase: "open" }), table("closed", { settings: { spectators: false } }), table("mine", { seats: [{ user: "me" }] })), null);
  assert.equal(watchableTable(undefined, "me"), null);
});

test("predictions are shares of all, and say what came of the own one", () => {
  assert.equal(sharesOf([0, 0]), null);
  assert.deepEqual(sharesOf([1, 2, 0]), [33, 67, 0]);
  const state = { open: true, own: null, winners: null, isSpectator: true };
  assert.match(stateText(state), /^Predict the winner/);
  assert.match(stateText({ ...state, own: 1 }), /still change/);
  assert.match(stateText({ ...state, open: false }), /too late/);
  assert.equal(stateText({ ...state, open: false, own: 1, winners: [0, 1] }), "You were right!");
  assert.match(stateText({ ...state, open: false, own: 2, winners: [0] }), /wrong/);
  assert.match(stateText({ ...state, isSpectator: false, winners: [0] }), /the spectators thought/);
});

test("a face depends on the user's id alone, and faces differ", () => {
  assert.deepEqual(traitsOf("abc"), traitsOf("abc"));
  const faces = new Set(Array.from({ length: 200 }, (_, index) => JSON.stringify(traitsOf(`user${index}`))));
  assert.ok(faces.size > 190, String(faces.size));
});

test("keys move within a list, and typed letters find a name", () => {
  assert.equal(stepTo("ArrowDown", 0, 3), 1);
  assert.equal(stepTo("ArrowDown", 2, 3), 2);
  assert.equal(stepTo("ArrowUp", 0, 3), 0);
  assert.equal(stepTo("End", 0, 3), 2);
  assert.equal(stepTo("Home", 2, 3), 0);
  assert.equal(stepTo("PageDown", 0, 30), 10);
  assert.equal(stepTo("x", 0, 3), null);
  const options = ["Deutsch", "English", "Dansk", "Eesti"].map((label) => ({ value: label, label }));
  assert.equal(findTyped("e", 0, options), 1);
  assert.equal(findTyped("ee", 1, options), 3);
  assert.equal(findTyped("da", 0, options), 2);
  assert.equal(findTyped("q", 0, options), -1);
});

test("a floating card stays within the window", () => {
  const around = { width: 400, height: 600 };
  const anchor = (left, top) => ({ left, right: left + 100, top, bottom: top + 40 });
  const card = { width: 200, height: 300 };
  assert.deepEqual(placeBeside(anchor(20, 50), card, around, "start"), { left: 20, top: 96, maxHeight: 496 });
  // Near the bottom it goes above, near the right edge to the left.
  const { left, top } = placeBeside(anchor(290, 500), card, around, "start");
  assert.deepEqual([left, top], [192, 194]);
  assert.equal(placeBeside(anchor(290, 50), card, around, "end").left, 190);
  // Higher than the window, it is as high as the larger side allows.
  assert.deepEqual(placeBeside(anchor(20, 100), { width: 200, height: 900 }, around, "start"), { left: 20, top: 146, maxHeight: 446 });
});

test("the next table to watch follows the shown one, and is never one at which the visitor sits", () => {
  const rows = ["a", "b", "c"].map((table) => ({ table, seats: [{ user: table === "c" ? "me" : "other" }, { user: null }] }));
  assert.equal(nextToWatch(rows, "a", null)?.table, "b");
  assert.equal(nextToWatch(rows, "b", null)?.table, "c");
  assert.equal(nextToWatch(rows, "b", "me")?.table, "a");
  assert.equal(nextToWatch(rows, "elsewhere", null)?.table, "a");
  assert.equal(nextToWatch(rows.slice(0, 1), "a", null), null);
});

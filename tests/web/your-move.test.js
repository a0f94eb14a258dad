import assert from "node:assert/strict";
import { test } from "node:test";
import "./all-texts.js";
import { language } from "../../web/src/catalogue/index.js";
import { NewMoves, nextGame, titleOf, waitingGames } from "../../web/src/parts/your-move.js";

language.value = "en";

const listed = (table, since, game = "investors") => ({ table, game, phase: "running", awaited: since !== null, since });
const viewOf = (awaited, paused = false) => ({ mine: 0, table: { game: "planners", paused }, play: { decision: { awaited } } });
const tables = (waiting) => waiting.map(({ table }) => table);

test("the games that wait come oldest first, and the open table counts by its own view", () => {
  const yours = [listed("aaaa", 30), listed("bbbb", 10), listed("cccc", null), listed("dddd", 20)];
  assert.deepEqual(tables(waitingGames(yours, null)), ["bbbb", "dddd", "aaaa"]);
  assert.deepEqual(tables(waitingGames(yours, { id: "bbbb", view: viewOf([1]) })), ["dddd", "aaaa"]);
  assert.deepEqual(tables(waitingGames(yours, { id: "cccc", view: viewOf([0, 1]) })), ["bbbb", "dddd", "aaaa", "cccc"]);
  assert.deepEqual(waitingGames([], { id: "zzzz", view: viewOf([0]) }), [{ table: "zzzz", game: "planners", since: null }]);
  assert.deepEqual(waitingGames([], { id: "zzzz", view: viewOf([0], true) }), []);
});

test("the next game goes round through those that wait", () => {
  const waiting = waitingGames([listed("aaaa", 1), listed("bbbb", 2), listed("cccc", 3)], null);
  assert.equal(nextGame(waiting, null)?.table, "aaaa");
  assert.equal(nextGame(waiting, "aaaa")?.table, "bbbb");
  assert.equal(nextGame(waiting, "cccc")?.table, "aaaa");
  assert.equal(nextGame(waiting, "zzzz")?.table, "aaaa");
  assert.equal(nextGame(waiting.slice(0, 1), "aaaa"), null);
  assert.equal(nextGame([], "aaaa"), null);
});

test("the title names the move, the game, and how many wait", () => {
  const waiting = waitingGames([listed("aaaa", 1), listed("bbbb", 2, "builders")], null);
  assert.equal(titleOf([], null), "San Francisco Tables");
  assert.equal(titleOf([], { id: "bbbb", game: "builders" }), "Builders · San Francisco Tables");
  assert.equal(titleOf(waiting.slice(0, 1), null), "● Your move · Investors");
  assert.equal(titleOf(waiting, null), "● Your move (2) · Investors");
  assert.equal(titleOf(waiting, { id: "bbbb", game: "builders" }), "● Your move (2) · Builders");
});

test("a game is new once for each decision, and not when the page or its table is opened", () => {
  const moves = new NewMoves();
  const update = (yours, open = null) => tables(moves.update(waitingGames(yours, open), open?.id ?? null));
  assert.deepEqual(update([listed("aaaa", 1)]), []);
  assert.deepEqual(update([listed("aaaa", 1), listed("bbbb", 2)]), ["bbbb"]);
  assert.deepEqual(update([listed("aaaa", 1), listed("bbbb", 2)]), []);
  assert.deepEqual(update([listed("aaaa", 5), listed("bbbb", 2)]), ["aaaa"]);
  assert.deepEqual(update([listed("aaaa", null), listed("bbbb", 2)]), []);
  const yours = [listed("aaaa", null), listed("bbbb", 2), listed("cccc", null)];
  assert.deepEqual(update(yours, { id: "cccc", view: viewOf([0]) }), []);
  assert.deepEqual(update(yours, { id: "cccc", view: viewOf([1]) }), []);
  assert.deepEqual(update(yours, { id: "cccc", view: viewOf([0]) }), ["cccc"]);
});

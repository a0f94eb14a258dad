import assert from "node:assert/strict";
import { test } from "node:test";
import { countUnread, markSeen, unreadAt } from "../../web/src/parts/unread.js";

const line = (user, text, at = null) => ({ user, name: user, text, at });

test("lines of others after the last seen one are unread", () => {
  const lines = [line("bo", "hello", 1), line("me", "hi", 2), line("bo", "well", 3), line("me", "yes", 4), line("cem", "well", 5)];
  assert.equal(unreadAt("aaaa", lines, "me"), 3);
  markSeen("aaaa", lines.slice(0, 2));
  assert.equal(unreadAt("aaaa", lines, "me"), 2);
  markSeen("aaaa", lines);
  assert.equal(unreadAt("aaaa", lines, "me"), 0);
  assert.equal(unreadAt("bbbb", lines, "me"), 3);
});

test("when the server has dropped the last seen line, all lines it still has are unread", () => {
  assert.equal(countUnread([line("bo", "new", 7), line("bo", "newer", 8)], "1/bo/old", "me"), 2);
});

test("lines from before times were kept are told apart by writer and text", () => {
  markSeen("cccc", [line("bo", "hello")]);
  assert.equal(unreadAt("cccc", [line("bo", "hello"), line("cem", "hello")], "me"), 1);
});

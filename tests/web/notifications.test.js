import assert from "node:assert/strict";
import { test } from "node:test";
import "./all-texts.js";
import { language } from "../../web/src/catalogue/index.js";
import { clockText, minutesOf, toggledAbout } from "../../web/src/notifications/card.js";
import { errorText, stateText } from "../../web/src/notifications/contact-row.js";
import { contactId } from "../../web/src/notifications/push.js";
import { cleanUrl, formOf } from "../../web/src/notifications/webhook.js";

language.value = "en";

const contact = { on: true, sent: null, error: null, gave_up: null };

test("times of day are minutes after midnight, and empty fields are none", () => {
  for (const minutes of [0, 7 * 60, 22 * 60 + 5, 1439]) assert.equal(minutesOf(clockText(minutes)), minutes);
  assert.equal(clockText(425), "07:05");
  assert.equal(minutesOf(""), null);
  assert.equal(minutesOf("22:30:15"), 1350);
});

test("what somebody wants to know keeps its order", () => {
  assert.deepEqual(toggledAbout(["invited", "move"], "ended"), ["move", "ended", "invited"]);
  assert.deepEqual(toggledAbout(["move", "ended"], "move"), ["ended"]);
});

test("a contact says whether it works, and why not", () => {
  assert.equal(stateText(contact), "on");
  assert.equal(stateText({ ...contact, on: false }), "off");
  assert.match(stateText({ ...contact, sent: Date.now() }), /^last message /);
  assert.equal(stateText({ ...contact, on: false, error: "unsubscribed" }), "Switched off by the link in a message.");
  assert.match(stateText({ ...contact, error: "timeout", gave_up: 1 }), /given up.*in time\.$/);
  assert.equal(errorText("a code of a newer server"), errorText("server_error"));
});

test("an address is written as browsers do, and Discord's are known", () => {
  assert.equal(cleanUrl("  HTTPS://Hooks.Example/A b "), "https://hooks.example/A%20b");
  assert.equal(cleanUrl("nonsense"), "nonsense");
  assert.equal(formOf("https://discord.com/api/webhooks/1/x"), "discord");
  assert.equal(formOf("https://canary.discord.com/api/webhooks/1/x"), "discord");
  assert.equal(formOf("https://hooks.example/discord.com/"), "json");
});

test("a subscription is called at the server by a hash of its address", async () => {
  assert.equal(await contactId("https://push.example/1"), "push-5ba15fff965f44af");
});

// Standing orders as sentences, and which of them the form offers.

import assert from "node:assert/strict";
import { test } from "node:test";
import "./all-texts.js";
import { language } from "../../web/src/catalogue/index.js";
import { nextNote } from "../../web/src/orders/orders.js";
import { offeredKinds } from "../../web/src/orders/dialog.js";
import { defaultsOf } from "../../web/src/orders/form.js";
import { orderText, untilText } from "../../web/src/orders/sentences.js";

language.value = "en";
const INFLUENCE = { kind: "influence", values: { target: "office", limit: 7, lacking: "zero" }, until: "period" };
const RULES = {
  period: "round",
  kinds: [
    { kind: "influence", sealed: true, fields: [{ name: "limit", kind: "limit", help: "", least: 0, most: 9, default: 5, none: false }] },
    { kind: "pass", sealed: false, fields: [{ name: "target", kind: "pick", help: "", values: ["any", "office"], default: "any" }] },
    { kind: "prepared", sealed: false, fields: [{ name: "command", kind: "command" }] },
  ],
};

test("an order is a sentence with its values in words", () => {
  assert.equal(orderText(INFLUENCE), "Tenders for offices: influence up to 7; without a card that high: card 0, or stay out");
  const raise = { kind: "raise", values: { target: "any", limit: 80, pay: "large", beyond: "pass" }, until: "changed" };
  assert.equal(orderText(raise), "Any tender: raise to at most $80,000, large cheques first; beyond that: pass");
});

test("a field that may be empty is in the sentence only where it has a value", () => {
  const draw = (unless) => orderText({ kind: "draw", values: { column: "shortest", unless }, until: "once" });
  assert.equal(draw(null), "Draw a project and lay it in the shortest column");
  assert.match(draw(4), /has 4 cards, I decide$/);
});

test("a command that a program has prepared has a sentence without its fields", () => {
  const prepared = { kind: "prepared", values: { about: "invest", command: { do: "place_stick", street: 12 } }, until: "once" };
  assert.equal(orderText(prepared), "A prepared answer to the next decision of its kind");
});

test("every language says how long an order holds", () => {
  for (const code of ["en", "de", "it", "pl"]) {
    language.value = code;
    for (const until of ["once", "period", "changed"]) assert.doesNotMatch(untilText(until, "round"), /orders\./);
  }
  language.value = "en";
});

test("the form offers what a person can fill in, and nothing sealed where sealed answers stay on devices", () => {
  const names = (table) => offeredKinds(RULES, { table }).map(({ kind }) => kind);
  assert.deepEqual(names({ settings: {}, fairness: {} }), ["influence", "pass"]);
  assert.deepEqual(names({ settings: { sealed_on_devices: true }, fairness: {} }), ["pass"]);
  assert.deepEqual(names({ settings: { sealed_on_devices: true }, fairness: null }), ["influence", "pass"]);
  assert.deepEqual(defaultsOf(RULES.kinds[1]), { target: "any" });
});

test("the player reads which order is about to act", () => {
  const note = (next) => nextNote({ orders: { revision: 1, given: [INFLUENCE], next } });
  assert.match(note(0), /^Acts in your place in a moment, unless you decide: Tenders for offices/);
  assert.equal(note(null), null);
  assert.equal(nextNote({ orders: null }), null);
});

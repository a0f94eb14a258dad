// Why an answer is not possible: refusals of the server and reasons that the page knows, each with what leads to its rule.

import assert from "node:assert/strict";
import { test } from "node:test";

import { signal } from "@preact/signals";
import { choose, refusalOf, sayWhyNot, send } from "../../web/src/parts/selection.js";

/** Return a table whose server refuses every answer with this code. */
function refusing(code) {
  return {
    decisionNumber: signal(1),
    decide: async () => {
      throw Object.assign(new Error("No."), { code });
    },
  };
}

test("a refusal keeps its code while the same decision is open", async () => {
  const model = refusing("illegal_choice");
  await send(model, { do: "something" });
  assert.deepEqual(refusalOf(model), { number: 1, sentence: "No.", code: "illegal_choice" });
  model.decisionNumber.value = 2;
  assert.equal(refusalOf(model), null);
});

test("a reason is said until something is chosen", () => {
  const model = refusing("");
  sayWhyNot(model, "hand.too_high", "Too high.");
  assert.deepEqual(refusalOf(model), { number: 1, sentence: "Too high.", reason: "hand.too_high" });
  choose(model, { card: 3 });
  assert.equal(refusalOf(model), null);
});

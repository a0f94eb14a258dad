// A finished game is asked for one step at a time, and never for more than is still wanted.

import assert from "node:assert/strict";
import { test } from "node:test";

import { ReplaySteps } from "../../web/src/replay-steps.js";

const LAST = 9;

/** ReplaySteps with the requests that they made, which are answered when the test says so. */
function looking() {
  const asked = [];
  const ask = (step) =>
    new Promise((answer, refuse) => {
      asked.push({ step, answer: () => answer({ step, steps: LAST, view: `view ${step}`, events: [] }), refuse });
    });
  return { steps: new ReplaySteps(ask, async () => {}), asked };
}

/** Let everything happen that was begun. */
const settle = () => new Promise((done) => setTimeout(done));

async function begun() {
  const found = looking();
  found.steps.goTo(0);
  found.asked[0].answer();
  await settle();
  return found;
}

test("the first step is asked for and shown", async () => {
  const { steps, asked } = await begun();
  assert.deepEqual(asked.map(({ step }) => step), [0]);
  assert.equal(steps.shown.value?.view, "view 0");
});

test("while one is on its way the newest wish counts, and only one is asked for at a time", async () => {
  const { steps, asked } = await begun();
  for (const step of [3, 4, 5, 6]) steps.goTo(step);
  assert.deepEqual(asked.map(({ step }) => step), [0, 3]);
  asked[1].answer();
  await settle();
  assert.equal(steps.shown.value?.step, 0, "what is no longer wanted is not shown");
  assert.deepEqual(asked.map(({ step }) => step), [0, 3, 6]);
  asked[2].answer();
  await settle();
  assert.equal(steps.shown.value?.step, 6);
});

test("what is known is shown at once and not asked for again", async () => {
  const { steps, asked } = await begun();
  steps.goTo(1);
  asked[1].answer();
  await settle();
  steps.goTo(0);
  assert.equal(steps.shown.value?.step, 0);
  assert.equal(asked.length, 2);
});

test("there is nothing before the first step and after the last", async () => {
  const { steps, asked } = await begun();
  steps.goTo(-1);
  assert.equal(steps.target.value, 0);
  steps.goTo(LAST + 5);
  assert.deepEqual(asked.map(({ step }) => step), [0, LAST]);
});

test("a refusal is told and the next wish is asked for again", async () => {
  const { steps, asked } = await begun();
  steps.goTo(2);
  asked[1].refuse(new Error("Please wait a moment."));
  await settle();
  assert.equal(steps.refusal.value, "Please wait a moment.");
  assert.equal(steps.shown.value?.step, 0);
  steps.goTo(3);
  assert.equal(steps.refusal.value, null);
  assert.deepEqual(asked.map(({ step }) => step), [0, 2, 3]);
});

// The steps of a finished game are requested one at a time, and only while they are still needed.

import assert from "node:assert/strict";
import { test } from "node:test";

import { ReplaySteps } from "../../web/src/replay-steps.js";

const LAST = 9;

/** Return replay steps and their requests, which the test answers. */
function replayWithRequests() {
  const requests = [];
  const fetchStep = (step) =>
    new Promise((answer, refuse) => {
      requests.push({ step, answer: () => answer({ step, steps: LAST, view: `view ${step}`, events: [] }), refuse });
    });
  return { steps: new ReplaySteps(fetchStep, async () => {}), requests };
}

/** Wait until pending promises have settled. */
const settle = () => new Promise((done) => setTimeout(done));

async function startedReplay() {
  const replay = replayWithRequests();
  replay.steps.goTo(0);
  replay.requests[0].answer();
  await settle();
  return replay;
}

test("the first step is requested and shown", async () => {
  const { steps, requests } = await startedReplay();
  assert.deepEqual(requests.map(({ step }) => step), [0]);
  assert.equal(steps.shown.value?.view, "view 0");
});

test("one step is requested at a time, and then only the newest target", async () => {
  const { steps, requests } = await startedReplay();
  for (const step of [3, 4, 5, 6]) steps.goTo(step);
  assert.deepEqual(requests.map(({ step }) => step), [0, 3]);
  requests[1].answer();
  await settle();
  assert.equal(steps.shown.value?.step, 0, "what is no longer wanted is not shown");
  assert.deepEqual(requests.map(({ step }) => step), [0, 3, 6]);
  requests[2].answer();
  await settle();
  assert.equal(steps.shown.value?.step, 6);
});

test("a cached step is shown at once and not requested again", async () => {
  const { steps, requests } = await startedReplay();
  steps.goTo(1);
  requests[1].answer();
  await settle();
  steps.goTo(0);
  assert.equal(steps.shown.value?.step, 0);
  assert.equal(requests.length, 2);
});

test("targets are clamped to the first and the last step", async () => {
  const { steps, requests } = await startedReplay();
  steps.goTo(-1);
  assert.equal(steps.target.value, 0);
  steps.goTo(LAST + 5);
  assert.deepEqual(requests.map(({ step }) => step), [0, LAST]);
});

test("a refusal is shown, and the next target is requested again", async () => {
  const { steps, requests } = await startedReplay();
  steps.goTo(2);
  requests[1].refuse(new Error("Please wait a moment."));
  await settle();
  assert.equal(steps.refusal.value, "Please wait a moment.");
  assert.equal(steps.shown.value?.step, 0);
  steps.goTo(3);
  assert.equal(steps.refusal.value, null);
  assert.deepEqual(requests.map(({ step }) => step), [0, 2, 3]);
});

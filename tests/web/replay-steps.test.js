// The steps of a game are requested one at a time, only while they are still needed, and never faster than the server allows.

import assert from "node:assert/strict";
import { test } from "node:test";

import { ReplaySteps, RequestBudget } from "../../web/src/replay-steps.js";

const LAST = 9;

/** Return replay steps without steps fetched ahead, and their requests, which the test answers. */
function replayWithRequests(options = {}) {
  const requests = [];
  const fetchStep = (step, eyes, isByEvent) =>
    new Promise((answer, refuse) => {
      const fetched = { step, steps: LAST, view: `view ${step} ${eyes}`, events: [], between: isByEvent ? [] : null };
      requests.push({ step, eyes, isByEvent, answer: () => answer(fetched), refuse });
    });
  const steps = new ReplaySteps(fetchStep, { budget: { turn: async () => {} }, last: LAST, pause: async () => {}, ...options });
  steps.ahead = 0;
  return { steps, requests };
}

/** Wait until pending promises have settled. */
const settle = () => new Promise((done) => setTimeout(done));
const numbers = (requests) => requests.map(({ step }) => step);

/** Return a replay that shows its first step; the step behind the target counts as fetched. */
async function startedReplay(options) {
  const replay = replayWithRequests(options);
  replay.steps.wanted = onlyTarget(replay.steps);
  replay.steps.goTo(0);
  await settle();
  replay.requests[0].answer();
  await settle();
  return replay;
}

/** Return a replacement of `wanted` that fetches nothing ahead. */
function onlyTarget(steps) {
  return () => (steps.has(steps.target.value) ? null : steps.target.value);
}

test("the first step is requested and shown", async () => {
  const { steps, requests } = await startedReplay();
  assert.deepEqual(numbers(requests), [0]);
  assert.equal(steps.shown.value?.view, "view 0 null");
});

test("one step is requested at a time, and then only the newest target", async () => {
  const { steps, requests } = await startedReplay();
  for (const step of [3, 4, 5, 6]) {
    steps.goTo(step);
    await settle();
  }
  assert.deepEqual(numbers(requests), [0, 3]);
  requests[1].answer();
  await settle();
  assert.equal(steps.shown.value?.step, 0, "what is no longer wanted is not shown");
  assert.deepEqual(numbers(requests), [0, 3, 6]);
  requests[2].answer();
  await settle();
  assert.equal(steps.shown.value?.step, 6);
});

test("a cached step is shown at once and not requested again", async () => {
  const { steps, requests } = await startedReplay();
  steps.goTo(1);
  await settle();
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
  await settle();
  assert.deepEqual(numbers(requests), [0, LAST]);
});

test("a refusal is shown, and the next target is requested again", async () => {
  const { steps, requests } = await startedReplay();
  steps.goTo(2);
  await settle();
  requests[1].refuse(new Error("The table is busy."));
  await settle();
  assert.equal(steps.refusal.value, "The table is busy.");
  assert.equal(steps.shown.value?.step, 0);
  steps.goTo(3);
  await settle();
  assert.equal(steps.refusal.value, null);
  assert.deepEqual(numbers(requests), [0, 2, 3]);
});

test("a step that the rate limit refused is requested again after a pause", async () => {
  const pauses = [];
  const { steps, requests } = await startedReplay({ pause: async (milliseconds) => void pauses.push(milliseconds) });
  steps.goTo(4);
  await settle();
  requests[1].refuse(Object.assign(new Error("Too fast."), { code: "too_fast" }));
  await settle();
  assert.deepEqual(numbers(requests), [0, 4, 4]);
  assert.equal(pauses.length, 1);
  requests[2].answer();
  await settle();
  assert.equal(steps.shown.value?.step, 4);
  assert.equal(steps.refusal.value, null);
});

test("the same step through other eyes is another request, and each view keeps its eyes", async () => {
  const { steps, requests } = await startedReplay();
  steps.setEyes("all");
  assert.equal(steps.isCurrent, false);
  await settle();
  assert.equal(requests[1].eyes, "all");
  requests[1].answer();
  await settle();
  assert.equal(steps.shown.value?.view, "view 0 all");
  assert.equal(steps.isCurrent, true);
  steps.setEyes(null);
  assert.equal(steps.shown.value?.view, "view 0 null");
  assert.equal(requests.length, 2);
});

test("event by event, a step that was fetched whole is fetched again with its events, and then kept", async () => {
  const { steps, requests } = await startedReplay();
  steps.setByEvent(true);
  assert.equal(steps.isCurrent, false);
  await settle();
  assert.deepEqual(requests.map(({ step, isByEvent }) => [step, isByEvent]), [[0, false], [0, true]]);
  requests[1].answer();
  await settle();
  assert.equal(steps.isCurrent, true);
  steps.setByEvent(false);
  steps.setByEvent(true);
  await settle();
  assert.equal(requests.length, 2);
});

test("neighbours are fetched ahead in the direction of the last move, the target first", async () => {
  const { steps, requests } = replayWithRequests();
  steps.ahead = 2;
  steps.goTo(4);
  for (let answered = 0; answered < 4; answered += 1) {
    await settle();
    requests[answered].answer();
  }
  await settle();
  assert.deepEqual(numbers(requests), [4, 5, 6, 3]);
  steps.goTo(3);
  await settle();
  requests[4].answer();
  await settle();
  assert.deepEqual(numbers(requests).slice(4), [2, 1]);
});

test("a neighbour that cannot be fetched leaves no refusal and is not asked for again", async () => {
  const { steps, requests } = replayWithRequests();
  steps.ahead = 1;
  steps.goTo(0);
  await settle();
  requests[0].answer();
  await settle();
  requests[1].refuse(new Error("busy"));
  await settle();
  assert.equal(steps.refusal.value, null);
  assert.deepEqual(numbers(requests), [0, 1]);
});

test("at most so many steps are kept, and the one that was shown longest ago goes", async () => {
  const { steps, requests } = await startedReplay({ limit: 2 });
  for (const [index, step] of [1, 2].entries()) {
    steps.goTo(step);
    await settle();
    requests[index + 1].answer();
    await settle();
  }
  assert.equal(steps.cache.size, 2);
  steps.goTo(0);
  await settle();
  assert.deepEqual(numbers(requests), [0, 1, 2, 0]);
});

test("requests stay below sixty in twenty seconds, however fast they are wanted", async () => {
  let clock = 0;
  const sent = [];
  const budget = new RequestBudget({ now: () => clock, delay: async (milliseconds) => void (clock += milliseconds) });
  for (let index = 0; index < 300; index += 1) {
    await budget.turn();
    sent.push(clock);
  }
  const most = Math.max(...sent.map((start) => sent.filter((at) => at >= start && at < start + 20_000).length));
  assert.ok(most <= 54, `${most} requests`);
  assert.equal(sent.filter((at) => at === 0).length, 8, "a few go out at once");
});

// Lessons: the model of a lesson, its progress, what the guide points at, and where it draws.

import assert from "node:assert/strict";
import { test } from "node:test";

import { addTexts } from "../../web/src/catalogue/index.js";
import { around, arrows, lights, overlap, placeBubble, placeSheet } from "../../web/src/lessons/geometry.js";
import { isSame, LessonModel } from "../../web/src/lessons/lesson-model.js";
import { LessonProgress, partDone } from "../../web/src/lessons/progress.js";
import { elementsOf, GENERAL, selectorOf } from "../../web/src/lessons/targets.js";
import { nextLesson } from "../../web/src/pages/lesson/end.js";
import { choose, refusalOf, send } from "../../web/src/parts/selection.js";
import { boldParts } from "../../web/src/parts/bold.js";
import { zoomedOn } from "../../web/src/parts/zoom.js";
import { taskOf } from "../../web/src/lessons/task.js";
import { Refusal } from "../../web/src/refusal.js";
import { parseAddress } from "../../web/src/routes.js";

addTexts("en", { "guide.refused.explains": "Only explains.", "guide.refused.done": "Done.", "guide.refused.undo": "Nothing.", "guide.refused.other": "No." });

const BID = { do: "bid", card: 5 };
const PLACE = { do: "place", street: 7 };
/** The steps of the lesson that `fakeServer` plays: the second one asks for two answers in a row. */
const STEPS = [{ id: "aim" }, { id: "turn", answers: [BID, PLACE] }, { id: "end" }];

/** Return a socket that answers as the server does, and the requests that it got. */
function fakeServer({ reached = 0, refuse = () => null } = {}) {
  const sent = [];
  const request = async (message) => {
    sent.push(message);
    const refusal = refuse(message);
    if (refusal) throw new Refusal({ code: refusal, sentence: `No: ${refusal}.` });
    if (message.type === "get_lessons") return { lessons: { investors: { steps: 3, step: reached, done: false } } };
    if (message.type === "keep_lesson") return {};
    const { step, answers, ahead } = message;
    const meant = STEPS[step].answers ?? [];
    if (ahead) return { play: { after: answers.at(-1) } };
    const isDeviating = answers.some((answer, index) => !isSame(answer, meant[index]));
    const done = !meant.length || isDeviating || answers.length === meant.length;
    return {
      lesson: { game: "investors", steps: STEPS.map(({ id }) => id), seats: [null, "Silas"], learner: 0 },
      step,
      guide: { id: STEPS[step].id, point: ["board"], asks: !done, answers: done ? [] : meant.slice(answers.length), meaning: done && answers.length ? (isDeviating ? "other" : "good") : null, done },
      view: { mine: 0, table: { id: "lesson", phase: "running" }, seats: [], play: { decision: { number: 1 + 10 * step + answers.length } } },
      entries: [{ number: 1, events: [{ event: "begun" }] }],
      latest: answers.length ? [{ event: "answered" }] : [],
    };
  };
  return { request, sent, kinds: () => sent.map(({ type, step, answers }) => [type, step, answers?.length].filter((part) => part !== undefined).join(" ")) };
}

/** Return a storage in memory, and the timers that were set. */
function memory(stored = {}) {
  const timers = [];
  return { storage: { get: (name) => stored[name] ?? null, set: (name, text) => (stored[name] = text) }, later: (work) => timers.push(work), cancel: (timer) => timer && (timers[timer - 1] = () => {}), stored, timers };
}

async function openLesson(options = {}, kept = {}) {
  const server = fakeServer(options);
  const device = memory(kept);
  const progress = new LessonProgress(server, device);
  const model = new LessonModel("investors", server, progress);
  await model.load();
  return { model, server, device, progress };
}

test("a lesson has an address", () => {
  assert.equal(parseAddress("/learn").page, "learn");
  const { page, game } = parseAddress("/learn/planners/");
  assert.deepEqual([page, game], ["lesson", "planners"]);
  assert.equal(parseAddress("/learn/planners/3").page, "unknown");
});

test("a lesson begins at the step that the server knows, with a view, a log and what the guide says", async () => {
  const { model } = await openLesson({ reached: 1 });
  assert.equal(model.step.value, 1);
  assert.equal(model.length, 3);
  assert.equal(model.gameView.value.table.id, "lesson");
  assert.equal(model.stage.value, "running");
  assert.deepEqual(model.tableLog.entries.value.map(({ number }) => number), [1]);
  assert.deepEqual(model.guide.value.answers, [BID, PLACE]);
});

test("an answer asks for the position with one more answer, and undo for the one with one less", async () => {
  const { model, server } = await openLesson({ reached: 1 });
  await model.decide(BID);
  assert.deepEqual(model.answers.value, [BID]);
  assert.equal(model.decisionNumber.value, 12);
  assert.equal(model.isAnswered.value, false, "the step asks for two answers");
  assert.equal(model.latest.value.length, 1);
  await model.undo();
  assert.deepEqual(model.answers.value, []);
  assert.deepEqual(server.kinds().filter((kind) => kind.startsWith("get_lesson ")), ["get_lesson 1 0", "get_lesson 1 1", "get_lesson 1 0"]);
  await assert.rejects(model.undo(), { message: "Nothing." });
});

test("a step is answered with all its answers, or with another one, and then takes no more", async () => {
  const { model } = await openLesson({ reached: 1 });
  await model.decide(BID);
  await model.decide(PLACE);
  assert.equal(model.isAnswered.value, true);
  assert.equal(model.guide.value.meaning, "good");
  assert.equal(model.isOtherwise.value, false);
  await assert.rejects(model.decide(BID), { message: "Done." });
  await model.back();
  assert.deepEqual([model.step.value, model.answers.value], [1, []]);
  await model.decide({ do: "bid", card: 9 });
  assert.equal(model.guide.value.meaning, "other");
  assert.equal(model.isOtherwise.value, true);
  await model.back();
  await model.decide(BID);
  await model.decide({ ...PLACE, street: 8 });
  assert.equal(model.isOtherwise.value, true);
});

test("a step that only explains takes no answer", async () => {
  const { model } = await openLesson();
  assert.equal(model.isAnswered.value, false);
  await assert.rejects(model.decide(BID), { message: "Only explains." });
});

test("a preview is possible where a step only explains, since the next one may begin with the same decision", async () => {
  const { model } = await openLesson({ reached: 0 });
  assert.deepEqual(await model.preview(BID), { after: BID });
});

test("a preview looks at the answer and gives none", async () => {
  const { model, server } = await openLesson({ reached: 1 });
  assert.deepEqual(await model.preview(BID), { after: BID });
  assert.deepEqual(model.answers.value, []);
  assert.deepEqual(server.sent.at(-1), { type: "get_lesson", game: "investors", step: 1, answers: [BID], ahead: true });
});

test("what only a table of people has is refused", async () => {
  const { model, server } = await openLesson();
  const count = server.sent.length;
  await assert.rejects(model.request("vote"), { message: "No." });
  assert.equal(server.sent.length, count);
});

test("back and next go from step to step, and next from the last one ends the lesson", async () => {
  const { model, server } = await openLesson();
  await model.back();
  assert.equal(model.step.value, 0, "there is none before the first");
  for (const step of [1, 2]) {
    await model.next();
    assert.equal(model.step.value, step);
  }
  await model.back();
  assert.equal(model.step.value, 1);
  await model.next();
  await model.next();
  assert.equal(model.end.value, "done");
  assert.deepEqual(server.sent.at(-1), { type: "keep_lesson", game: "investors", step: 0, done: true });
  await model.restart();
  assert.deepEqual([model.end.value, model.step.value], [null, 0]);
});

test("a lesson that is skipped goes on where it was left", async () => {
  const { model, device } = await openLesson({ reached: 1 });
  model.finish("skipped");
  assert.equal(model.end.value, "skipped");
  assert.equal(JSON.parse(device.stored["lesson-investors"]).step, 1);
  model.resume();
  assert.deepEqual([model.end.value, model.step.value], [null, 1]);
});

test("show me gives the meant answers, from where the learner is", async () => {
  const { model } = await openLesson({ reached: 1 });
  await model.decide(BID);
  const shown = [];
  await model.showMe(async (command) => void shown.push(command));
  assert.deepEqual(shown, [PLACE]);
  assert.equal(model.guide.value.meaning, "good");
  assert.equal(model.isMoving.value, false);
});

test("show me ends when the learner leaves the step meanwhile", async () => {
  const { model } = await openLesson({ reached: 1 });
  let goOn = () => {};
  const playing = model.showMe(() => new Promise((resolve) => (goOn = resolve)));
  model.finish("skipped");
  goOn();
  await playing;
  assert.deepEqual(model.answers.value, []);
});

test("a late reply does not replace the step that was asked for after it", async () => {
  const { model, server } = await openLesson();
  const replies = [];
  const answered = server.request;
  server.request = (message) => (message.type === "get_lesson" ? new Promise((resolve) => replies.push(async () => resolve(await answered(message)))) : answered(message));
  const asked = [model.ask(1, []), model.ask(2, [])];
  await replies[1]();
  await replies[0]();
  await Promise.all(asked);
  assert.equal(model.step.value, 2);
});

test("a refused answer shows its sentence in the decision bar, and the position stays", async () => {
  const { model } = await openLesson({ reached: 1, refuse: ({ answers }) => (answers?.length ? "illegal_choice" : null) });
  choose(model, { street: 7 });
  await send(model, PLACE);
  assert.equal(refusalOf(model)?.sentence, "No: illegal_choice.");
  assert.deepEqual(model.answers.value, []);
  await model.showMe();
  assert.equal(model.refusal.value, "No: illegal_choice.", "show me has no bar, so the guide says it");
});

test("a lesson that is shorter than it was begins again, and one that there is not leaves nothing to show", async () => {
  const { model } = await openLesson({ reached: 2, refuse: ({ type, step }) => (type === "get_lesson" && step === 2 ? "no_such_step" : null) });
  assert.equal(model.guide.value?.id, "aim");
  const { model: missing } = await openLesson({ refuse: ({ type }) => (type === "get_lesson" ? "no_such_lesson" : null) });
  assert.equal(missing.failure.value.code, "no_such_lesson");
});

test("the server is told the newest step after a rest, and the device at once", async () => {
  const server = fakeServer();
  const device = memory();
  const progress = new LessonProgress(server, device);
  progress.keep("planners", 1, false);
  progress.keep("planners", 2, false);
  assert.deepEqual(JSON.parse(device.stored["lesson-planners"]), { step: 2, done: false, isSent: false });
  assert.equal(await progress.reached("planners"), 2, "what the server does not know yet counts");
  for (const timer of device.timers) timer();
  assert.deepEqual(server.sent, [{ type: "keep_lesson", game: "planners", step: 2, done: false }]);
  await Promise.resolve();
  assert.equal(progress.onDevice("planners").isSent, true);
});

test("what a page has not told yet is told when the page is left", () => {
  const server = fakeServer();
  const progress = new LessonProgress(server, memory());
  progress.keep("builders", 4, false);
  progress.flush();
  progress.flush();
  assert.deepEqual(server.kinds(), ["keep_lesson 4"]);
});

test("a device goes on from the step of another device, and from its own without the server", async () => {
  const kept = { "lesson-investors": JSON.stringify({ step: 1, done: true, isSent: true }) };
  assert.equal(await new LessonProgress(fakeServer({ reached: 2 }), memory(kept)).reached("investors"), 2);
  assert.equal(await new LessonProgress(fakeServer({ refuse: () => "busy" }), memory(kept)).reached("investors"), 1);
  assert.equal(await new LessonProgress(fakeServer({ refuse: () => "busy" }), memory({ "lesson-investors": "nonsense" })).reached("investors"), 0);
});

test("the part of a lesson that is done", () => {
  assert.equal(partDone(undefined), 0);
  assert.equal(partDone({ steps: 8, step: 2, done: false }), 0.25);
  assert.equal(partDone({ steps: 8, step: 0, done: true }), 1);
  assert.deepEqual(["investors", "planners", "builders"].map(nextLesson), ["planners", "builders", "investors"]);
});

test("targets are named by kind and value; the kinds of a game come first", () => {
  assert.equal(selectorOf("seat:2", {}), '[data-seat="2"]');
  assert.equal(selectorOf("board", {}), GENERAL.board(""));
  const kinds = { street: (street) => `.street-${street}`, hand: () => ".cards", at: (value) => `.${value}` };
  assert.equal(selectorOf("street:12", kinds), ".street-12");
  assert.equal(selectorOf("hand", kinds), ".cards");
  assert.equal(selectorOf("at:a:b", kinds), ".a:b", "a value may hold a colon");
  assert.equal(selectorOf("nothing:1", kinds), null);
});

test("only targets that are drawn count, each once", () => {
  const element = (width) => ({ getBoundingClientRect: () => ({ width, height: width }) });
  const [drawn, hidden] = [element(10), element(0)];
  const page = { querySelectorAll: (selector) => ({ ".middle": [drawn], ".left": [hidden, drawn] })[selector] ?? [] };
  assert.deepEqual(elementsOf(page, ["board", "seats", "nothing"], {}), [drawn]);
});

const WINDOW = { width: 1440, height: 900 };
const box = (left, top, width, height) => ({ left, top, right: left + width, bottom: top + height });

test("targets that are near each other share a light; others have their own", () => {
  const [north, south, far] = [box(400, 300, 80, 20), box(400, 400, 80, 20), box(1200, 100, 50, 50)];
  const found = lights([north, south, far], WINDOW);
  assert.equal(found.length, 2);
  assert.ok(found.some((light) => overlap(light, north) && overlap(light, south)));
  assert.equal(lights([], WINDOW).length, 0);
  const [seats, column] = [box(10, 60, 220, 440), box(240, 60, 220, 110)];
  assert.equal(lights([seats, column], WINDOW).length, 2, "a shared light would hold much else");
  const [whole] = lights([box(0, 0, 1440, 900)], WINDOW);
  assert.deepEqual(whole, { left: 2, top: 2, right: 1438, bottom: 898 }, "it stays in the window");
});

const bubbleAt = ({ x, y }, { width, height }) => box(x, y, width, height);

test("the bubble covers neither the targets nor what must be pressed, and stays in the window", () => {
  const size = { width: 428, height: 330 };
  const confirm = box(1290, 720, 140, 44);
  for (const target of [box(440, 260, 110, 110), box(20, 60, 210, 90), box(1300, 830, 100, 50), box(600, 760, 700, 130)]) {
    const bubble = bubbleAt(placeBubble(size, [target], [confirm], WINDOW), size);
    assert.equal(overlap(bubble, target), 0);
    assert.equal(overlap(bubble, confirm), 0);
    assert.deepEqual(around([bubble, box(0, 0, 1440, 900)]), box(0, 0, 1440, 900));
  }
  assert.deepEqual(placeBubble(size, [], [], WINDOW), { x: 506, y: 285 }, "without a target it stands in the middle");
});

test("a sheet goes where it covers less, above all of what must be pressed", () => {
  const phone = { width: 360, height: 640 };
  const sideOf = (targets, pressed) => placeSheet([300], 48, { targets, pressed, choices: [] }, phone).side;
  assert.equal(sideOf([box(10, 100, 80, 80)], []), "bottom");
  assert.equal(sideOf([box(10, 500, 300, 80)], []), "top");
  assert.equal(sideOf([box(0, 100, 360, 40)], [box(10, 560, 340, 44)]), "top");
});

test("a sheet says as much as it can without covering what must be pressed", () => {
  const phone = { width: 360, height: 640 };
  const place = (pressed, choices = pressed) => placeSheet([400, 180, 90], 48, { targets: [], pressed, choices }, phone);
  assert.deepEqual(place([box(0, 100, 360, 40)]), { side: "bottom", level: 0 });
  assert.deepEqual(place([box(0, 230, 360, 100)]), { side: "bottom", level: 1 });
  assert.deepEqual(place([box(0, 200, 360, 300)]), { side: "bottom", level: 2 });
  assert.deepEqual(place([box(0, 140, 360, 500)]), { side: "top", level: 2 });
  assert.deepEqual(place([box(0, 100, 360, 40)], [box(0, 100, 360, 40), box(0, 400, 360, 40)]), { side: "bottom", level: 1 }, "other choices stay free too");
  assert.deepEqual(place([box(0, 100, 360, 40)], [box(0, 48, 360, 592)]), { side: "bottom", level: 0 }, "unless that is not possible");
  assert.equal(place([box(0, 48, 360, 592)]).level, 2);
});

test("the task of a step is the sentence with its last bold part", () => {
  assert.equal(taskOf("A **contract** costs points. Wait: **Draw a card.**"), "**Draw a card.**");
  assert.equal(taskOf("Green shows a light, and so does **yellow 5: take it**. Good."), "Green shows a light, and so does **yellow 5: take it**.");
  assert.equal(taskOf("**Take it.** Or not."), "**Take it.**");
  assert.equal(taskOf("Nothing is bold."), "Nothing is bold.");
});

test("arrows lead from the bubble to the targets, and there are none where they would be in the way", () => {
  const bubble = box(700, 200, 428, 330);
  const target = box(440, 260, 110, 60);
  assert.equal(arrows(bubble, [target], WINDOW).length, 1);
  assert.match(arrows(bubble, [target], WINDOW)[0].line, /^M700 /);
  assert.deepEqual(arrows(bubble, [box(650, 260, 40, 40)], WINDOW), [], "too near");
  assert.deepEqual(arrows(bubble, [box(0, 60, 650, 700)], WINDOW), [], "the target is large enough to be seen");
  assert.deepEqual(arrows(bubble, Array.from({ length: 4 }, () => target), WINDOW), [], "too many");
  assert.equal(arrows(bubble, [target, box(300, 270, 90, 40)], WINDOW).length, 1, "no arrow leads over another target");
});

test("a map is zoomed so that its targets stand in the middle of the free room", () => {
  const room = box(0, 0, 360, 200);
  const { scale, x, y } = zoomedOn(box(300, 200, 40, 40), room);
  assert.equal(scale, 2.2);
  assert.ok(Math.abs(320 * scale + x - 180) < 1e-6 && Math.abs(220 * scale + y - 100) < 1e-6);
  assert.equal(zoomedOn(box(0, 0, 360, 200), room).scale, 1);
});

test("two asterisks mark bold words in lessons, one elsewhere", () => {
  assert.deepEqual(boldParts("Choose **one** of them"), ["Choose ", "one", " of them"]);
  assert.deepEqual(boldParts("*Four,* open"), ["", "Four,", " open"]);
});

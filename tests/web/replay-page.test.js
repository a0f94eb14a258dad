// The page of a finished game: addresses, keys, timeline, playing, and where the game comes from.

import assert from "node:assert/strict";
import { test } from "node:test";
import { signal } from "@preact/signals";

import { liveStep } from "../../web/src/parts/look-back.js";
import { originOf } from "../../web/src/parts/origin.js";
import { pastModel } from "../../web/src/parts/replay.js";
import { AddressFollower, momentPath, needsKey, parseMoment } from "../../web/src/replay-address.js";
import { actionOf } from "../../web/src/replay-keys.js";
import { momentAt, pastView, ReplayModel } from "../../web/src/replay-model.js";
import { ReplayPlayer } from "../../web/src/replay-player.js";
import { httpSource, importLog, logFile, socketSource } from "../../web/src/replay-source.js";
import { hasSections, labelled, sectionOf, sectionsOf, sectionsOfLog, stepAt } from "../../web/src/replay-timeline.js";

test("the address of a moment is read and written", () => {
  assert.deepEqual(parseMoment("?step=57&eyes=2"), { step: 57, eyes: 2, isEmbedded: false });
  assert.deepEqual(parseMoment("?eyes=all&embed"), { step: null, eyes: "all", isEmbedded: true });
  assert.equal(momentPath("k3q7m2xd", { step: 57, eyes: 2 }), "/g/k3q7m2xd?step=57&eyes=2");
  assert.equal(momentPath("k3q7m2xd", { step: 0, eyes: "all", isEmbedded: true }, "abc"), "/g/k3q7m2xd?step=0&eyes=all&embed#k=abc");
  assert.equal(momentPath("k3q7m2xd"), "/g/k3q7m2xd");
});

test("what an address says wrongly is ignored", () => {
  for (const search of ["?step=-1&eyes=9", "?step=x&eyes=them", "?step=1e3&eyes=", "?step=12345678901&eyes=22"]) {
    assert.deepEqual(parseMoment(search), { step: null, eyes: null, isEmbedded: false }, search);
  }
});

test("a game at a private table, or at one without spectators, needs a key for others", () => {
  assert.equal(needsKey({ private: false, spectators: true }), false);
  assert.equal(needsKey({ private: true, spectators: true }), true);
  assert.equal(needsKey({ private: false, spectators: false }), true);
});

test("the address changes at once, then only to the newest moment, and no more after the page is left", () => {
  const [paths, timers] = [[], []];
  const follower = new AddressFollower({ replace: (path) => paths.push(path), later: (work) => timers.push(work) });
  for (const path of ["a", "b", "c"]) follower.follow(path);
  assert.deepEqual(paths, ["a"]);
  timers.shift()();
  assert.deepEqual(paths, ["a", "c"]);
  follower.follow("d");
  follower.stop();
  timers.shift()();
  assert.deepEqual(paths, ["a", "c"]);
});

const press = (key, options = {}) => ({ key, shiftKey: false, ctrlKey: false, metaKey: false, altKey: false, target: { closest: () => null }, ...options });

test("keys move by steps, rounds and ends, play, and change the eyes", () => {
  assert.equal(actionOf(press("ArrowRight"), 4), "next");
  assert.equal(actionOf(press("ArrowLeft", { shiftKey: true }), 4), "previous_round");
  assert.equal(actionOf(press("Home"), 4), "first");
  assert.equal(actionOf(press(" "), 4), "play");
  assert.equal(actionOf(press("0"), 4), "all");
  assert.equal(actionOf(press("2"), 4), "seat1");
  assert.equal(actionOf(press("S", { shiftKey: true }), 4), "spectators", "also with Caps Lock");
  assert.equal(actionOf(press("5"), 4), null, "there is no fifth seat");
  assert.equal(actionOf(press("ArrowRight", { ctrlKey: true }), 4), null, "the browser's own keys stay");
});

test("a control keeps the keys that it uses itself", () => {
  const inside = (...selectors) => ({ closest: (asked) => (selectors.some((selector) => asked.includes(selector)) ? {} : null) });
  assert.equal(actionOf(press("ArrowRight", { target: inside("input") }), 4), null);
  assert.equal(actionOf(press(" ", { target: inside("button") }), 4), null);
  assert.equal(actionOf(press("ArrowRight", { target: inside("[data-plot]") }), 4), null);
  assert.equal(actionOf(press("ArrowRight", { target: inside("[role=radiogroup]") }), 4), null, "arrows choose a speed");
  assert.equal(actionOf(press("End", { target: inside("[role=radiogroup]", "button") }), 4), "last", "other keys work there too");
});

const STEPS = [1, 1, 1, 2, 2, 3].map((round, step) => ({ step, seat: step % 2, kind: "invest", stage: { round }, events: 1 }));

test("the timeline is divided by rounds, or by years where there are no rounds", () => {
  assert.deepEqual(sectionsOf(STEPS), [
    { first: 0, last: 2, name: "round", value: 1 },
    { first: 3, last: 4, name: "round", value: 2 },
    { first: 5, last: 5, name: "round", value: 3 },
  ]);
  const years = [1906, 1906, 1907].map((year, step) => ({ step, seat: 0, kind: "act", stage: { year, card: 1 } }));
  assert.deepEqual(sectionsOf(years).map(({ name, value }) => [name, value]), [["year", 1906], ["year", 1907]]);
  assert.equal(sectionOf(sectionsOf(STEPS), 4)?.value, 2);
});

test("where the stages have neither rounds nor years, the headings of the log divide the timeline", () => {
  assert.equal(hasSections(STEPS), true);
  assert.equal(hasSections([{ step: 0, seat: null, kind: null, stage: { cards: 80 } }]), false);
  const items = [{ number: 1, heading: "9 left" }, { number: 1 }, { number: 4 }, { number: 5, heading: "8 left" }];
  assert.deepEqual(sectionsOfLog(items, 6), [
    { first: 0, last: 3, name: "heading", value: 0, text: "9 left" },
    { first: 4, last: 6, name: "heading", value: 1, text: "8 left" },
  ]);
});

test("labels of the timeline do not overlap, and the current section has one", () => {
  const sections = sectionsOf(STEPS);
  const [one, two, three] = sections;
  assert.deepEqual([...labelled(sections, 5, 200, 30, null)], [[one, 0], [two, 120], [three, 170]]);
  assert.deepEqual([...labelled(sections, 5, 100, 30, two)], [[two, 60], [one, 0]]);
  assert.deepEqual([...labelled(sections, 5, 100, 70, three)], [[three, 30]], "the last one ends with the timeline");
});

test("a place on the timeline is the nearest step, and nothing beyond its ends", () => {
  assert.equal(stepAt(49, 100, 10), 5);
  assert.equal(stepAt(-20, 100, 10), 0);
  assert.equal(stepAt(500, 100, 10), 10);
  assert.equal(stepAt(5, 0, 10), 0);
});

/** Return a player over steps that are always there, and the timers that it set. */
function playerWithTimers({ last = 5, lines = [1, 2, 1, 3, 1, 1] } = {}) {
  const timers = [];
  const steps = {
    target: signal(0),
    last: signal(last),
    refusal: signal(null),
    isCurrent: true,
    load: async () => {},
    setByEvent: () => {},
    goTo(step) {
      this.target.value = Math.max(0, Math.min(step, last));
    },
  };
  const player = new ReplayPlayer(steps, { lineCount: () => lines[steps.target.value], sections: () => sectionsOf(STEPS), later: (work, milliseconds) => timers.push({ work, milliseconds }), cancel: () => (timers.length = 0) });
  return { player, steps, timers };
}

test("events are stepped through one by one, in both directions", () => {
  const { player, steps } = playerWithTimers();
  player.setBy("event");
  const seen = [];
  for (let index = 0; index < 4; index += 1) {
    seen.push(`${steps.target.value}.${player.shownLine}`);
    player.next();
  }
  assert.deepEqual(seen, ["0.0", "1.0", "1.1", "2.0"]);
  player.previous();
  player.previous();
  assert.equal(`${steps.target.value}.${player.shownLine}`, "1.1", "a step is entered at its last event from behind");
  player.goTo(3, 1);
  assert.equal(`${steps.target.value}.${player.shownLine}`, "3.1", "a line of the log can be chosen");
});

test("rounds are skipped to their beginnings", () => {
  const { player, steps } = playerWithTimers();
  player.goTo(1);
  player.skip(1);
  assert.equal(steps.target.value, 3);
  player.next();
  player.skip(-1);
  assert.equal(steps.target.value, 3, "first to the beginning of this round");
  player.skip(-1);
  assert.equal(steps.target.value, 0);
  player.goTo(5);
  player.skip(1);
  assert.equal(steps.target.value, 5);
});

test("a game plays by itself at its speed, waits for what is loading, and stops at the end", () => {
  const { player, steps, timers } = playerWithTimers({ last: 2 });
  player.play();
  const usual = timers[0].milliseconds;
  player.setSpeed(4);
  assert.equal(timers.length, 1);
  assert.equal(timers[0].milliseconds, usual / 4);
  assert.ok(timers[0].milliseconds >= 450, "not faster than steps may be requested");
  steps.isCurrent = false;
  timers.shift().work();
  assert.equal(steps.target.value, 0);
  steps.isCurrent = true;
  for (const expected of [1, 2]) {
    timers.shift().work();
    assert.equal(steps.target.value, expected);
  }
  timers.shift().work();
  assert.equal(player.isPlaying.value, false);
  player.play();
  assert.equal(steps.target.value, 0, "playing at the end begins from the start");
});

const SEATS = [{ user: "ann", name: "Ann" }, { user: "bo", name: "Bo" }];
const viewOf = (mine) => ({ mine, seats: SEATS, table: { game: "investors", settings: {} }, play: { game: {}, decision: { number: 3 }, outcome: null } });

test("borrowed eyes are not addressed as you, and nothing can be picked in the past", () => {
  const borrowed = pastView(viewOf(1), 0);
  assert.equal(borrowed.mine, null);
  assert.equal(borrowed.eyes, 1);
  assert.equal(pastView(viewOf(0), 0).mine, 0);
  assert.equal(pastModel({ id: "k3q7m2xd", key: null, socket: {} }, borrowed).view.value.play.decision, null);
});

test("event by event, a line shows what was known before the next line", () => {
  const between = [[["set", ["view", "coins"], 1]], [["set", ["view", "coins"], 2], ["set", ["open", 0], "seal"]], []];
  const step = { step: 7, steps: 9, view: { coins: 3 }, open: [null], events: ["a", "b", "c"], between };
  const lines = [{ text: "a", event: 0 }, { text: "c", event: 2 }];
  assert.deepEqual(momentAt(step, lines, 0), { view: { coins: 2 }, open: ["seal"] }, "the second event has no line");
  assert.deepEqual(momentAt(step, lines, 1), { view: { coins: 3 }, open: [null] });
  assert.deepEqual(momentAt(step, lines, null).view, { coins: 3 }, "by decisions, the whole step");
  assert.deepEqual(momentAt({ ...step, between: null }, lines, 0).view, { coins: 3 }, "until they are there");
});

/** Return a source of a game of five steps, and what was asked of it. */
function fakeSource({ last = 5, seatOfUser = null, refuse = null } = {}) {
  const asked = [];
  const source = {
    game: async () => ({ game: { seats: SEATS, ended: 1 }, access: "open", shared: null }),
    timeline: async (eyes, logFrom) => {
      asked.push(["timeline", eyes, logFrom]);
      if (refuse) throw refuse;
      if (logFrom === undefined) return { steps: STEPS, last };
      return { steps: [], last, log: [0, 1, 2].map((each) => ({ step: logFrom + each, at: 0, events: [] })).filter(({ step }) => step <= last) };
    },
    step: async (step, eyes) => {
      asked.push(["step", step, eyes]);
      return { step, steps: last, view: viewOf(eyes === null ? seatOfUser : typeof eyes === "number" ? eyes : null), events: [] };
    },
  };
  return { source, asked };
}

const at = (moment = {}) => ({ step: null, eyes: null, isEmbedded: false, ...moment });

test("a game opens at the moment of its address, with the log as these eyes saw it", async () => {
  const { source, asked } = fakeSource();
  const model = new ReplayModel("k3q7m2xd", null, source, at({ step: 3, eyes: 1 }), {});
  await model.load();
  assert.equal(model.steps.target.value, 3);
  assert.equal(model.steps.eyes.value, 1);
  assert.deepEqual(asked.filter(([what, , from]) => what === "timeline" && from !== undefined), [["timeline", 1, 0], ["timeline", 1, 3]]);
  assert.deepEqual(model.end.tableLog.entries.value.map(({ step }) => step), [0, 1, 2, 3, 4, 5]);
  model.close();
});

test("a step beyond the end is the last one, and the page can say so", async () => {
  const model = new ReplayModel("k3q7m2xd", null, fakeSource().source, at({ step: 99 }), {});
  await model.load();
  assert.equal(model.steps.target.value, 5);
  assert.equal(model.beyond.value, 99);
  model.close();
});

test("who played sees the game with their own eyes at first, and strangers see it all open", async () => {
  const mine = new ReplayModel("k3q7m2xd", null, fakeSource({ seatOfUser: 1 }).source, at(), {});
  mine.user.value = "bo";
  await mine.load();
  assert.equal(mine.steps.eyes.value, 1);
  assert.equal(mine.me.value, 1);
  const stranger = new ReplayModel("k3q7m2xd", null, fakeSource().source, at(), {});
  stranger.user.value = "cy";
  await stranger.load();
  assert.equal(stranger.steps.eyes.value, "all");
  mine.close();
  stranger.close();
});

test("a refusal leaves nothing to show but its sentence", async () => {
  const refuse = Object.assign(new Error("There is no such game, or it is not open to you."), { code: "no_such_game" });
  const model = new ReplayModel("k3q7m2xd", null, fakeSource({ refuse }).source, at(), {});
  await model.load();
  assert.equal(model.error.value, refuse);
  assert.equal(model.isReady.value, false);
});

test("a running game has no page yet, not even for the eyes of spectators", async () => {
  for (const eyes of [null, "spectators"]) {
    const { source } = fakeSource();
    const { step } = source;
    source.step = async (number, seen) => {
      if (seen !== null && seen !== "spectators") throw Object.assign(new Error("The game is still going on."), { code: "wrong_phase" });
      return step(number, seen);
    };
    const model = new ReplayModel("k3q7m2xd", null, source, at({ eyes }), {});
    await model.load();
    assert.equal(model.error.value?.code, "wrong_phase", String(eyes));
    model.close();
  }
});

test("a game that could not be loaded can be loaded again", async () => {
  const { source } = fakeSource();
  const { timeline } = source;
  source.timeline = async () => Promise.reject(Object.assign(new Error("busy"), { code: "busy" }));
  const model = new ReplayModel("k3q7m2xd", null, source, at(), {});
  await model.load();
  assert.equal(model.error.value?.code, "busy");
  source.timeline = timeline;
  await model.load();
  assert.equal(model.error.value, null);
  assert.equal(model.isReady.value, true);
  model.close();
});

test("a log that could not be loaded says why, and is loaded again on request", async () => {
  const { source } = fakeSource();
  const { timeline } = source;
  source.timeline = async (eyes, from) => {
    if (from !== undefined) throw new Error("The table is busy.");
    return timeline(eyes, from);
  };
  const model = new ReplayModel("k3q7m2xd", null, source, at(), {});
  await model.load();
  assert.equal(model.logRefusal.value, "The table is busy.");
  assert.equal(model.end.view.value, null, "a part of a log would have wrong headings");
  source.timeline = timeline;
  await model.loadLog();
  assert.equal(model.logRefusal.value, null);
  assert.equal(model.end.tableLog.entries.value.length, 6);
  model.close();
});

test("a page of the log that the rate limit refused is requested again", async () => {
  const { source } = fakeSource();
  const { timeline } = source;
  let refusals = 2;
  source.timeline = async (eyes, from) => {
    if (from === 3 && refusals-- > 0) throw Object.assign(new Error("Too fast."), { code: "too_fast" });
    return timeline(eyes, from);
  };
  const model = new ReplayModel("k3q7m2xd", null, source, at(), {});
  model.steps.pause = async () => {};
  await model.load();
  assert.equal(model.end.tableLog.entries.value.length, 6);
  model.close();
});

test("a log is fetched once, also if the eyes change and change back meanwhile", async () => {
  const { source, asked } = fakeSource();
  const model = new ReplayModel("k3q7m2xd", null, source, at({ eyes: "all" }), {});
  model.steps.budget = { turn: async () => {} };
  await model.load();
  model.setEyes(0);
  model.setEyes("spectators");
  model.setEyes(0);
  await new Promise((done) => setTimeout(done, 20));
  assert.equal(asked.filter(([what, eyes, from]) => what === "timeline" && eyes === 0 && from === 0).length, 1);
  assert.equal(model.end.tableLog.entries.value.length, 6);
  model.close();
});

test("the game can go on from its last step if it was abandoned there, and not if it ended", async () => {
  const { source } = fakeSource();
  const abandoned = new ReplayModel("k3q7m2xd", null, source, at({ step: 5, eyes: "all" }), {});
  await abandoned.load();
  assert.equal(abandoned.isPlayable, true);
  const { step } = source;
  source.step = async (number, eyes) => {
    const found = await step(number, eyes);
    return { ...found, view: { ...found.view, play: { ...found.view.play, decision: null } } };
  };
  const ended = new ReplayModel("k3q7m2xd", null, source, at({ step: 5, eyes: "all" }), {});
  await ended.load();
  assert.equal(ended.isPlayable, false);
  abandoned.close();
  ended.close();
});

test("those who played share the key that the server knows, others the one that they came with", async () => {
  const { source } = fakeSource({ seatOfUser: 1 });
  const mine = new ReplayModel("k3q7m2xd", "0ld", source, at(), {});
  mine.user.value = "bo";
  await mine.load();
  assert.equal(mine.sharedKey, null, "the key of the address may be void");
  mine.record.value = { game: null, access: "seat", shared: "abc" };
  assert.equal(mine.sharedKey, "abc");
  const other = new ReplayModel("k3q7m2xd", "abc", source, at(), {});
  await other.load();
  assert.equal(other.sharedKey, "abc");
  mine.close();
  other.close();
});

test("a click on a line of the log stops the game that plays by itself", async () => {
  const model = new ReplayModel("k3q7m2xd", null, fakeSource().source, at(), {});
  await model.load();
  model.player.play();
  model.end.replay.value.goTo(4, 0);
  assert.equal(model.player.isPlaying.value, false);
  assert.equal(model.steps.target.value, 4);
  model.close();
});

test("eyes of a seat that the game did not have are the usual ones", async () => {
  const model = new ReplayModel("k3q7m2xd", null, fakeSource().source, at({ eyes: 4 }), {});
  await model.load();
  assert.equal(model.steps.eyes.value, "all");
  model.goToMoment(at({ step: 2, eyes: 3 }));
  assert.equal(model.steps.eyes.value, "all");
  model.close();
});

test("the last step of a live game follows from the numbers of decisions", () => {
  assert.equal(liveStep(31, { step: 12, view: { play: { decision: { number: 13 } } } }), 30);
  assert.equal(liveStep(31, { step: 12, view: { play: { decision: null } } }), null);
});

test("the log of eyes that were left meanwhile is not shown", async () => {
  const { source } = fakeSource();
  const model = new ReplayModel("k3q7m2xd", null, source, at({ eyes: 0 }), {});
  await model.load();
  const known = model.end.tableLog.entries.value;
  model.setEyes(1);
  model.setEyes(0);
  assert.equal(model.end.tableLog.entries.value, known, "a log that is known is shown at once");
  await new Promise((done) => setTimeout(done, 20));
  assert.equal(model.end.tableLog.entries.value, known);
  model.close();
});

test("the key goes with every request for a shared game", async () => {
  const requests = [];
  const source = socketSource({ request: async (message) => void requests.push(message) }, "k3q7m2xd", "abc");
  await source.game();
  await source.timeline("all", 100);
  await source.step(7, 2);
  await source.step(8, "all", true);
  assert.deepEqual(requests, [
    { type: "get_game", table: "k3q7m2xd", key: "abc" },
    { type: "get_timeline", table: "k3q7m2xd", key: "abc", eyes: "all", log_from: 100 },
    { type: "look_back", table: "k3q7m2xd", key: "abc", step: 7, eyes: 2 },
    { type: "look_back", table: "k3q7m2xd", key: "abc", step: 8, eyes: "all", between: true },
  ]);
});

test("an embedded page reads over HTTP, and understands a refusal", async () => {
  const paths = [];
  const source = httpSource("k3q7m2xd", "abc", async (path) => {
    paths.push(path);
    return { ok: paths.length < 3, json: async () => ({ code: "no_such_step", sentence: "The game had no such step." }) };
  });
  await source.timeline(null);
  await source.step(7, "all");
  await assert.rejects(source.step(99, 2), { code: "no_such_step", message: "The game had no such step." });
  assert.deepEqual(paths, ["/api/games/k3q7m2xd/timeline?key=abc", "/api/games/k3q7m2xd/steps/7?eyes=all&key=abc", "/api/games/k3q7m2xd/steps/99?eyes=2&key=abc"]);
  assert.equal(logFile("k3q7m2xd", null), "/api/games/k3q7m2xd/log");
});

test("a server that cannot be reached, or a proxy that replies for it, is a refusal with a sentence", async () => {
  const unreachable = httpSource("k3q7m2xd", null, async () => Promise.reject(new TypeError("Failed to fetch")));
  await assert.rejects(unreachable.step(0, "all"), { code: "no_connection" });
  const proxied = httpSource("k3q7m2xd", null, async () => ({ ok: false, json: async () => JSON.parse("<html>") }));
  await assert.rejects(proxied.step(0, "all"), { code: "failed" });
});

test("an imported log leads to its game, and a refused one says why", async () => {
  assert.equal(await importLog("{}", async () => ({ ok: true, json: async () => ({ table: "abcd", key: "12" }) })), "/g/abcd#k=12");
  const refused = async () => ({ ok: false, json: async () => ({ code: "damaged_log", sentence: "This is no log of a game." }) });
  await assert.rejects(importLog("x", refused), { message: "This is no log of a game." });
});

test("a game that goes on from another one names the step", () => {
  assert.deepEqual(originOf("k3q7m2xd:57"), { table: "k3q7m2xd", step: 57 });
  assert.equal(originOf("file"), null);
  assert.equal(originOf(null), null);
});

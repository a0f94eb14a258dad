// Games by the day without a browser: deadlines in words, what a clock does, the order of games, hours and holidays.

import assert from "node:assert/strict";
import { test } from "node:test";

import "./all-texts.js";
import { language } from "../../web/src/catalogue/index.js";
import { dayState, deadlineText, leftText, shortWhenText, whenText } from "../../web/src/parts/deadline.js";
import { conditionsOf } from "../../web/src/parts/list-query.js";
import { isByTheDay, isDayClock } from "../../web/src/parts/pace.js";
import { clockSettingText, DAY_CLOCKS } from "../../web/src/parts/settings.js";
import { isTimeShort, timeLeft } from "../../web/src/parts/time-left.js";
import { nextGame, waitingGames } from "../../web/src/parts/your-move.js";
import { deadlineOf, sortYourGames } from "../../web/src/parts/your-games.js";
import { clockTime, holidayGames, minutesOf, weeklyHours } from "../../web/src/pages/you/hours.js";
import { TableModel } from "../../web/src/store.js";

process.env.TZ = "Asia/Kolkata";
const HOUR = 3_600_000;
const DAY = 24 * HOUR;
/** 21:00 on a Friday in Kolkata. */
const NOW = Date.parse("2026-11-20T21:00:00+05:30");

/** Return what a function says in a language. */
function said(code, say) {
  language.value = code;
  try {
    return say();
  } finally {
    language.value = "en";
  }
}

test("a deadline is named by the day and the time of the visitor, with what is left", () => {
  assert.equal(deadlineText(NOW + 45 * 60_000, NOW), "21:45 (in 45 min)");
  assert.equal(deadlineText(NOW + 21 * HOUR, NOW), "tomorrow 18:00 (in 21 h)");
  assert.equal(deadlineText(NOW + 3 * DAY, NOW), "Monday 21:00 (in 3 days)");
  assert.equal(deadlineText(NOW + 13 * DAY, NOW), "3 Dec 21:00 (in 13 days)");
  assert.equal(deadlineText(NOW, NOW), "time is up");
  assert.equal(leftText(20_000), "in 1 min");
  assert.equal(leftText(47 * HOUR), "in 47 h");
});

test("deadlines are in the language of the visitor", () => {
  const at = (code, later) => said(code, () => deadlineText(NOW + later, NOW));
  assert.equal(at("de", 21 * HOUR), "morgen 18:00 (in 21 h)");
  assert.equal(at("de", 3 * DAY), "Montag 21:00 (in 3 Tagen)");
  assert.equal(at("it", 21 * HOUR), "domani 18:00 (tra 21 h)");
  assert.equal(at("pl", 21 * HOUR), "jutro 18:00 (za 21 h)");
  assert.equal(at("pl", 3 * DAY), "poniedziałek 21:00 (za 3 dni)");
});

test("a time of today has no day, and a short one a short day", () => {
  assert.equal(whenText(NOW + 2 * HOUR, NOW), "23:00");
  assert.equal(whenText(NOW + 4 * HOUR, NOW), "tomorrow 01:00");
  assert.equal(shortWhenText(NOW + 2 * HOUR, NOW), "23:00");
  assert.equal(shortWhenText(NOW + 21 * HOUR, NOW), "Sat 18:00");
  assert.equal(shortWhenText(NOW + 13 * DAY, NOW), "3 Dec");
});

/** Return a view of two seats, of which the first is awaited by the day. */
function viewOf(clock, more = {}) {
  return {
    mine: 0,
    table: { paused: false },
    seats: [{ stand_in: null }, { stand_in: null }],
    clock: { thinking: [DAY, DAY], days: [{ deadline: NOW + DAY, pauses: [], holiday: null, holidays: 7, ...clock }, null] },
    play: { decision: { number: 7, awaited: [0] } },
    ...more,
  };
}

test("a clock runs, sleeps, or is on holiday", () => {
  const pauses = [[NOW - HOUR, NOW + 11 * HOUR]];
  assert.deepEqual(dayState(viewOf({}), 0, NOW), { kind: "runs", until: NOW + DAY });
  assert.deepEqual(dayState(viewOf({ pauses }), 0, NOW), { kind: "asleep", until: NOW + 11 * HOUR });
  assert.deepEqual(dayState(viewOf({ pauses }), 0, NOW + 11 * HOUR), { kind: "runs", until: NOW + DAY });
  assert.deepEqual(dayState(viewOf({ pauses, holiday: NOW + 2 * DAY }), 0, NOW), { kind: "holiday", until: NOW + 2 * DAY });
  assert.deepEqual(dayState(viewOf({ holiday: NOW - 1 }), 0, NOW), { kind: "runs", until: NOW + DAY });
  assert.equal(dayState(viewOf({ deadline: null }), 0, NOW), null);
  assert.deepEqual(dayState(viewOf({ deadline: null, holiday: NOW + DAY }), 0, NOW), { kind: "holiday", until: NOW + DAY });
  assert.equal(dayState(viewOf({}, { table: { paused: true } }), 0, NOW), null);
  assert.equal(dayState(viewOf({}, { seats: [{ stand_in: "normal" }, {}] }), 0, NOW), null);
  assert.equal(dayState(viewOf({}), 1, NOW), null);
  assert.equal(dayState(viewOf({}), 0, NOW + DAY + 61_000), null, "a deadline of the past says nothing");
});

test("the time that is left by the day follows from the deadline and not from the page", () => {
  const table = new TableModel("abcd", null, /** @type {any} */ ({}));
  table.receive({ type: "view", number: 1, view: viewOf({}), missed: [], elapsed: 10_000 });
  assert.equal(timeLeft(table, 0, NOW), DAY);
  assert.equal(isTimeShort(table, NOW), false);
  assert.equal(isTimeShort(table, NOW + DAY - 10_000), true);
});

const listed = (table, fields) => ({ table, game: "planners", phase: "running", awaited: true, since: 10, settings: { clock: { kind: "none" } }, ...fields });

test("games that wait come by the end of the time, live ones among those by the day", () => {
  const live = { settings: { clock: { kind: "decision", seconds: 30 } }, since: NOW };
  const games = [
    listed("calm", {}),
    listed("tomorrow", { deadline: NOW + DAY }),
    listed("others", { awaited: false, deadline: null, since: 1 }),
    listed("tonight", { deadline: NOW + HOUR }),
    listed("live", live),
    listed("older", { since: 5 }),
  ];
  const order = ["live", "tonight", "tomorrow", "older", "calm", "others"];
  assert.deepEqual(sortYourGames(games).map(({ table }) => table), order);
  assert.equal(deadlineOf(listed("live", live)), NOW + 30_000);
  assert.equal(deadlineOf(listed("calm", {})), Infinity);
  const waiting = waitingGames(games, null);
  assert.equal(nextGame(waiting, null)?.table, "live");
  assert.equal(nextGame(waiting, "live")?.table, "tonight");
  assert.equal(nextGame(waiting, "calm")?.table, "live");
});

test("the clock says the pace of a table", () => {
  for (const clock of Object.values(DAY_CLOCKS)) assert.ok(isDayClock(clock), JSON.stringify(clock));
  assert.equal(isDayClock({ kind: "none" }), false);
  assert.equal(isDayClock({ kind: "decision", seconds: 3599 }), false);
  assert.equal(isDayClock({ kind: "bank", seconds: 43_199, increment: 3599 }), false);
  assert.equal(isByTheDay({ clock: DAY_CLOCKS.days, absence_seconds: null }), true);
  assert.equal(isByTheDay({ clock: DAY_CLOCKS.days, absence_seconds: 120 }), false);
  assert.deepEqual(conditionsOf({ game: "", seats: 0, pace: "days", withoutClock: false, language: "", search: "" }), { pace: "days" });
});

test("clocks by the day have plain names", () => {
  assert.deepEqual(Object.values(DAY_CLOCKS).map(clockSettingText), [
    "12 hours a move",
    "1 day a move",
    "3 days a move",
    "7 days a move",
    "5 days, and 12 h more a decision",
  ]);
});

test("hours of a week are counted over midnight, and equal ends are a whole day", () => {
  const week = [0, 1, 2, 3, 4, 5, 6];
  assert.equal(weeklyHours({ zone: "UTC", start: 480, end: 1320, days: week }), 98);
  assert.equal(weeklyHours({ zone: "UTC", start: 1320, end: 120, days: [4] }), 4);
  assert.equal(weeklyHours({ zone: "UTC", start: 0, end: 0, days: [4] }), 24);
  assert.equal(weeklyHours({ zone: "UTC", start: 0, end: 0, days: [] }), 0);
  assert.equal(clockTime(510), "08:30");
  assert.equal(minutesOf("08:30"), 510);
  assert.equal(minutesOf(""), null);
});

test("a holiday is for running games by the day that have days of it", () => {
  const settings = { clock: DAY_CLOCKS.days, absence_seconds: null, holiday_days: 7 };
  const games = [
    listed("able", { settings }),
    listed("away", { settings, holiday: NOW + DAY }),
    listed("used", { settings, holiday: NOW - 1 }),
    listed("none", { settings: { ...settings, holiday_days: 0 } }),
    listed("open", { settings, phase: "open" }),
    listed("live", {}),
  ];
  const { away, able } = holidayGames(games, NOW);
  assert.deepEqual([away, able].map((each) => each.map(({ table }) => table)), [["away"], ["able"]]);
});

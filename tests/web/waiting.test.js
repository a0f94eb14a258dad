// The sentences of the waiting room: settings in words, and what the table waits for.

import assert from "node:assert/strict";
import { test } from "node:test";

import "./all-texts.js";
import { language } from "../../web/src/catalogue/index.js";
import { boldParts } from "../../web/src/parts/bold.js";
import { changedOptions } from "../../web/src/parts/settings.js";
import { clockSentence, optionSentence, settingSentences, timeText } from "../../web/src/pages/waiting/setting-sentences.js";
import { beginObstacle, voidedText, waitingStatus } from "../../web/src/pages/waiting/status.js";
import { chairPlaces } from "../../web/src/pages/waiting/table-drawing.js";
import { wantedChair } from "../../web/src/pages/waiting/room.js";

language.value = "en";

const plain = (text) => boldParts(text).join("");
const FREE = { user: null, name: null, bot: null, ready: false };
const BOT = { user: null, name: "Silas", bot: "normal", ready: true };
const person = (name, ready = false) => ({ user: name.toLowerCase(), name, bot: null, ready });
const SETTINGS = { game: "investors", seats: 3, clock: { kind: "none" }, private: false, bots: true, spectators: true, hints: "alone", show_decided: true, time_up: "bot", absence_seconds: 120, options: {} };

function table(seats, { mine = 0, host = "mira", ...settings } = {}) {
  return { mine, seats, table: { id: "t", game: "investors", host, settings: { ...SETTINGS, ...settings } } };
}

test("a time is told in the largest unit that needs no fraction", () => {
  assert.equal(timeText(45), "45 seconds");
  assert.equal(timeText(90), "90 seconds");
  assert.equal(timeText(600), "10 minutes");
  assert.equal(timeText(86_400), "1 day");
  assert.equal(timeText(3 * 86_400), "3 days");
});

test("a clock is a sentence, and a slow one is about moves", () => {
  assert.equal(plain(clockSentence({ clock: { kind: "decision", seconds: 45 } })), "45 seconds a decision, then a bot decides for you until you are back");
  assert.equal(plain(clockSentence({ clock: { kind: "decision", seconds: 86_400 }, time_up: "fallback" })), "1 day a move, then the careful answer is given for you");
  assert.match(plain(clockSentence({ clock: { kind: "bank", seconds: 600, increment: 15 } })), /^10 minutes for the whole game, and 15 seconds more/);
});

test("options of every kind become sentences", () => {
  const limit = { name: "bargaining_offers", kind: "limit", least: 0, most: 3, default: 0, help: "" };
  assert.equal(plain(optionSentence("investors", limit, 0)), "No bargaining: cheques decide at once");
  assert.equal(plain(optionSentence("investors", limit, 1)), "Bargaining: one offer each before cheques decide");
  assert.equal(plain(optionSentence("investors", limit, 2)), "Bargaining: 2 offers each before cheques decide");
  const cap = { name: "influence_cap", kind: "limit", none: true, default: null, help: "" };
  assert.equal(plain(optionSentence("investors", cap, null)), "Influence has no limit");
  const cards = { name: "action_cards", kind: "cards", default: [], help: "" };
  assert.equal(plain(optionSentence("investors", cards, ["two"])), "Action cards: the twelve that the host has chosen");
  assert.equal(plain(optionSentence("builders", { name: "first_seat", kind: "pick", default: "random", help: "" }, "2")), "Red begins");
  const sides = { name: "plot_sides", kind: "pick", default: "random", help: "", each: ["C1", "C2"] };
  assert.equal(plain(optionSentence("builders", sides, ["A", "random"])), "Rubble lies as the host has chosen for each block");
  assert.equal(optionSentence("builders", { name: "unknown", kind: "flag", default: false, help: "As the server says." }, true), "As the server says.");
});

test("changed options are shown at once, others on demand", () => {
  const options = [
    { name: "layout", kind: "pick", values: ["random", "players"], default: "random", help: "" },
    { name: "move_axis_only", kind: "flag", default: false, help: "" },
  ];
  const of = (changed) => settingSentences({ ...SETTINGS, options: changed }, options);
  assert.equal(of({}).find(({ key }) => key === "move_axis_only").isMain, false);
  const changed = of({ move_axis_only: true }).find(({ key }) => key === "move_axis_only");
  assert.equal(changed.isMain, true);
  assert.equal(plain(changed.text), "Sticks shift along their own line only");
  assert.equal(plain(of({})[0].text), "Three seats, open to anyone");
});

test("the number of subsidies is chosen or all action cards, never both", () => {
  const options = [
    { name: "action_cards", kind: "cards", default: [], help: "" },
    { name: "subsidies", kind: "limit", none: true, default: null, unless: "action_cards", help: "" },
  ];
  const said = (values) => settingSentences({ ...SETTINGS, options: values }, options).map(({ text }) => plain(text));
  assert.ok(said({ subsidies: 3 }).includes("Subsidies: 3 among the twelve action cards"));
  assert.ok(said({}).includes("Subsidies: as many as chance brings"));
  assert.ok(!said({ action_cards: ["two"], subsidies: null }).some((text) => text.startsWith("Subsidies")));
  assert.deepEqual(changedOptions(options, "action_cards", ["two"]), { action_cards: ["two"], subsidies: null });
  assert.deepEqual(changedOptions(options, "action_cards", []), { action_cards: [] });
  assert.deepEqual(changedOptions(options, "subsidies", 3), { subsidies: 3 });
});

test("the host is told about free chairs and what Begin does", () => {
  const status = waitingStatus(table([person("Mira"), person("Theo", true), FREE]), "mira");
  assert.equal(status.title, "One chair is free.");
  assert.equal(status.more, "Begin now and a bot plays there, or wait a little: the table is listed as open.");
  assert.match(waitingStatus(table([person("Mira"), FREE, FREE], { private: true }), "mira").more, /send somebody the link/);
  assert.match(waitingStatus(table([person("Mira"), FREE, FREE], { bots: false }), "mira").more, /no bots/);
});

test("Begin says who is not ready, and what is missing without bots", () => {
  const unready = table([person("Mira"), person("Theo"), person("Ines")]);
  assert.equal(beginObstacle(unready), "The game cannot begin yet: Theo and Ines are not ready.");
  assert.equal(beginObstacle(table([person("Mira"), person("Theo", true), FREE])), null);
  assert.match(beginObstacle(table([person("Mira"), BOT, FREE], { bots: false })), /one chair is free, and this table has no bots/);
});

test("a guest is asked to be ready, then told what the host waits for", () => {
  const seats = [person("Mira"), person("Theo"), BOT];
  assert.equal(waitingStatus(table(seats, { mine: 1 }), "theo").title, "Are you ready?");
  const ready = [person("Mira"), person("Theo", true), FREE];
  assert.deepEqual(waitingStatus(table(ready, { mine: 1 }), "theo"), { title: "You are ready.", more: "Mira can begin now, or wait for one more person." });
});

test("a quick match says how many people it waits for", () => {
  const seats = [person("Mira", true), FREE, FREE];
  assert.deepEqual(waitingStatus(table(seats, { begin: "full" }), "mira"), {
    title: "Waiting for 2 more people.",
    more: "The game begins by itself when the table is full; you can fill up with bots at any time.",
  });
  const guest = waitingStatus(table([person("Mira", true), person("Theo", true), FREE], { begin: "full", mine: 1 }), "theo");
  assert.deepEqual(guest, { title: "Waiting for one more person.", more: "The game begins by itself when the table is full." });
});

test("after a game the waiting room says who is back", () => {
  const expected = ["Mira", "Theo", "Ines"].map((name) => ({ user: name.toLowerCase(), name }));
  const status = waitingStatus(table([person("Mira"), person("Theo"), FREE]), "mira", expected);
  assert.equal(status.title, "Ines has not come back yet.");
  assert.equal(status.more, "Theo is back.");
});

test("chairs stand clockwise, at most three in a row", () => {
  assert.deepEqual(chairPlaces(4).map(({ row, place }) => `${row} ${place}`), ["top 0", "top 1", "bottom 1", "bottom 0"]);
  for (const seats of [2, 3, 4, 5]) {
    const places = chairPlaces(seats);
    assert.equal(new Set(places.map(({ row, place }) => `${row} ${place}`)).size, seats);
    assert.ok(places.every(({ place, count }) => place >= 0 && place < count && count <= 3));
  }
});

test("Sit down takes a free chair, else that of a bot, else none", () => {
  assert.equal(wantedChair(table([person("Mira"), FREE, FREE], { mine: null }), true), 1);
  assert.equal(wantedChair(table([person("Mira"), person("Theo"), BOT], { mine: null }), true), 2);
  assert.equal(wantedChair(table([person("Mira"), person("Theo"), BOT], { mine: null }), false), null);
  assert.equal(wantedChair(table([person("Mira"), FREE, FREE], { mine: 0 }), true), null);
});

test("while the devices fix the shuffle the game is about to begin, for everybody", () => {
  for (const mine of [0, 1, null]) {
    const view = table([person("Mira"), person("Bo"), BOT], { mine });
    view.table.fairness = { stage: "commit" };
    assert.equal(waitingStatus(view, "mira").title, "The game is about to begin.");
    view.table.fairness = { stage: "waiting" };
    assert.notEqual(waitingStatus(view, "mira").title, "The game is about to begin.");
  }
});

test("a device that did not answer in time is named as long as its person sits there", () => {
  const view = table([person("Mira"), person("Bo"), person("Ana")]);
  view.table.fairness = { stage: "waiting" };
  assert.equal(voidedText(view, [1]), "The device of Bo did not answer in time, so the game did not begin.");
  assert.match(voidedText(view, [1, 2]), /^The devices of Bo and Ana did not/);
  assert.match(voidedText(view, [0, 1]), /^Your device did not/);
  assert.equal(voidedText(view, []), null);
  view.seats[1] = FREE;
  assert.equal(voidedText(view, [1]), null);
});

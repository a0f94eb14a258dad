// Profiles, rankings and finished games without a browser: figures, drawings, queries, and the sentences about results.

import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";

import "./all-texts.js";
import { language } from "../../web/src/catalogue/index.js";
import { collectPeople, hasConditions, NO_QUERY, parseQuery, queryPath, requestOf } from "../../web/src/pages/games/query.js";
import { recentChange } from "../../web/src/pages/profile/game-results.js";
import { reasonText } from "../../web/src/pages/rankings/ranking-table.js";
import { settingSentences } from "../../web/src/pages/waiting/setting-sentences.js";
import { beginObstacle, isUncounted } from "../../web/src/pages/waiting/status.js";
import { timeText } from "../../web/src/parts/chat.js";
import { isDrawable } from "../../web/src/parts/city-thumbnail.js";
import { averageText, changeText, dayText, formatDate, lengthText, numberText, ordinalText, ratingText } from "../../web/src/parts/figures.js";
import { byPlace, companyText, outcomeText, sitterName } from "../../web/src/parts/finished-game.js";
import { findRecord, TRIES } from "../../web/src/parts/game-record.js";
import { placesText, sumPlaces } from "../../web/src/parts/place-bar.js";
import { ratedSettings } from "../../web/src/parts/rated.js";
import { chartOf, gridValues, pointText } from "../../web/src/parts/rating-chart.js";
import { countedNumber } from "../../web/src/parts/rating-changes.js";

language.value = "en";

const inGerman = (work) => {
  language.value = "de";
  try {
    return work();
  } finally {
    language.value = "en";
  }
};

// -- figures ------------------------------------------------------------------------------------------------------------

test("a provisional rating has a question mark", () => {
  assert.equal(ratingText({ rating: 1490, provisional: true }), "1,490?");
  assert.equal(ratingText({ rating: 1684, provisional: false }), "1,684");
  assert.equal(inGerman(() => ratingText({ rating: 1490, provisional: true })), "1.490?");
});

test("a change has its sign, with a minus and not a hyphen", () => {
  assert.deepEqual([14, -8, 0, -1200].map(changeText), ["+14", "−8", "±0", "−1,200"]);
  assert.equal(numberText(-5), "−5");
});

test("ordinals follow the language", () => {
  assert.deepEqual([1, 2, 3, 4, 11, 12, 22, 193, 1001].map(ordinalText), ["1st", "2nd", "3rd", "4th", "11th", "12th", "22nd", "193rd", "1,001st"]);
  assert.deepEqual(inGerman(() => [1, 22].map(ordinalText)), ["1.", "22."]);
});

test("days are named as people name them", () => {
  const now = new Date(2026, 10, 18, 12, 0).getTime();
  const at = (...date) => dayText(new Date(...date).getTime(), now);
  assert.equal(at(2026, 10, 18, 9, 5), "today, 09:05");
  // By the calendar, not by 24 hours.
  assert.equal(at(2026, 10, 17, 23, 59), "yesterday");
  assert.equal(at(2026, 10, 14, 20, 0), "Saturday");
  assert.equal(at(2026, 10, 8, 20, 0), "8 November");
  assert.equal(at(2025, 10, 8, 20, 0), "8 November 2025");
});

test("every date and time is written by the same function, so that all have days before months and 24 hours", () => {
  const folder = new URL("src/", `file://${process.cwd()}/`);
  const writing = readdirSync(folder, { recursive: true }).filter((file) => file.endsWith(".js") && readFileSync(new URL(file, folder), "utf8").includes("DateTimeFormat("));
  assert.deepEqual(writing, ["parts/figures.js"]);
  const moment = new Date(2026, 10, 8, 18, 5).getTime();
  assert.equal(formatDate(moment, { day: "numeric", month: "long", year: "numeric" }), "8 November 2026");
  assert.equal(timeText(moment, moment + 1000), "18:05");
  assert.equal(timeText(moment, moment + 90_000_000), "8 Nov, 18:05");
});

test("the length of a game is in minutes, hours or days", () => {
  const minutes = (count) => lengthText(count * 60_000);
  assert.deepEqual([0.1, 35, 60, 130, 60 * 24 * 3].map(minutes), ["1 min", "35 min", "1 h", "2 h 10 min", "3 days"]);
});

test("averages of Planners are in points although its scores are in halves", () => {
  assert.equal(averageText("investors", 312), "31.2");
  assert.equal(averageText("planners", 405), "20.3");
  assert.equal(inGerman(() => averageText("investors", 312)), "31,2");
});

// -- chart and bars ---------------------------------------------------------------------------------------------------------

test("a chart keeps its points inside, has few lines, and does not make mountains of a few points", () => {
  const history = [1500, 1512, 1508].map((rating, index) => [index * 1000, rating, 300]);
  const chart = chartOf(history, 210);
  assert.ok(chart.high - chart.low >= 60);
  for (const [, rating] of history) assert.ok(chart.y(rating) > 0 && chart.y(rating) < 100);
  for (const index of history.keys()) assert.ok(chart.x(index) >= 42 && chart.x(index) <= 202);
  assert.ok(chart.y(1512) < chart.y(1500), "up is more");
  assert.ok(chart.x(0) < chart.x(1) && chart.x(1) < chart.x(2));
  assert.deepEqual(gridValues(1480, 1720), [1500, 1600, 1700]);
  for (const [low, high] of [[1493, 1560], [1200, 1900], [0, 4000]]) {
    const count = gridValues(low, high).length;
    assert.ok(count >= 1 && count <= 4, `${low}–${high}: ${count}`);
  }
});

test("one game alone is a chart too", () => {
  const chart = chartOf([[0, 1530, 500]], 160);
  assert.ok(Number.isFinite(chart.x(0)) && Number.isFinite(chart.y(1530)));
});

test("a point of a chart is read with its uncertainty", () => {
  const moment = new Date(2026, 10, 8).getTime();
  assert.equal(pointText([moment, 1684, 62]), "8 Nov 2026: 1,684 ±62");
});

test("the change of 30 days begins at the rating before them", () => {
  const day = 86_400_000;
  const now = 100 * day;
  assert.equal(recentChange([[50 * day, 1600], [80 * day, 1620], [90 * day, 1590]], now), -10);
  assert.equal(recentChange([[80 * day, 1520], [90 * day, 1540]], now), 40, "the first game of all began at 1,500");
  assert.equal(recentChange([[50 * day, 1600]], now), null, "nothing was played");
  assert.equal(recentChange([], now), null);
});

test("results of several numbers of seats are summed by place", () => {
  assert.deepEqual(sumPlaces([{ places: [3, 1] }, { places: [1, 2, 0, 4] }]), [4, 3, 0, 4]);
  assert.deepEqual(sumPlaces([]), []);
  assert.equal(placesText([4, 0, 1]), "1st: 4 and 3rd: 1");
});

// -- finished games -----------------------------------------------------------------------------------------------------------

const seat = (name, place, fields = {}) => ({ user: name.toLowerCase(), name, handle: null, bot: null, place, points: 10, resigned: false, stood_in: false, rating: null, ...fields });
const BOT = { user: null, name: "Silas", handle: null, bot: "normal", place: 3, points: 1, resigned: false, stood_in: false, rating: null };
const FORMER = { user: null, name: "former player", handle: null, bot: null, former: true, place: 2, points: 4, resigned: false, stood_in: false, rating: null };
const finished = (...seats) => ({ table: "abcd", game: "investors", end: "finished", seats });

test("a game says how it went for the person, or who won", () => {
  const [ada, bo] = [seat("Ada", 1), seat("Bo", 2)];
  assert.equal(outcomeText(finished(ada, bo, BOT), ada), "Won");
  assert.equal(outcomeText(finished(ada, bo, BOT), bo), "2nd of 3");
  assert.equal(outcomeText(finished(ada, bo, BOT), null), "Ada won");
  const tied = seat("Bo", 1);
  assert.equal(outcomeText(finished(ada, tied), ada), "Shared win");
  assert.equal(outcomeText(finished(ada, tied), null), "Ada and Bo won");
  assert.equal(inGerman(() => outcomeText(finished(ada, tied), null)), "Ada und Bo haben gewonnen");
});

test("a game that was given up says so, and who resigned", () => {
  const [ada, bo] = [seat("Ada", null), seat("Bo", null, { resigned: true })];
  const game = { ...finished(ada, bo), end: "abandoned" };
  assert.equal(outcomeText(game, ada), "Given up");
  assert.equal(outcomeText(game, bo), "Resigned");
  assert.equal(outcomeText(game, null), "Given up");
});

test("company is named without the person whose game it is", () => {
  const seats = [seat("Ada", 1), FORMER, BOT];
  assert.equal(companyText(seats, "ada"), "with former player and Silas (bot)");
  assert.equal(companyText([seat("Ada", 1)], "ada"), null);
  assert.equal(sitterName(seats[0], "ada"), "You");
  assert.equal(inGerman(() => sitterName(FORMER)), "ehemaliges Mitglied");
});

test("standings begin with the first place; without places everybody stays where they sat", () => {
  const names = (seats) => byPlace(seats).map(({ name }) => name);
  assert.deepEqual(names([seat("Ada", 3), seat("Bo", 1), seat("Cleo", 2)]), ["Bo", "Cleo", "Ada"]);
  assert.deepEqual(names([seat("Ada", null), seat("Bo", null)]), ["Ada", "Bo"]);
});

test("a city is drawn only from data of the known shape", () => {
  assert.ok(isDrawable("investors", { tiles: ".".repeat(35), sticks: ".".repeat(82) }));
  assert.ok(isDrawable("planners", { cities: ["c".repeat(25)] }));
  assert.ok(isDrawable("builders", { grid: [5, 3], plots: "r".repeat(90) }));
  for (const city of [null, {}, { tiles: "..." }, { cities: [] }, { grid: [5, 3], plots: "r" }]) {
    for (const game of ["investors", "planners", "builders", "chess"]) assert.ok(!isDrawable(game, city), `${game} ${JSON.stringify(city)}`);
  }
});

// -- the list of games ------------------------------------------------------------------------------------------------------

test("the address of a list has its filters, and leads to the same list", () => {
  const queries = [
    NO_QUERY,
    { ...NO_QUERY, isAll: true },
    { ...NO_QUERY, of: "ada", game: "planners", seats: 3, rated: false, with: "u12", search: "nob hill" },
    { ...NO_QUERY, isAll: true, rated: true },
  ];
  for (const query of queries) assert.deepEqual(parseQuery(new URL(queryPath(query), "http://x").search), query, queryPath(query));
  assert.equal(queryPath(NO_QUERY), "/games");
  assert.equal(queryPath({ ...NO_QUERY, isAll: true, game: "planners" }), "/games?all&game=planners");
});

test("what an address cannot mean is left out", () => {
  assert.deepEqual(parseQuery("?of=<script>&game=UPPER&seats=99&rated=perhaps&with=U_1"), NO_QUERY);
  assert.equal(parseQuery(`?search=${"x".repeat(500)}`).search.length, 80);
});

test("a list asks for the visitor's games, for those of a person, or for all", () => {
  assert.deepEqual(requestOf(NO_QUERY, "me", null), { type: "list_games", limit: 50, people: ["me"] });
  assert.deepEqual(requestOf({ ...NO_QUERY, isAll: true }, null, null), { type: "list_games", limit: 50 });
  const query = { ...NO_QUERY, of: "ada", with: "bo", game: "builders", seats: 2, rated: true, search: " hill " };
  assert.deepEqual(requestOf(query, "ada", "12.abcd"), { type: "list_games", limit: 50, people: ["ada", "bo"], game: "builders", seats: 2, rated: true, search: "hill", after: "12.abcd" });
  // Somebody chosen twice is one condition.
  assert.deepEqual(requestOf({ ...NO_QUERY, with: "me" }, "me", null).people, ["me"]);
  assert.ok(!hasConditions({ ...NO_QUERY, isAll: true }) && hasConditions({ ...NO_QUERY, rated: false }));
});

test("the filter by person offers those who were met, but not without end", () => {
  const people = new Map();
  collectPeople(people, [finished(seat("Ada", 1), seat("Bo", 2), BOT, FORMER)], "ada");
  assert.deepEqual([...people], [["bo", "Bo"]]);
  const crowd = Array.from({ length: 100 }, (_, index) => seat(`P${index}`, 1));
  collectPeople(people, [finished(...crowd)], "ada");
  assert.equal(people.size, 40);
});

// -- rankings -----------------------------------------------------------------------------------------------------------------

test("who is not ranked learns why", () => {
  const row = (fields) => ({ rank: null, user: "me", games: 7, ...fields });
  assert.equal(reasonText(row({ reason: "games" }), true, "Planners"), "3 more rated games until you are ranked");
  assert.equal(reasonText(row({ reason: "games", games: 9 }), true, "Planners"), "One more rated game until you are ranked");
  assert.match(reasonText(row({ reason: "inactive", games: 30 }), true, "Planners"), /90 days/);
  assert.match(reasonText(null, true, "Planners"), /not played a rated game of Planners/);
  assert.match(reasonText(null, false, "Planners"), /account/);
});

// -- rated tables, and the end of a game ---------------------------------------------------------------------------------------

test("a rated table has no hints, and the choice of hints comes back", () => {
  const settings = { seats: 4, rated: false, hints: "all" };
  const rated = ratedSettings(settings, true, "all");
  assert.deepEqual(rated, { seats: 4, rated: true, hints: "none" });
  assert.deepEqual(ratedSettings(rated, false, "all"), settings);
});

const room = (seats, fields = {}) => ({ mine: 0, seats, table: { host: "ada", settings: { rated: true, bots: true, ...fields } } });
const chair = (name, handle) => ({ user: name.toLowerCase(), name, handle, bot: null, ready: true });

test("a rated game waits for guests to get an account, and says when it would not count", () => {
  assert.equal(beginObstacle(room([chair("Ada", "ada"), chair("Bo", null)])), "Bo plays as a guest, but ratings need an account.");
  assert.equal(beginObstacle(room([chair("Ada", "ada"), chair("Bo", "bo")])), null);
  // A server that says nothing about handles, or a table that is not rated, keeps nobody from beginning.
  assert.equal(beginObstacle(room([chair("Ada", undefined), chair("Bo", undefined)])), null);
  assert.equal(beginObstacle(room([chair("Ada", null), chair("Bo", null)], { rated: false })), null);
  assert.ok(isUncounted(room([chair("Ada", "ada"), { user: null, bot: "normal" }])));
  assert.ok(!isUncounted(room([chair("Ada", "ada"), chair("Bo", "bo")])));
});

test("a rated table says so before everything but its seats, and hints are said with it", () => {
  const settings = { game: "investors", seats: 3, clock: { kind: "none" }, bots: true, spectators: true, hints: "none", show_decided: true, rated: true, options: {} };
  const sentences = settingSentences(settings, []);
  assert.deepEqual(sentences.slice(0, 3).map(({ key }) => key), ["seats", "rated", "clock"]);
  assert.ok(!sentences.find(({ key }) => key === "hints").isMain);
  assert.ok(!settingSentences({ ...settings, rated: false }, []).some(({ key }) => key === "rated"));
});

test("the record of a game is asked for until it is there, and not for ever", async () => {
  const pauses = [];
  const pause = async (milliseconds) => void pauses.push(milliseconds);
  let asked = 0;
  const refuse = (code) => Promise.reject(Object.assign(new Error(code), { code }));
  const third = await findRecord(() => ((asked += 1) < 3 ? refuse("no_such_game") : Promise.resolve({ game: { table: "abcd" } })), pause, () => true);
  assert.deepEqual([third.state, third.game.table, asked], ["there", "abcd", 3]);
  const never = await findRecord(() => refuse("no_such_game"), pause, () => true);
  assert.equal(never.state, "late");
  assert.equal(pauses.length, 3 + TRIES.length);
  asked = 0;
  const unknown = await findRecord(() => ((asked += 1), refuse("unknown_request")), pause, () => true);
  assert.deepEqual([unknown.state, asked], ["unknown", 1]);
  asked = 0;
  await findRecord(() => ((asked += 1), refuse("no_such_game")), pause, () => false);
  assert.equal(asked, 0, "nobody asks for a page that is gone");
});

test("a rating is counted from the old number to the new one, without going beyond", () => {
  const shown = [-1, 0, 0.25, 0.5, 1, 2].map((share) => countedNumber(1512, 1524, share));
  assert.equal(shown[0], 1512);
  assert.deepEqual(shown.slice(-2), [1524, 1524]);
  assert.deepEqual(shown, [...shown].sort((one, other) => one - other));
  assert.equal(countedNumber(1524, 1512, 1), 1512);
});

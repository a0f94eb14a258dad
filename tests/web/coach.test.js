// The page of the coach: asking for an analysis, its sentences, the chart, and the names of all commands.

import assert from "node:assert/strict";
import { test } from "node:test";

import "./all-texts.js";
import { keys, language, languageNames, t } from "../../web/src/catalogue/index.js";
import { ASK_INTERVAL, CoachModel } from "../../web/src/coach-model.js";
import { axisLabels, chanceAt, chartOf, linePath, rowsAround, spread } from "../../web/src/pages/coach/chart-geometry.js";
import { coach as builders } from "../../web/src/pages/coach/builders.js";
import { changesOf, coach as investors, partAround } from "../../web/src/pages/coach/investors.js";
import { coach as planners } from "../../web/src/pages/coach/planners.js";
import { tenderOf } from "../../web/src/pages/coach/tender-text.js";
import { balanceText, costText, headline, isTooClose, pointTitle, rangeText, reasonText, stageText, gradeOf } from "../../web/src/pages/coach/texts.js";
import { tabsOf } from "../../web/src/parts/game-tabs.js";
import { gamePath } from "../../web/src/replay-address.js";
import { parseAddress } from "../../web/src/routes.js";
import figures from "../../web/src/rules/figures/builders.json";

// -- addresses ----------------------------------------------------------------------------------------------------------

test("the pages about a finished game have addresses, with the key of a private one", () => {
  const { page, id, key } = parseAddress("/g/k3q7m2xd/coach", "#k=abc");
  assert.deepEqual([page, id, key], ["coach", "k3q7m2xd", "abc"]);
  assert.equal(parseAddress("/g/k3q7m2xd/result").page, "result");
  assert.equal(parseAddress("/g/k3q7m2xd").page, "replay");
  assert.equal(parseAddress("/g/k3q7m2xd/other").page, "unknown");
  assert.equal(gamePath("k3q7m2xd", "coach", { eyes: 0, key: "abc" }), "/g/k3q7m2xd/coach?eyes=0#k=abc");
});

test("those who played have the result at their table, others beside the replay", () => {
  const paths = (hasPlayed) => tabsOf("k3q7m2xd", "abc", hasPlayed).map(([, path]) => path);
  assert.deepEqual(paths(true), ["/t/k3q7m2xd", "/g/k3q7m2xd/coach#k=abc", "/g/k3q7m2xd#k=abc"]);
  assert.equal(paths(false)[0], "/g/k3q7m2xd/result#k=abc");
});

// -- asking -------------------------------------------------------------------------------------------------------------

const point = (fields = {}) => ({
  step: 57,
  stage: { round: 9 },
  kind: "influence_tender",
  played: { do: "play_influence", card: 8 },
  better: { do: "play_influence", card: 5 },
  chance: [310, 250, 370],
  better_chance: [380, 310, 450],
  cost: [70, 20, 120],
  reason: null,
  ...fields,
});

const seatFindings = (...points) => ({ decisions: { judged: 40, good: 31, close: 6, poor: 3 }, points, summary: { bids: null, bids_won: null, too_many: null, overpaid_in: null, skill: -140, luck: 50 } });

const analysis = (state, fields = {}) => ({ state, done: 0, of: 0, ahead: 0, findings: null, ...fields });

/** Return a model of a game of two whose analysis is requested with these replies, the pauses that it made, and the steps that it looked at. */
function modelWith(replies, options = {}) {
  const [pauses, steps] = [[], []];
  const view = { seats: [{ user: "a" }, { user: "b" }], mine: null, play: { outcome: { winners: [0] } } };
  const source = {
    game: async () => ({ game: null, access: "public", shared: null }),
    timeline: async () => ({ steps: [], last: 99 }),
    step: async (step, eyes) => {
      steps.push([step, eyes]);
      return { step, steps: 99, view: { ...view, mine: typeof eyes === "number" ? eyes : null }, events: [] };
    },
  };
  const request = async () => {
    const reply = replies.shift();
    if (!reply) throw new Error("asked too often");
    if (reply.code) throw Object.assign(new Error(reply.code), reply);
    return { analysis: reply };
  };
  const model = new CoachModel("k3q7m2xd", null, source, request, { pause: async (milliseconds) => void pauses.push(milliseconds), ...options });
  return { model, pauses, steps };
}

test("the page asks again until the analysis is done", async () => {
  const findings = { seats: [seatFindings(point()), seatFindings()] };
  const { model, pauses, steps } = modelWith([analysis("waiting", { ahead: 3 }), analysis("running"), analysis("done", { findings })]);
  await model.load();
  assert.deepEqual(pauses, [ASK_INTERVAL, ASK_INTERVAL]);
  assert.equal(model.findings.value, findings);
  assert.deepEqual(steps, [[99, "all"]]);
});

test("a refusal or a failure ends asking, and the visitor may try again", async () => {
  const { model, pauses } = modelWith([{ code: "analysis_queue_full" }, analysis("failed"), analysis("done", { findings: { seats: [] } })]);
  await model.load();
  assert.equal(model.refusal.value.code, "analysis_queue_full");
  await model.analyse();
  assert.equal(model.refusal.value, null);
  assert.equal(model.analysis.value.state, "failed");
  await model.analyse();
  assert.equal(model.analysis.value.state, "done");
  assert.deepEqual(pauses, []);
});

test("a request that was too fast is sent again, but not for ever", async () => {
  const slow = { code: "too_fast" };
  const { model } = modelWith([slow, slow, analysis("done", { findings: { seats: [] } })]);
  await model.load();
  assert.equal(model.analysis.value.state, "done");
  const { model: other } = modelWith([slow, slow, slow, slow, slow]);
  await other.load();
  assert.equal(other.refusal.value.code, "too_fast");
});

test("a page that was left sends no more requests", async () => {
  const { model } = modelWith([analysis("running")]);
  model.pause = async () => model.close();
  await model.load();
  assert.equal(model.refusal.value, null);
});

test("the seat is the chosen one, else the own one, else the first", async () => {
  const { model } = modelWith([analysis("failed")], { eyes: 4 });
  await model.load();
  assert.equal(model.seat.value, 0, "the game has no fifth seat");
  model.user.value = "b";
  assert.equal(model.seat.value, 1);
  assert.equal(model.view.value.mine, 1);
  model.chosen.value = 0;
  assert.equal(model.seat.value, 0);
});

test("the position of a turning point is that of the step before, as its seat saw it", async () => {
  const findings = { seats: [seatFindings(), seatFindings(point())] };
  const { model, steps } = modelWith([analysis("done", { findings })]);
  model.user.value = "a";
  await model.load();
  await model.loadPositions(1);
  await model.loadPositions(1);
  assert.deepEqual(steps.slice(1), [[56, 1]], "and it is fetched once");
  assert.equal(model.positionOf(1, 57).mine, null, "the visitor is not addressed as somebody else");
  assert.equal(model.positionOf(0, 57), null);
});

// -- sentences ----------------------------------------------------------------------------------------------------------

const view = { mine: 0, seats: [{ name: "Ana" }, { name: "Bo" }], table: { game: "investors" }, play: { outcome: { winners: [1] } } };

test("the headline counts the turning points, and says you to the visitor alone", () => {
  language.value = "en";
  assert.equal(headline(view, seatFindings(point(), point(), point()), 0), "Three moments cost you this game");
  assert.equal(headline(view, seatFindings(point()), 1), "Bo won in spite of one moment");
  assert.equal(headline(view, seatFindings(), 0), "Nothing you did cost you the game");
  assert.equal(headline({ ...view, mine: null }, seatFindings(point()), 0), "One moment cost Ana this game");
  assert.equal(headline({ ...view, play: { outcome: null } }, seatFindings(), 0), "None of your decisions was poor");
});

test("costs are named as a range, or once where they are alike", () => {
  language.value = "en";
  assert.equal(costText(seatFindings()), null);
  assert.match(costText(seatFindings(point({ cost: [61, 10, 90] }), point({ cost: [92, 10, 120] }))), /6 to 9\u00a0%/);
  assert.match(costText(seatFindings(point(), point())), /about 7\u00a0%/);
  assert.equal(rangeText([310, 250, 370]), "between 25 and 37\u00a0%");
  assert.equal(rangeText([310, 308, 312]), "31\u00a0%");
});

test("a cost whose interval holds zero is too close to call", () => {
  assert.equal(isTooClose(point()), false);
  assert.equal(isTooClose(point({ cost: [70, 0, 120] })), true);
  assert.equal(isTooClose(point({ cost: [70, -10, 150] })), true);
});

test("a reason has its title and sentence with the played card; without one the trials speak", () => {
  language.value = "en";
  const enough = point({ reason: { key: "coach.reason.enough", values: { card: 8, enough: 5, spare: 3 } } });
  assert.equal(pointTitle("investors", enough, view), "The 8 would have won as a 5");
  assert.match(reasonText(enough, view), /^A 5 would have won .* 3 influence more than needed/);
  const tied = point({ reason: { key: "coach.reason.tied", values: { card: 8, other_seat: 1, better: 9 } } });
  assert.equal(pointTitle("investors", tied, view), "The 8 met the 8 of Bo");
  const overpaid = point({ reason: { key: "coach.reason.overpaid", values: { price: 90, worth: 60 } } });
  assert.match(reasonText(overpaid, view, (amount) => `$${amount},000`), /\$90,000.*\$60,000/);
  assert.equal(pointTitle("investors", point(), view), "Another card was better");
  assert.equal(pointTitle("investors", point({ better: { do: "abstain" } }), view), "Abstaining was better");
  assert.equal(pointTitle("planners", point({ played: { do: "decline" }, better: { do: "take_points" } }), view), "Another bonus was better");
  assert.match(reasonText(point({ reason: { key: "coach.reason.unheard_of", values: {} } }), view), /^When bots played on/);
});

test("every reason has a sentence and a title in every language, with nothing left to fill in", () => {
  const reasons = [
    { key: "coach.reason.enough", values: { card: 8, enough: 5, spare: 3 } },
    { key: "coach.reason.tied", values: { card: 8, other_seat: 1, better: 9 } },
    { key: "coach.reason.short", values: { card: 8, enough: 9, worth: 9 } },
    { key: "coach.reason.overpaid", values: { price: 8, worth: 5 } },
  ];
  for (const code of Object.keys(languageNames)) {
    language.value = code;
    for (const reason of reasons) {
      for (const text of [reasonText(point({ reason }), view), pointTitle("investors", point({ reason }), view)]) {
        assert.doesNotMatch(text, /[{}]|coach\./, `${code} ${reason.key}`);
      }
    }
  }
  language.value = "en";
});

test("own decisions, those of others and luck are told apart, with their signs", () => {
  language.value = "en";
  const balance = (summary) => balanceText({ chances: [{ seats: [[250, 200, 300]] }, { seats: [[1000, 1000, 1000]] }], seats: [{ summary }] }, 0).replaceAll("\u00a0", " ");
  assert.equal(
    balance({ skill: -140, others: 60, luck: 830 }),
    "The chance to win went from 25 % at the beginning to 100 % at the end. Own poor decisions took 14 %. Poor decisions of the others gave 6 %. Deal, draws and all the rest gave 83 %.",
  );
  assert.match(balance({ skill: 0, others: 0, luck: -2 }), /nothing that can be measured\. Deal, draws and all the rest evened out\.$/);
  assert.match(balance({ skill: -3, others: -70, luck: -200 }), /measured\. Poor decisions of the others took 7 %\. .* took 20 %\.$/);
});

test("a stage is a round, a year with its card, or what is left of the pile", () => {
  language.value = "en";
  assert.equal(stageText({ round: 9 }), "Round 9");
  assert.equal(stageText({ year: 1908, card: 3 }), "1908, card 3");
  assert.equal(stageText({ year: 1908, card: 0 }), "Year 1908");
  assert.equal(stageText({ cards: 1 }), "One card in the pile");
  assert.equal(stageText({}), "");
});

// -- sealed bids --------------------------------------------------------------------------------------------------------

const tender = {
  step: 12,
  stage: { round: 2 },
  target: "market",
  action: null,
  rights: 1,
  bids: [8, 4, 2, 2, null, 3],
  held: [9, 9, 9, 3, 9, 9],
  outcome: ["won", "lost", "tied", "lost", "abstained", "lost"],
  enough: [5, 6, 3, 5, null, null],
  worth: [9, 9, 9, 9, 9, 9],
};

test("a grade says how a sealed card was, against what would have been enough", () => {
  const grades = tender.bids.map((_, seat) => gradeOf(tender, seat));
  assert.deepEqual(grades[0], { grade: "too_many", count: 3 });
  assert.deepEqual(grades[1], { grade: "short", count: 2 });
  assert.equal(grades[2].grade, "tied");
  assert.equal(grades[3].grade, "out_of_reach", "the seat had no more");
  assert.equal(grades[4].grade, "abstained");
  assert.equal(grades[5].grade, "out_of_reach", "no card would have won");
  assert.equal(gradeOf({ ...tender, enough: [8] }, 0).grade, "exact");
  assert.equal(gradeOf({ ...tender, worth: [9, 5] }, 1).grade, "too_dear", "losing was right");
});

test("a sealed card belongs to the tender that was revealed next", () => {
  const tenders = [tender, { ...tender, step: 30 }];
  assert.equal(tenderOf(tenders, 12).step, 12);
  assert.equal(tenderOf(tenders, 13).step, 30);
  assert.equal(tenderOf(tenders, 31), null);
});

// -- the chart ----------------------------------------------------------------------------------------------------------

const rows = [
  { step: 0, stage: { round: 1 }, seats: [[500, 400, 600]] },
  { step: 10, stage: { round: 2 }, seats: [[700, 600, 800]] },
  { step: 20, stage: { round: 2 }, seats: [[300, 200, 400]] },
  { step: 40, stage: { round: 3 }, seats: [[0, 0, 0]] },
];

test("a turning point lies between the rows before and after it", () => {
  assert.deepEqual(rowsAround(rows, 15), [1, 2]);
  assert.deepEqual(rowsAround(rows, 20), [1, 2]);
  assert.deepEqual(rowsAround(rows, 0), [0, 1]);
  assert.deepEqual(rowsAround(rows, 99), [2, 3]);
  assert.equal(chanceAt(rows, 0, 15), 500);
  assert.equal(chanceAt(rows.slice(0, 1), 0, 15), 500, "also in a game of one row");
});

test("certain and impossible are the edges of the chart, and steps go from the left to the right", () => {
  const chart = chartOf(rows, 458, 158);
  assert.deepEqual([chart.x(0), chart.x(40)], [44, 444]);
  assert.deepEqual([chart.y(1000), chart.y(0)], [34, 134]);
  assert.equal(linePath(rows.slice(0, 2), 0, chart), "M44.0 84.0L144.0 64.0");
  const labels = axisLabels(rows, ({ round }) => String(round), chart).map(({ text }) => text);
  assert.deepEqual(labels, ["1", "2", "3"]);
});

test("flags keep apart and stay on the chart", () => {
  assert.deepEqual(spread([10, 100], 28, 500), [10, 100]);
  assert.deepEqual(spread([10, 20, 25], 28, 500), [10, 38, 66]);
  assert.deepEqual(spread([480, 490, 495], 28, 500), [444, 472, 500]);
});

// -- commands -----------------------------------------------------------------------------------------------------------

const investorsView = { ...view, play: { ...view.play, game: { stage: { bids: [[10], []] }, sticks: Array(82).fill(-1) } } };
const INVESTORS = [
  { do: "lay_tile", space: 3 },
  { do: "accept_tender" },
  { do: "reject_tender" },
  { do: "play_influence", card: 5 },
  { do: "abstain" },
  { do: "raise_bid", cheques: [20, 30] },
  { do: "pass_bid" },
  { do: "choose_option", option: "factory_office" },
  { do: "pay_cheque", cheque: 30 },
  { do: "bid_cheques", cheques: [] },
  { do: "bid_cheques", cheques: [30, 20] },
  { do: "make_offer", investor: 1, amounts: [30], draws: [1], avoid: [] },
  { do: "pass_offer" },
  { do: "accept_offer" },
  { do: "decline_offer" },
  { do: "pay_offer", cheques: [[30]] },
  { do: "place_stick", street: 8, lift: null },
  { do: "place_stick", street: 8, lift: 9 },
  { do: "waive" },
  { do: "move_stick", move: [8, 9] },
  { do: "swap_sticks", sticks: [8, 9] },
  { do: "replace_stick", street: 8 },
  { do: "replace_stick", street: 8, lift: 9 },
  { do: "claim_subsidy", mode: "influence" },
  { do: "claim_subsidy", mode: "cheques", sticks: [1, 2] },
  { do: "claim_subsidy", mode: "influence", sticks: [] },
  { do: "draw_cheque" },
  { do: "stop_drawing" },
];

const planner = { cards: Array(25).fill(0) };
const plannersView = { ...view, play: { game: { seats: [planner, planner], columns: [[1], [2, 3], []], stage: { card: 1 } } } };
const PLANNERS = [
  { do: "draw" },
  { do: "lay", column: 1 },
  { do: "finalize", column: 1 },
  { do: "place", placement: [1, 2] },
  { do: "discard", card: 1 },
  { do: "take_value", space: 3 },
  { do: "take_universal", row: 2 },
  { do: "take_depot", row: 2 },
  { do: "take_points" },
  { do: "take_release" },
  { do: "take_tracks", space: 3 },
  { do: "decline" },
  { do: "release", count: 2 },
  { do: "confirm" },
  { do: "pass" },
];

const buildersView = { ...view, play: figures.order_of_pawns.play };
const BUILDERS = [
  { do: "place_pawn", space: 1 },
  { do: "take_income" },
  { do: "take_material" },
  { do: "take_permit", permit: 1 },
  { do: "take_goal", goal: "blind" },
  { do: "clean_up", plot: -1 },
  { do: "clean_up", plot: 1 },
  { do: "develop" },
  { do: "build" },
  { do: "build_subsidised" },
  { do: "take_dollar" },
  { do: "pass" },
  { do: "choose_permit", permit: 1 },
  { do: "choose_plot", plot: 1 },
  { do: "take_card", symbol: "light" },
  { do: "decline_card" },
  { do: "take_money" },
  { do: "take_step" },
  { do: "confirm" },
];

for (const [name, scene, seen, commands] of [["Investors", investors, investorsView, INVESTORS], ["Planners", planners, plannersView, PLANNERS], ["Builders", builders, buildersView, BUILDERS]]) {
  test(`every command of ${name} has its words in every language`, () => {
    for (const code of Object.keys(languageNames)) {
      language.value = code;
      for (const command of commands) {
        const text = scene.commandText(command, seen, 0);
        assert.ok(text.trim() !== "" && !keys().includes(text), `${code} ${command.do}`);
        assert.doesNotMatch(text, /[{}]|undefined|NaN|^(coach|do|planners|builders)\./, `${code} ${command.do}: ${text}`);
      }
    }
    language.value = "en";
  });
}

test("a bid is named with what lies already", () => {
  language.value = "en";
  assert.equal(investors.commandText({ do: "raise_bid", cheques: [20, 30] }, investorsView, 0), "Bid $60,000");
  assert.equal(t("do.pass"), investors.commandText({ do: "pass_bid" }, investorsView, 0));
});

test("the drawing of a place shows what the better command changes", () => {
  assert.deepEqual(changesOf({ do: "place_stick", street: 8, lift: 9 }, [], 1), [[9, -1], [8, 1]]);
  assert.deepEqual(changesOf({ do: "swap_sticks", sticks: [0, 1] }, [3, 4], 1), [[0, 4], [1, 3]]);
  assert.deepEqual(changesOf({ do: "move_stick", move: [0, 2] }, [3, 4, -1], 1), [[0, -1], [2, 3]]);
  assert.deepEqual(changesOf({ do: "waive" }, [], 1), []);
});

test("the drawn part of the city has at least three by two districts, and stays inside of it", () => {
  assert.deepEqual(partAround([0]), { columns: { first: 0, last: 2 }, rows: { first: 0, last: 1 } });
  assert.deepEqual(partAround([41]), { columns: { first: 4, last: 6 }, rows: { first: 3, last: 4 } });
  const { columns, rows: lines } = partAround([0, 41]);
  assert.deepEqual([columns, lines], [{ first: 0, last: 6 }, { first: 0, last: 4 }]);
});

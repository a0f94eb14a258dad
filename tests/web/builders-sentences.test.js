// Every event of the game has a sentence without gaps, for the acting seat, for others and for spectators.

import assert from "node:assert/strict";
import { test } from "node:test";

import "./all-texts.js";
import enBuilders from "../../web/src/catalogue/en/builders.json";
import { language, languageNames } from "../../web/src/catalogue/index.js";
import goals from "../../server/games/builders/goals.json";
import { sentence } from "../../web/src/scenes/builders/sentences.js";
import { goalName, goalShort, goalText, permitText } from "../../web/src/scenes/builders/labels.js";
import { view } from "./builders-fixture.js";

language.value = "en";

function viewFor(mine) {
  return view("act", null, undefined, mine);
}

const EVENTS = [
  [{ event: "game_begun", start_seat: 1 }, "The earth has come to rest. Bo begins in 1906."],
  [{ event: "pawn_placed", seat: 1, area: 3, space: 2 }, "Bo stands on clean-up, card 3."],
  [{ event: "pawn_placed", seat: 1, area: 0, space: 0 }, "Bo chose the income of $4."],
  [{ event: "action_chosen", seat: 1, action: "build", fee: 0 }, null],
  [{ event: "action_chosen", seat: 1, action: "dollar", fee: 0 }, null],
  [{ event: "action_chosen", seat: 1, action: "pass", fee: 0 }, "Bo passed."],
  [{ event: "action_chosen", seat: 1, action: "material", fee: 2 }, "Bo paid $2 for an action further away: take a building."],
  [{ event: "bonus_chosen", seat: 1, bonus: "step" }, "Bo chose what 1909 gives: a step to the right on the development board."],
  [{ event: "bonus_lapsed", seat: 1 }, "Bo can take nothing of what the year gives."],
  [{ event: "money_gained", seat: 1, amount: 4, why: "income_space" }, null],
  [{ event: "money_gained", seat: 1, amount: 1, why: "dollar" }, "Bo took $1 instead of an action."],
  [{ event: "money_gained", seat: 1, amount: 3, why: "income" }, "Bo took $3."],
  [{ event: "money_gained", seat: 1, amount: 2, why: "bonus" }, "Bo got $2."],
  [{ event: "money_gained", seat: 1, amount: 1, why: "corner" }, "Bo can develop no further and got $1."],
  [{ event: "money_paid", seat: 1, amount: 2, why: "build" }, "Bo paid $2 to build."],
  [{ event: "money_paid", seat: 1, amount: 3, why: "rubble" }, "Bo paid $3 for the rubble."],
  [{ event: "money_paid", seat: 1, amount: 1, why: "tram" }, "Bo paid $1 for the tram."],
  [{ event: "money_paid", seat: 1, amount: 3, why: "clean_up" }, "Bo paid $3 to clean up."],
  [{ event: "money_paid", seat: 1, amount: 2, why: "step" }, "Bo paid $2 for a step."],
  [{ event: "money_paid", seat: 1, amount: 2, why: "develop" }, "Bo paid $2 for urban development."],
  [{ event: "material_taken", seat: 1 }, "Bo took a building from the supply."],
  [{ event: "permit_taken", seat: 1, permit: 7 }, "Bo took a permit: green 5."],
  [{ event: "permit_taken", seat: 1, permit: 41 }, "Bo took a permit: any plot."],
  [{ event: "goal_taken", seat: 1, goal: "colour_red" }, "Bo took a goal: houses on red."],
  [{ event: "goal_drawn", seat: 1 }, "Bo drew a goal that nobody else sees."],
  [{ event: "goal_drawn", seat: 1, goal: "row" }, "Bo drew a goal: row of the development board."],
  [{ event: "rubble_cleared", seat: 1, plot: 11, by: "clean_up" }, "Bo cleared the rubble of red 4 in block B."],
  [{ event: "marker_moved", seat: 1, column: 0, row: 1 }, "The marker of Bo went on to −5."],
  [{ event: "marker_capped", seat: 1 }, null],
  [{ event: "permit_chosen", seat: 1, permit: 22 }, "Bo laid out a permit: red 2."],
  [{ event: "built", seat: 1, plot: 0, permits: [39, 22] }, "Bo built on purple 6 in block A with purple 6 and red 2."],
  [{ event: "best_builder_taken", seat: 1 }, "Bo built the eighth house first: Best Builder!"],
  [{ event: "card_offered", seat: 1, symbols: ["tram"] }, null],
  [{ event: "card_taken", seat: 1, symbol: "light", value: null }, "Bo took a development card: street light."],
  [{ event: "card_declined", seat: 1 }, "Bo took no development card."],
  [{ event: "turn_ended", seat: 1 }, null],
  [{ event: "permits_reshuffled", cards: 20 }, "The 20 discarded permits were shuffled into a new pile."],
  [{ event: "permits_refilled", cards: [0, 40] }, "New permits: green 1 and any plot."],
  [{ event: "goals_refilled", cards: ["money"] }, "New goal: money."],
  [{ event: "area_closed", order: [2, 1, 0] }, "Cem, Bo, and Ana go on in this order."],
  [{ event: "year_begun", year: 1910 }, "It is 1910. Building costs $2."],
  [{ event: "goals_revealed", goals: [["row"], [], ["money", "card_set"]] }, "Hidden goals are revealed. Ana: row of the development board; Cem: money and sets of four development cards."],
  [{ event: "game_ended", reason: "eighth" }, "An eighth house stands: the game ends."],
  [{ event: "game_ended", reason: "final_year" }, "1912 is over: the game ends."],
];

for (const [event, expected] of EVENTS) {
  test(`${JSON.stringify(event)}: ${expected ?? "no line"}`, () => {
    assert.equal(sentence(event, viewFor(null))?.text ?? null, expected);
  });
}

test("every text of the log belongs to an event of this list", () => {
  const tried = new Set(EVENTS.map(([{ event }]) => event));
  const keys = Object.keys(enBuilders).filter((key) => key.startsWith("builders.log."));
  assert.deepEqual(keys.filter((key) => !tried.has(key.split(".")[2])), []);
});

test("an unknown event has no sentence", () => {
  assert.equal(sentence({ event: "somebody_sneezed" }, viewFor(0)), null);
});

for (const code of Object.keys(languageNames)) {
  test(`${code}: the acting seat reads you, and no sentence has a gap`, () => {
    language.value = code;
    for (const [event] of EVENTS) {
      for (const mine of [null, 0, 1]) {
        const line = sentence(event, viewFor(mine));
        if (!line) continue;
        assert.doesNotMatch(line.text, /[{}]|undefined|builders\./, JSON.stringify(event));
        if (mine === event.seat) assert.doesNotMatch(line.text, /\bBo\b/, JSON.stringify(event));
      }
    }
    language.value = "en";
  });

  test(`${code}: every goal and every permit has a text`, () => {
    language.value = code;
    for (const goal of [...goals.start, ...goals.others]) {
      for (const text of [goalName(goal), goalText(goal, 4), ...Object.values(goalShort(goal, 2))]) {
        assert.doesNotMatch(text, /[{}]|undefined|NaN|builders\./, goal);
      }
    }
    for (let permit = 0; permit < 42; permit += 1) assert.doesNotMatch(permitText(permit), /[{}]|null|builders\./);
    language.value = "en";
  });
}

test("a sentence about a plot or a card highlights it", () => {
  assert.deepEqual(sentence({ event: "built", seat: 1, plot: 4, permits: [0] }, viewFor(0))?.place, { plots: [4] });
  assert.deepEqual(sentence({ event: "pawn_placed", seat: 1, area: 3, space: 0 }, viewFor(0))?.place, { areas: [3] });
});

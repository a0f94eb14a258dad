// Every event of the game has a sentence without gaps, for the acting seat, for others and for spectators.

import assert from "node:assert/strict";
import { test } from "node:test";

import "./all-texts.js";
import enPlanners from "../../web/src/catalogue/en/planners.json";
import { language } from "../../web/src/catalogue/index.js";
import { sentence } from "../../web/src/scenes/planners/sentences.js";
import { CARDS, game, view } from "./planners-fixture.js";

const EVENTS = [
  [{ event: "game_begun", first_seat: 1, tokens: 6 }, "Bo begins. The game ends with the last of 6 foundations."],
  [{ event: "project_drawn", seat: 1, card: CARDS.coastTracks }, "Bo draws Coast 2 with tracks."],
  [{ event: "project_laid", seat: 1, card: CARDS.coast3, column: 2, token: false }, "Bo puts it in column C."],
  [{ event: "project_laid", seat: 1, card: CARDS.civicFoundation, column: 0, token: true }, "Bo puts the foundation in column A, with a token."],
  [{ event: "column_taken", seat: 1, column: 1, cards: [1, 2] }, "Bo takes column B: 2 cards for a contract."],
  [{ event: "contracts_returned" }, "Everybody held a contract: each hands one back."],
  [{ event: "contracts_released", seat: 1, count: 1 }, "Bo uses the token and hands back one contract."],
  [{ event: "card_placed", seat: 1, card: CARDS.civicSquare, space: 6 }, "Bo places Civic square, 0 or 4 in Civic 2."],
  [{ event: "card_discarded", seat: 1, card: CARDS.anyTwo }, "Bo discards Universal 2."],
  [{ event: "network_grown", seat: 1, spaces: [20, 21] }, "Cable cars reach Parks 1 and Parks 2 in the city of Bo."],
  [{ event: "tower_built", seat: 1, space: 10 }, "Bo builds a skyscraper in Chinatown 1."],
  [{ event: "medal_taken", seat: 1 }, "Bo gets the master builder’s medal."],
  [{ event: "row_completed", seat: 1, row: 3 }, "Bo is the first to fill Homes."],
  [{ event: "bonus_due", seat: 1, row: 3 }, null],
  // The server leaves out the space of a bonus that is not put on a card.
  [{ event: "bonus_taken", seat: 1, row: 3, bonus: "points" }, "Bo takes the bonus of Homes: 1½ points."],
  [{ event: "bonus_taken", seat: 1, row: 4, bonus: "release" }, "Bo takes the bonus of Parks: hand back 2 contracts."],
  [{ event: "bonus_taken", seat: 1, row: 0, bonus: "tracks", space: 0 }, "Bo takes the bonus of Coast: tracks, in Coast 1."],
  [{ event: "bonus_lapsed", seat: 1, row: 3 }, "No bonus is left for Bo in Homes."],
  [{ event: "bonus_declined", seat: 1, row: 3 }, "Bo takes no bonus in Homes."],
  [{ event: "turn_ended", seat: 1 }, null],
  [{ event: "turn_passed", seat: 1 }, "Bo has to pass."],
  [{ event: "game_ended", seat: 1, reason: "foundations" }, "Bo laid the last foundation: the game is over."],
  [{ event: "game_ended", seat: 1, reason: "full" }, "The city of Bo is full: the game is over."],
  [{ event: "game_ended", seat: 1, reason: "stuck" }, "Nobody can do anything: the game is over."],
];

for (const [event, text] of EVENTS) {
  test(`${event.event}: ${text ?? "no line"}`, () => {
    language.value = "en";
    assert.equal(sentence(event, view(game()))?.text ?? null, text);
  });

  test(`${event.event} has no gap in any language, for any viewer`, () => {
    for (const code of ["en", "de"]) {
      language.value = code;
      for (const mine of [0, 1, null]) {
        const line = sentence(event, view(game(), { mine }));
        if (line) assert.doesNotMatch(line.text, /[{}|]|planners\.|undefined|NaN/, line.text);
      }
    }
  });
}

test("the acting seat reads you", () => {
  language.value = "en";
  const line = sentence({ event: "tower_built", seat: 1, space: 10 }, view(game(), { mine: 1 }));
  assert.equal(line.text, "You build a skyscraper in Chinatown 1.");
  assert.deepEqual(line.place, { spaces: [{ seat: 1, space: 10 }] });
});

test("every text of the log belongs to an event of this list", () => {
  const tried = new Set(EVENTS.map(([{ event }]) => event));
  const keys = Object.keys(enPlanners).filter((key) => key.startsWith("planners.log."));
  assert.deepEqual(keys.filter((key) => !tried.has(key.split(".")[2])), []);
});

test("an event of the table has no sentence in a game", () => {
  assert.equal(sentence({ event: "paused" }, view(game())), null);
});

// A tie-break names what decided it.

import assert from "node:assert/strict";
import { test } from "node:test";

import "./all-texts.js";
import { language } from "../../web/src/catalogue/index.js";
import { tieText, tiesOf } from "../../web/src/scenes/planners/ties.js";
import { game, seat, view } from "./planners-fixture.js";

language.value = "en";

test("a tie names what decided it", () => {
  const values = Array(25).fill(0);
  values[2] = 3;
  const position = game([seat("", { values, cars: [0, 5] }), seat("", { cars: [0, 1] })]);
  position.standings[0] = [{ seat: 0, total: 3, points: 4, tie: null }, { seat: 1, total: 3, points: 0, tie: { by: "space", space: 2 } }];
  position.standings[5] = [{ seat: 0, total: 2, points: 5, tie: null }, { seat: 1, total: 2, points: 0, tie: { by: "column", column: 0 } }];
  position.standings[1] = [{ seat: 1, total: 0, points: 4, tie: null }, { seat: 0, total: 0, points: 0, tie: { by: "turn" } }];
  const texts = (category) => tiesOf(position, category).map((tie) => tieText(view(position), tie));
  assert.deepEqual(texts(0), ["You before Bo at 3: Coast 3, 3 against 0."]);
  assert.deepEqual(texts(5), ["You before Bo at 2: column 1, 2 against 1."]);
  assert.deepEqual(texts(1), ["Bo before you at 0: all equal, so turn order from whoever ended the game."]);
  assert.deepEqual(texts(2), []);
  position.seats[0].totals = [3, 0, 0, 0, 8];
  position.standings[0][1].tie = { by: "row", row: 4 };
  assert.deepEqual(texts(0), ["You before Bo at 3: total of Parks, 8 against 0."]);
});

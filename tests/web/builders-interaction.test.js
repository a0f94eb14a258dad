// The first click selects, the second sends, and the last step of a turn is sent with its confirmation.

import assert from "node:assert/strict";
import { test } from "node:test";

import { isBusy, refusalOf, selectionOf } from "../../web/src/parts/selection.js";
import { interactionOf } from "../../web/src/scenes/builders/interaction.js";
import { TableModel } from "../../web/src/store.js";
import { game, view } from "./builders-fixture.js";

const CONFIRM = { do: "confirm" };
const onMaterial = game({ stage: { name: "acting" }, area: 1, pawns: [[1, 1], null, null] });

/** Return a table whose server accepts every command and then opens the next decision of the list. */
function tableWith(...decisions) {
  const sent = [];
  const model = new TableModel("t", null, {
    request: async ({ type, command, decision }) => {
      sent.push([type, command.do]);
      assert.equal(decision, model.view.value.play.decision.number);
      // The reply arrives before the update that shows the next decision.
      setTimeout(() => show(), 1);
      return {};
    },
  });
  let number = 8;
  const show = () => {
    const [about, choices] = decisions.shift() ?? ["place_pawn", null];
    const shown = view(about, choices, onMaterial);
    shown.play.decision.number = number += 1;
    model.view.value = shown;
  };
  show();
  return { model, sent };
}

async function untilIdle(model) {
  while (isBusy(model)) await new Promise((done) => setTimeout(done, 1));
}

test("the first click on a space selects it, and the second places the pawn", async () => {
  const { model, sent } = tableWith(["place_pawn", [{ do: "place_pawn", space: { one_of: [0, 4] } }]], ["act", [{ do: "take_dollar" }]]);
  interactionOf(model).pick({ do: "place_pawn", space: 4 });
  assert.deepEqual(selectionOf(model), { do: "place_pawn", space: 4 });
  assert.deepEqual(sent, []);
  interactionOf(model).pick({ do: "place_pawn", space: 0 });
  assert.deepEqual(interactionOf(model).command, { do: "place_pawn", space: 0 });
  interactionOf(model).pick({ do: "place_pawn", space: 0 });
  await untilIdle(model);
  assert.deepEqual(sent, [["decide", "place_pawn"]]);
});

test("the last step of a turn is sent together with its confirmation", async () => {
  const { model, sent } = tableWith(["act", [{ do: "take_material" }, { do: "take_dollar" }]], ["confirm", [CONFIRM]]);
  assert.deepEqual(interactionOf(model).command, { do: "take_material" });
  interactionOf(model).finish();
  assert.ok(isBusy(model));
  // A second click while a request is pending does nothing.
  interactionOf(model).finish();
  await untilIdle(model);
  assert.deepEqual(sent, [
    ["decide", "take_material"],
    ["decide", "confirm"],
  ]);
  assert.equal(refusalOf(model), null);
});

test("a command that only opens a further question is sent at once, without a confirmation", async () => {
  const { model, sent } = tableWith(["act", [{ do: "build" }, { do: "take_dollar" }]], ["choose_permit", [{ do: "choose_permit", permit: { one_of: [3, 4] } }]]);
  interactionOf(model).pick({ do: "build" });
  await untilIdle(model);
  interactionOf(model).pick({ do: "choose_permit", permit: 4 });
  await untilIdle(model);
  assert.deepEqual(sent, [
    ["decide", "build"],
    ["decide", "choose_permit"],
  ]);
});

test("an incomplete command is not sent", async () => {
  const { model, sent } = tableWith(["act", [{ do: "take_permit", permit: { one_of: [3, 4] } }, { do: "take_dollar" }]]);
  interactionOf(model).pick({ do: "take_permit" });
  interactionOf(model).finish();
  await untilIdle(model);
  assert.deepEqual(sent, []);
});

// For people who hear the game: every new sentence of the log, said once. Also the sound of things for everybody.

import { useEffect, useState } from "preact/hooks";
import { isMyMove } from "../pages/table.js";
import { play } from "./sounds.js";

/** @param {{model: import("../store.js").TableModel, scene: import("../pages/table.js").Scene}} props */
export function LivePart({ model, scene }) {
  const events = model.latest.value;
  const view = model.view.value;
  const mine = isMyMove(view);
  const [said, setSaid] = useState("");
  useEffect(() => {
    const lines = events.map((event) => scene.sentence(event, view)?.text).filter(Boolean);
    if (lines.length) setSaid(lines.join(" "));
    if (events.some((event) => event.event === "stick_placed")) play("wood");
    else if (events.some((event) => event.event.endsWith("_revealed"))) play("paper");
  }, [events]);
  useEffect(() => {
    if (mine) play("bell");
  }, [mine, view.play?.decision?.number]);
  return (
    <div class="hidden-visually" aria-live="polite" role="log">
      {said}
    </div>
  );
}

// For people who hear the game: every new sentence of the log, said once. Also the sound of things for everybody.

import { useEffect, useState } from "preact/hooks";
import { isMyMove } from "../pages/table.js";
import { play } from "./sounds.js";

/** What is built sounds of wood, what is shown or laid of paper. */
const WOOD = /^(stick_placed|tower_built|built)$/;
const PAPER = /_revealed$|^(project_laid|column_taken|card_placed)$/;

/** @param {{model: import("../store.js").TableModel, scene: import("../pages/table.js").Scene}} props */
export function LiveRegion({ model, scene }) {
  const events = model.latest.value;
  const view = model.view.value;
  const mine = isMyMove(view);
  const [announced, setAnnounced] = useState("");
  useEffect(() => {
    const lines = events.map((event) => scene.sentence(event, view)?.text).filter(Boolean);
    if (lines.length) setAnnounced(lines.join(" "));
    const hasEvent = (/** @type {RegExp} */ names) => events.some((event) => names.test(event.event));
    if (hasEvent(WOOD)) play("wood");
    else if (hasEvent(PAPER)) play("paper");
  }, [events]);
  useEffect(() => {
    if (mine) play("bell");
    // Once for a turn, not for every step of it.
  }, [mine]);
  return (
    <div class="hidden-visually" aria-live="polite" role="log">
      {announced}
    </div>
  );
}

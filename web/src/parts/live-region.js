// An ARIA live region that announces every new line of the log, and the sounds of events. The bell for the player's move
// rings on every page, so your-move.js rings it.

import { useSignalEffect } from "@preact/signals";
import { useEffect, useState } from "preact/hooks";
import { play } from "./sounds.js";

/** Building sounds like wood; revealing and laying cards sounds like paper. */
const WOOD = /^(stick_placed|tower_built|built)$/;
const PAPER = /_revealed$|^(project_laid|column_taken|card_placed)$/;

/** @param {{model: import("../store.js").TableModel, scene: import("../pages/table.js").Scene}} props */
export function LiveRegion({ model, scene }) {
  const events = model.latest.value;
  const view = model.gameView.value;
  // The number makes a line that comes again a new one.
  const [announced, setAnnounced] = useState({ text: "", number: 0 });
  useEffect(() => {
    const lines = events.map((event) => scene.sentence(event, view)?.text).filter(Boolean);
    if (lines.length) setAnnounced(({ number }) => ({ text: lines.join(" "), number: number + 1 }));
  }, [events]);
  // Sounds are heard from a hidden page too, which draws nothing.
  useSignalEffect(() => {
    const latest = model.latest.value;
    const hasEvent = (/** @type {RegExp} */ names) => latest.some((event) => names.test(event.event));
    if (hasEvent(WOOD)) play("wood");
    else if (hasEvent(PAPER)) play("paper");
  });
  return (
    <div class="hidden-visually" aria-live="polite" role="log">
      <span key={announced.number}>{announced.text}</span>
    </div>
  );
}

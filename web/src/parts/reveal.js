// The reveal of sealed answers: cards turn over together, above the board. It closes by itself, or by space or a click,
// and never blocks a decision.

import { useSignalEffect } from "@preact/signals";
import { useEffect, useState } from "preact/hooks";
import { t } from "../catalogue/index.js";
import { Chip } from "./art.js";
import { nameOf } from "./names.js";
import "../style/reveal.css";

/** @typedef {import("../store.js").TableModel} TableModel */

const STAYS = 2800;

/** @type {WeakSet<any[]>} */
const shownBefore = new WeakSet();
let revealed = 0;

/**
 * Show what the events of one update reveal, if anything.
 * @template Found
 * @param {object} props
 * @param {TableModel} props.model
 * @param {(events: any[], view: any) => Found | null} props.find
 * @param {(found: Found) => any} props.draw
 */
export function Reveal({ model, find, draw }) {
  const events = model.latest.value;
  const view = model.gameView.value;
  const [open, setOpen] = useState(/** @type {{key: number, found: Found} | null} */ (null));
  useSignalEffect(() => {
    // What came to a hidden page is no news any more when somebody looks at it.
    const arrived = model.latest.value;
    if (document.hidden) shownBefore.add(arrived);
  });
  useEffect(() => {
    // Each update is revealed once, even if the page is rendered again.
    const found = shownBefore.has(events) ? null : find(events, view);
    if (!found) return;
    shownBefore.add(events);
    setOpen({ key: (revealed += 1), found });
  }, [events]);
  useEffect(() => {
    // The timer depends on the open reveal and not on the latest events, because the game goes on meanwhile.
    if (!open) return undefined;
    const close = () => setOpen(null);
    const timer = setTimeout(close, STAYS);
    const listen = (/** @type {KeyboardEvent} */ event) => {
      const isTyping = event.target instanceof Element && event.target.closest("input, textarea, button, [role=button], [role=gridcell]");
      if (event.key === " " && !isTyping) {
        event.preventDefault();
        close();
      }
    };
    addEventListener("keydown", listen);
    return () => {
      clearTimeout(timer);
      removeEventListener("keydown", listen);
    };
  }, [open]);
  if (!open) return null;
  return (
    <div key={open.key} class="reveal" onClick={() => setOpen(null)}>
      {draw(open.found)}
      <button type="button" class="quiet reveal-on" onClick={() => setOpen(null)}>
        {t("reveal.go_on")} <kbd>␣</kbd>
      </button>
    </div>
  );
}

/**
 * A sealed answer of one seat as a card that turns over.
 * @param {object} props
 * @param {any} props.view
 * @param {number} props.seat
 * @param {any} props.back the drawing on the back
 * @param {string | null} props.rank the place that was won; null if none
 * @param {boolean} [props.isTied]
 * @param {string} props.note
 * @param {any} props.children the front
 */
export function TurnedCard({ view, seat, back, rank, isTied = false, note, children }) {
  return (
    <div class={`revealed ${rank ? "wins" : "out"} ${isTied ? "tied" : ""}`}>
      <div class="flip">
        <div class="flip-back" aria-hidden="true">
          {back}
        </div>
        <div class="flip-front">
          {rank !== null && <span class="rank">{rank}</span>}
          {children}
        </div>
      </div>
      <p class="revealed-name">
        <Chip seat={seat} size={24} /> <b>{nameOf(view, seat)}</b>
      </p>
      <p class="small">{note}</p>
    </div>
  );
}

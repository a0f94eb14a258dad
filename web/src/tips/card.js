// A tip on the page of a table: a card at a place where it covers nothing that can be clicked. Where no such place is
// large enough, a button with a bulb stands for it. It goes when it is closed, and with the player's next answer.

import { signal } from "@preact/signals";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { t } from "../catalogue/index.js";
import { Icon } from "../parts/art.js";
import { selectionOf } from "../parts/selection.js";
import { isMyMove } from "../parts/your-move.js";
import { dueTip } from "./due.js";
import { endTips, markTipShown, shownTips } from "./memory.js";
import { isPageHidden, keptBoxes, measurePage } from "./page-boxes.js";
import { findPlace, overlap } from "./place.js";

/** @typedef {import("../store.js").TableModel} TableModel */
/** @typedef {import("./due.js").Tip} Tip */

/** The widths that the card can have, the most readable one first. */
const WIDTHS = [320, 248, 440];
/** The size of the button that stands for the card. */
const BUTTON = { width: 44, height: 44 };
const MARGIN = 16;

/**
 * The tip of a table. It outlives the card, which is drawn anew in another language.
 * @typedef {object} TipState
 * @property {import("@preact/signals").Signal<Tip | null>} open
 * @property {number} asked the decision that the player was last asked while the tip was open; 0 before
 * @property {number} had the decision during which a tip was open: there is one at most
 */

/** @type {WeakMap<TableModel, TipState>} */
const states = new WeakMap();

/** @param {TableModel} model @returns {TipState} */
function stateOf(model) {
  let state = states.get(model);
  if (!state) states.set(model, (state = { open: signal(null), asked: 0, had: 0 }));
  return state;
}

/** Return the open tip of a table, and a function that closes it. @param {TableModel} model @param {Tip[]} tips */
function useDueTip(model, tips) {
  const state = stateOf(model);
  const open = state.open.value;
  const view = model.gameView.value;
  const events = model.latest.value;
  const number = model.decisionNumber.value;
  useEffect(() => {
    const isMine = isMyMove(view);
    const isAnswered = state.asked > 0 && !(isMine && number === state.asked);
    if (open && view.table.phase === "running" && !isAnswered) {
      if (isMine) state.asked = number;
      return;
    }
    const due = number === state.had ? null : dueTip(tips, view, events, shownTips());
    state.asked = due && isMine ? number : 0;
    if (due) state.had = number;
    state.open.value = due;
  }, [view, events]);
  return /** @type {const} */ ([open, () => (state.open.value = null)]);
}

/** @param {{model: TableModel, tips: Tip[]}} props */
export function TipCard({ model, tips }) {
  const [open, close] = useDueTip(model, tips);
  // The live region is there before its first text, since screen readers announce changes only.
  return (
    <div class="tips" aria-live="polite">
      {open && <Card key={open.id} id={open.id} model={model} onClose={close} />}
    </div>
  );
}

/** Set the place and size of the card, or hide it. @param {HTMLElement} node @returns {boolean} whether it is shown */
function place(node) {
  const page = measurePage();
  node.classList.remove("folded");
  const widths = WIDTHS.filter((width) => width <= innerWidth - MARGIN);
  if (innerWidth < 480) widths.push(innerWidth - MARGIN);
  const sizes = widths.map((width) => {
    node.style.width = `${width}px`;
    return { width, height: node.offsetHeight };
  });
  const { around, covered, near } = page;
  const options = [
    { sizes, kept: page.strict },
    { sizes, kept: page.kept },
    { sizes: [BUTTON], kept: page.strict },
    { sizes: [BUTTON], kept: page.kept },
  ];
  for (const { sizes: tried, kept } of options) {
    const found = findPlace({ sizes: tried, around, kept, covered, near });
    if (!found) continue;
    const isFolded = tried !== sizes;
    node.classList.toggle("folded", isFolded);
    Object.assign(node.style, { left: `${found.left}px`, top: `${found.top}px`, width: isFolded ? "" : `${tried[found.size].width}px` });
    return true;
  }
  return false;
}

/** Return whether a card that has a place may stay there: it is whole, and covers nothing that is needed. @param {HTMLElement} node */
function isWell(node) {
  const box = node.getBoundingClientRect();
  return !node.classList.contains("folded") && !keptBoxes(false).some((kept) => overlap(box, kept));
}

/** Keep the card where it covers nothing, whatever changes on the page. @param {import("preact").RefObject<HTMLElement>} card @param {() => void} onShown */
function usePlace(card, onShown) {
  useLayoutEffect(() => {
    const node = /** @type {HTMLElement} */ (card.current);
    let frame = 0;
    let isPlaced = false;
    const update = () => {
      frame = 0;
      const isHidden = isPageHidden();
      // The card stays where it is as long as it can, since nothing shall jump.
      const mayStay = isPlaced && (node.dataset.open === "true" || isWell(node));
      if (!isHidden && !mayStay) isPlaced = place(node);
      node.classList.toggle("shown", isPlaced && !isHidden);
      if (isPlaced && !isHidden) onShown();
    };
    const schedule = () => (frame ||= requestAnimationFrame(update));
    const placeAnew = () => {
      isPlaced = false;
      schedule();
    };
    const observer = new MutationObserver((changes) => {
      if (changes.some(({ target }) => !node.contains(target))) schedule();
    });
    observer.observe(document.body, {
      subtree: true,
      childList: true,
      attributes: true,
      attributeFilter: ["class", "style", "disabled", "transform", "aria-disabled"],
    });
    schedule();
    const moves = ["scroll", "transitionend", "animationend"];
    for (const name of moves) addEventListener(name, schedule, true);
    addEventListener("resize", placeAnew);
    return () => {
      cancelAnimationFrame(frame);
      observer.disconnect();
      for (const name of moves) removeEventListener(name, schedule, true);
      removeEventListener("resize", placeAnew);
    };
  }, []);
}

/** @param {{id: string, model: TableModel, onClose: () => void}} props */
function Card({ id, model, onClose }) {
  /** @type {import("preact").RefObject<HTMLElement>} */
  const card = useRef(null);
  const [isUnfolded, setUnfolded] = useState(false);
  /** What had the focus before the card. */
  const before = useRef(/** @type {EventTarget | null} */ (null));
  usePlace(card, () => markTipShown(id));
  const onFocusIn = (/** @type {FocusEvent} */ { relatedTarget }) => {
    if (!(relatedTarget instanceof Node && card.current?.contains(relatedTarget))) before.current = relatedTarget;
  };
  const leave = (/** @type {() => void} */ then) => {
    const hasFocus = card.current?.contains(document.activeElement);
    if (hasFocus && before.current instanceof HTMLElement) before.current.focus({ preventScroll: true });
    then();
  };
  useEffect(() => {
    const onKeyDown = (/** @type {KeyboardEvent} */ event) => {
      if (event.key !== "Escape" || !card.current?.classList.contains("shown")) return;
      const isInside = event.target instanceof Node && card.current.contains(event.target);
      // Escape first clears what is selected.
      if (!isInside && Object.keys(selectionOf(model)).length) return;
      event.preventDefault();
      leave(onClose);
    };
    addEventListener("keydown", onKeyDown, true);
    return () => removeEventListener("keydown", onKeyDown, true);
  }, [onClose]);
  // As soon as the card is seen: an effect after the next frame would miss a click that comes before it.
  useLayoutEffect(() => {
    if (!isUnfolded) return undefined;
    const fold = (/** @type {Event} */ { target }) => target instanceof Node && !card.current?.contains(target) && setUnfolded(false);
    addEventListener("pointerdown", fold, true);
    return () => removeEventListener("pointerdown", fold, true);
  }, [isUnfolded]);
  return (
    <aside ref={card} class="tip-card" data-open={isUnfolded} aria-label={t("tips.title")} onFocusIn={onFocusIn}>
      <button type="button" class="plain tip-bulb" aria-label={t("tips.read")} aria-expanded={isUnfolded} onClick={() => setUnfolded(!isUnfolded)}>
        <Icon name="bulb" size={22} />
      </button>
      <div class="tip-body">
        <span class="tip-icon">
          <Icon name="bulb" />
        </span>
        <p class="tip-text">{t(id)}</p>
        <button type="button" class="plain tip-close" aria-label={t("tips.close")} title={t("tips.close")} onClick={() => leave(onClose)}>
          <Icon name="close" size={16} />
        </button>
        <button type="button" class="plain tip-end" onClick={() => leave(endTips)}>
          {t("tips.no_more")}
        </button>
      </div>
    </aside>
  );
}

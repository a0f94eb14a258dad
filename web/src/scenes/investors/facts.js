// What a seat has, for everybody to see. Numbers that change count up in place, and the old one lingers for a moment.

import { useEffect, useRef, useState } from "preact/hooks";
import { t } from "../../catalogue/index.js";
import { Symbol } from "../../parts/art.js";
import { total } from "./prompt.js";
import { money, targetWords } from "./words.js";

/** @typedef {import("../../store.js").TableModel} TableModel */

const LINGERS = 1000;
const COUNTS_FOR = 360;

/** @param {{model: TableModel, seat: number}} props */
export function SeatFacts({ model, seat }) {
  const view = model.view.value;
  const game = view.play?.game;
  if (!game) return null;
  const { prestige, influence, cheques, sticks } = game.seats[seat];
  const note = seatNote(view, seat);
  return (
    <div class="facts">
      <Fact symbol="n-prestige" count={prestige} words="facts.prestige" isGold />
      <Fact symbol="n-influence" count={influence} words="facts.influence" />
      <Fact symbol="n-cheque" count={cheques} words="facts.cheques" />
      <Fact symbol="n-stick" count={sticks} words="facts.sticks" />
      <span class="fact-note small">
        {game.start_seat === seat && game.stage.name !== "over" && <b class="start-mark">{t("facts.start")}</b>} {note}
      </span>
    </div>
  );
}

/** What this seat is doing in the auction, the deal or the drawing at hand. @param {any} view @param {number} seat */
export function seatNote(view, seat) {
  const { stage, subsidies, options } = view.play.game;
  if (stage.name === "cheque_bidding") {
    if (stage.passed[seat]) return t("facts.passed");
    return stage.bids[seat].length ? t("facts.bid", { amount: money(total(stage.bids[seat])) }) : "";
  }
  if (stage.name === "drawing") {
    const most = money(subsidies[seat]);
    if (!subsidies[seat]) return t("facts.not_drawing");
    const amount = money(total(stage.drawn[seat]));
    if (stage.busted[seat]) return t("facts.bust", { most });
    return stage.drawing[seat] ? t("facts.drawn", { amount, most }) : t("facts.stopped", { amount });
  }
  if (stage.name === "investing") {
    const index = stage.rights.findIndex((/** @type {any} */ right) => right.seat === seat);
    return index < 0 ? "" : t("facts.invests", { place: t(`place.${index + 1}`) });
  }
  if (options && (stage.name === "bargaining" || stage.name === "option_bidding")) {
    return t("facts.option", { option: targetWords(options[seat]) });
  }
  return "";
}

/** @param {{symbol: string, count: number, words: string, isGold?: boolean}} props */
function Fact({ symbol, count, words, isGold = false }) {
  const { shown, ghost } = useCounting(count);
  return (
    <span class={`fact ${isGold ? "gold" : ""}`} title={t(words, { count })}>
      <Symbol name={symbol} width={isGold ? 22 : 16} />
      <b aria-hidden="true">{shown}</b>
      {ghost !== null && (
        <s class="ghost-number" aria-hidden="true">
          {ghost}
        </s>
      )}
      <span class="hidden-visually">{t(words, { count })}</span>
    </span>
  );
}

/** Count from the last number to this one. @param {number} count */
function useCounting(count) {
  const last = useRef(count);
  const [shown, setShown] = useState(count);
  const [ghost, setGhost] = useState(/** @type {number | null} */ (null));
  useEffect(() => {
    const from = last.current;
    last.current = count;
    if (from === count) return undefined;
    if (matchMedia("(prefers-reduced-motion: reduce)").matches) {
      setShown(count);
      return undefined;
    }
    setGhost(from);
    const begun = performance.now();
    let frame = requestAnimationFrame(function step(now) {
      const part = Math.min(1, (now - begun) / COUNTS_FOR);
      setShown(Math.round(from + (count - from) * part));
      if (part < 1) frame = requestAnimationFrame(step);
    });
    // A page in the background gets no frames; the timer brings the right number all the same.
    const timer = setTimeout(() => {
      setShown(count);
      setGhost(null);
    }, LINGERS);
    return () => {
      cancelAnimationFrame(frame);
      clearTimeout(timer);
      setShown(count);
      setGhost(null);
    };
  }, [count]);
  return { shown, ghost };
}

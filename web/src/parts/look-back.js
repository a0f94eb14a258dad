// Looking back in a running game, for spectators who came late: what was public so far, step by step. The live game goes
// on underneath, and the bar says how much is newer than what is shown.

import { useEffect, useMemo, useState } from "preact/hooks";
import { useSignalEffect } from "@preact/signals";
import { t } from "../catalogue/index.js";
import { ReplaySteps } from "../replay-steps.js";
import { isStep } from "../table-log.js";
import { Icon } from "./art.js";
import { itemsOf } from "./narration.js";
import { onEscape } from "./on-escape.js";
import { linesOf, pastModel, placesOf } from "./replay.js";

/** @typedef {import("../store.js").TableModel} TableModel */
/** @typedef {import("../pages/table.js").Scene} Scene */
/** @typedef {{model: TableModel, places: Record<string, any[]>}} Past the table at a step, and the places that its lines name */

/**
 * @param {object} props
 * @param {TableModel} props.model the live table
 * @param {Scene} props.scene
 * @param {(past: Past | null) => void} props.onShow called with the table at the shown step, and with null at the end
 * @param {() => void} props.onClose
 */
export function LookBack({ model, scene, onShow, onClose }) {
  const steps = useMemo(() => new ReplaySteps((step) => model.request("look_back", { step, eyes: "spectators", ...(model.key ? { key: model.key } : {}) }), { isLive: true }), [model]);
  const [refusal, setRefusal] = useState(/** @type {string | null} */ (null));
  /** The last step when the visitor began to look back. */
  const [begunAt, setBegunAt] = useState(/** @type {number | null} */ (null));
  useEffect(() => {
    model.request("get_timeline", model.key ? { key: model.key } : {}).then(
      ({ last }) => {
        steps.last.value = last;
        setBegunAt(last);
        steps.goTo(last - 1);
      },
      (reason) => setRefusal(reason.message),
    );
    model.replay.value = { steps, goTo: (step) => void steps.goTo(step) };
    return () => void (model.replay.value = null);
  }, [steps]);
  useNewSteps(model, steps);
  useEffect(() => void (model.lookedBackAt.value = steps.shown.value ? steps.target.value : null), [steps.target.value, steps.shown.value]);
  const shown = steps.shown.value;
  const past = useMemo(() => shown && { model: pastModel(model, shown.view), places: placesOf(linesOf(shown, scene)) }, [shown]);
  useEffect(() => onShow(past), [past]);
  useEffect(() => () => onShow(null), []);
  const [at, last] = [steps.target.value, steps.last.value];
  /** The steps of the live game since the visitor began to look back. */
  const news = begunAt === null ? 0 : Math.max(0, last - begunAt);
  const to = (/** @type {"previous" | "next"} */ name, /** @type {number} */ step) => (
    <button type="button" class="step-button" aria-label={t(`look_back.${name}`)} title={t(`look_back.${name}`)} disabled={!shown} onClick={() => steps.goTo(step)}>
      <Icon name={name} />
    </button>
  );
  return (
    <section class="look-back" aria-label={t("look_back.open")} aria-busy={!steps.isCurrent} onKeyDown={onEscape(onClose)}>
      {/* Only the own steps are read aloud: the game may go on every second. */}
      <p class="look-back-text">
        <b role="status">{t("look_back.at", { step: at, where: shown ? scene.heading(shown.view) : "" })}</b> <span class="muted">{t("look_back.newer", { count: newerLines(model, scene, steps) })}</span>
      </p>
      <div class="look-back-row">
        {to("previous", at - 1)}
        <input
          type="range"
          min={0}
          max={last}
          value={at}
          // Until the number of steps is known, it cannot be moved.
          disabled={!shown}
          aria-label={t("look_back.slider")}
          aria-valuetext={t("look_back.step", { step: at, last })}
          onInput={(event) => steps.goTo(event.currentTarget.valueAsNumber)}
        />
        {to("next", at + 1)}
        <button type="button" class="bay" aria-label={news > 0 ? t("look_back.live_news", { count: news }) : undefined} onClick={onClose}>
          {t("look_back.live")}
          {news > 0 && <b class="look-back-news">+{news}</b>}
        </button>
      </div>
      {(refusal ?? steps.refusal.value) && (
        <p class="error" role="alert">
          {refusal ?? steps.refusal.value}
        </p>
      )}
    </section>
  );
}

/**
 * Return the last step of the live game: every step opens a decision, and decisions are numbered.
 * @param {number} number of the live decision @param {import("../replay-steps.js").Step} known any step of the game
 */
export function liveStep(number, { step, view }) {
  return view.play?.decision ? step + number - view.play.decision.number : null;
}

/** Keep the number of the last step while the live game goes on. @param {TableModel} model @param {ReplaySteps} steps */
function useNewSteps(model, steps) {
  useSignalEffect(() => {
    const number = model.decisionNumber.value;
    const known = steps.shown.value;
    if (number && known) steps.last.value = liveStep(number, known) ?? steps.last.peek();
  });
}

/** Return how many lines of the loaded log are newer than the shown step. @param {TableModel} model @param {Scene} scene @param {ReplaySteps} steps */
function newerLines(model, scene, steps) {
  const entries = model.tableLog.entries.value.filter(isStep);
  const newer = steps.last.value - steps.target.value;
  const entry = entries[entries.length - 1 - newer];
  if (!entry) return newer;
  return itemsOf(model, scene).filter(({ line, number }) => line && number > entry.number).length;
}

// The replay of a finished game: the board at each step, and the lines of that step.

import { useEffect, useLayoutEffect, useMemo, useRef } from "preact/hooks";
import { t } from "../catalogue/index.js";
import { ReplaySteps } from "../replay-steps.js";
import { TableModel } from "../store.js";
import { Chip, Icon } from "./art.js";
import { lineOf } from "./narration.js";
import "../style/replay.css";

/** @typedef {import("../pages/table.js").Scene} Scene */
/** @typedef {{text: string, seat?: number, place?: Record<string, any[]>}} Line */

/** Return a model of the table at a step. It has no decision, so nothing can be picked. @param {TableModel} model @param {any} view */
function pastModel({ id, key, socket }, view) {
  const past = new TableModel(id, key, socket);
  past.view.value = { ...view, play: { ...view.play, decision: null } };
  return past;
}

/** Return the lines of a step. @param {import("../replay-steps.js").Step} step @param {Scene} scene @returns {Line[]} */
function linesOf({ events, view }, scene) {
  return events.flatMap((event) => lineOf(event, view, scene) ?? []);
}

/** Return the places of all lines, by kind. @param {Line[]} lines */
export function placesOf(lines) {
  /** @type {Record<string, any[]>} */
  const all = {};
  for (const { place = {} } of lines) {
    for (const [kind, places] of Object.entries(place)) all[kind] = [...(all[kind] ?? []), ...places];
  }
  return all;
}

/**
 * @param {object} props
 * @param {TableModel} props.model
 * @param {Scene} props.scene
 * @param {(past: TableModel | null) => void} props.onShow called with the table at the shown step, and with null at the end
 * @param {() => void} props.onClose
 */
export function Replay({ model, scene, onShow, onClose }) {
  const steps = useMemo(() => new ReplaySteps((step) => model.request("look_back", { step })), [model]);
  useEffect(() => {
    steps.goTo(0);
    model.replay.value = steps;
    return () => void (model.replay.value = null);
  }, [steps]);
  const shown = steps.shown.value;
  const past = useMemo(() => shown && pastModel(model, shown.view), [model, shown]);
  useEffect(() => {
    onShow(past);
    return () => onShow(null);
  }, [past]);
  const lines = useMemo(() => (shown ? linesOf(shown, scene) : []), [shown]);
  return (
    <div class="replay-view" aria-busy={shown?.step !== steps.target.value}>
      <div class="past-board">{past && <scene.Board model={past} highlighted={placesOf(lines)} />}</div>
      <section class="replay" aria-label={t("replay.open")}>
        {shown && <Controls steps={steps} last={shown.steps} />}
        <button type="button" class="replay-close" onClick={onClose}>
          {t("replay.close")}
        </button>
        {steps.refusal.value && (
          <p class="error" role="alert">
            {steps.refusal.value}
          </p>
        )}
        {shown && (
          <ol class="step-text small" tabIndex={0} aria-label={t("replay.label")} aria-live="polite">
            {lines.map((line, index) => (
              <li key={`${shown.step}/${index}`}>
                {line.seat !== undefined ? <Chip seat={line.seat} size={20} /> : <span />}
                <span>{line.text}</span>
              </li>
            ))}
            {!lines.length && <li class="muted quiet-step">{t("replay.quiet")}</li>}
          </ol>
        )}
      </section>
    </div>
  );
}

/** @param {{steps: ReplaySteps, last: number}} props */
function Controls({ steps, last }) {
  const target = steps.target.value;
  const count = t("replay.count", { step: target, steps: last });
  /** @type {import("preact").RefObject<HTMLInputElement>} */
  const slider = useRef(null);
  useLayoutEffect(() => slider.current?.focus(), []);
  const to = (/** @type {"first" | "previous" | "next" | "last"} */ name, /** @type {number} */ step) => (
    <button type="button" class="step-button" aria-label={t(`replay.${name}`)} title={t(`replay.${name}`)} onClick={() => steps.goTo(step)}>
      <Icon name={name} />
    </button>
  );
  return (
    <div class="step-row">
      {to("first", 0)}
      {to("previous", target - 1)}
      <input
        ref={slider}
        type="range"
        min={0}
        max={last}
        value={target}
        aria-label={t("replay.slider")}
        aria-valuetext={count}
        onInput={(event) => steps.goTo(event.currentTarget.valueAsNumber)}
      />
      {to("next", target + 1)}
      {to("last", last)}
      <span class="step-count small muted">{count}</span>
    </div>
  );
}

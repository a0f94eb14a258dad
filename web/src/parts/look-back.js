// A game that is over, step by step: the board as it was, and in words what had just happened.

import { useEffect, useMemo, useRef } from "preact/hooks";
import { t } from "../catalogue/index.js";
import { Steps } from "../steps.js";
import { TableModel } from "../store.js";
import { Chip, Icon } from "./art.js";
import { tableSentence } from "./log.js";
import "../style/look-back.css";

/** @typedef {import("../pages/table.js").Scene} Scene */
/** @typedef {{text: string, seat?: number, place?: Record<string, any[]>}} Line */

/** A table as it was, at which nothing is asked any more. @param {TableModel} model @param {any} view */
function pastOf({ id, key, socket }, view) {
  const past = new TableModel(id, key, socket);
  past.view.value = { ...view, play: { ...view.play, decision: null } };
  return past;
}

/** What happened in a step. @param {import("../steps.js").Step} step @param {Scene} scene @returns {Line[]} */
function linesOf({ events, view }, scene) {
  return events.flatMap((event) => scene.sentence(event, view) ?? tableSentence(event, view) ?? []);
}

/** The places of all these sentences together. @param {Line[]} lines */
export function placesOf(lines) {
  /** @type {Record<string, any[]>} */
  const all = {};
  for (const { place = {} } of lines) {
    for (const [sort, places] of Object.entries(place)) all[sort] = [...(all[sort] ?? []), ...places];
  }
  return all;
}

/**
 * @param {object} props
 * @param {TableModel} props.model
 * @param {Scene} props.scene
 * @param {(past: TableModel | null) => void} props.onShow the table as it was at the shown step; null at the end
 * @param {() => void} props.onClose
 */
export function LookBack({ model, scene, onShow, onClose }) {
  const steps = useMemo(() => new Steps((step) => model.request("look_back", { step })), [model]);
  useEffect(() => {
    steps.want(0);
  }, [steps]);
  const shown = steps.shown.value;
  const past = useMemo(() => shown && pastOf(model, shown.view), [model, shown]);
  useEffect(() => {
    onShow(past);
    return () => onShow(null);
  }, [past]);
  const lines = useMemo(() => (shown ? linesOf(shown, scene) : []), [shown]);
  return (
    <div class="stepping" aria-busy={shown?.step !== steps.wanted.value}>
      <div class="past-board">{past && <scene.Board model={past} pointed={placesOf(lines)} />}</div>
      <section class="look-back" aria-label={t("steps.open")}>
        {shown && <Controls steps={steps} last={shown.steps} />}
        <button type="button" class="look-back-close" onClick={onClose}>
          {t("steps.close")}
        </button>
        {steps.refusal.value && (
          <p class="error" role="alert">
            {steps.refusal.value}
          </p>
        )}
        {shown && (
          <ol class="step-text small" tabIndex={0} aria-label={t("steps.label")} aria-live="polite">
            {lines.map((line, index) => (
              <li key={`${shown.step}/${index}`}>
                {line.seat !== undefined ? <Chip seat={line.seat} size={20} /> : <span />}
                <span>{line.text}</span>
              </li>
            ))}
            {!lines.length && <li class="muted quiet-step">{t("steps.quiet")}</li>}
          </ol>
        )}
      </section>
    </div>
  );
}

/** @param {{steps: Steps, last: number}} props */
function Controls({ steps, last }) {
  const wanted = steps.wanted.value;
  const count = t("steps.count", { step: wanted, steps: last });
  /** @type {import("preact").RefObject<HTMLInputElement>} */
  const slider = useRef(null);
  useEffect(() => slider.current?.focus(), []);
  const to = (/** @type {"first" | "previous" | "next" | "last"} */ name, /** @type {number} */ step) => (
    <button type="button" class="step-button" aria-label={t(`steps.${name}`)} title={t(`steps.${name}`)} onClick={() => steps.want(step)}>
      <Icon name={name} />
    </button>
  );
  return (
    <div class="step-row">
      {to("first", 0)}
      {to("previous", wanted - 1)}
      <input
        ref={slider}
        type="range"
        min={0}
        max={last}
        value={wanted}
        aria-label={t("steps.slider")}
        aria-valuetext={count}
        onInput={(event) => steps.want(event.currentTarget.valueAsNumber)}
      />
      {to("next", wanted + 1)}
      {to("last", last)}
      <span class="step-count small muted">{count}</span>
    </div>
  );
}

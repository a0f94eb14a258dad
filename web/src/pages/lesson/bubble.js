// The bubble of the guide: a title, a text and why, then what the learner's answer means, and the way on.

import { useEffect, useId, useRef, useState } from "preact/hooks";
import { hasText, t } from "../../catalogue/index.js";
import { Icon, Symbol } from "../../parts/art.js";
import { Bold } from "../../parts/bold.js";
import { taskOf } from "../../lessons/task.js";
import { Dots } from "./dots.js";

/** @typedef {import("../../lessons/lesson-model.js").LessonModel} LessonModel */

/** Return the texts of the shown step; null where there is none. @param {LessonModel} model */
function textsOf(model) {
  const guide = /** @type {import("../../lessons/lesson-model.js").Guide} */ (model.guide.value);
  const key = `lesson.${model.game}.${guide.id}`;
  const optional = (/** @type {string} */ name) => (hasText(`${key}.${name}`) ? t(`${key}.${name}`) : null);
  return {
    title: t(`${key}.title`),
    text: t(`${key}.text`),
    why: optional("why"),
    meaning: model.isAnswered.value ? (optional(guide.meaning ?? "good") ?? t("guide.good")) : null,
    isGood: guide.meaning === "good",
  };
}

/**
 * @param {object} props
 * @param {import("preact").RefObject<HTMLElement>} props.bubble
 * @param {LessonModel} props.model
 * @param {boolean} props.isHidden
 * @param {boolean} props.isMeasured whether its place is known
 * @param {string} props.shape the class of its shape: a bubble that floats, or a sheet
 * @param {import("./guide.js").Detail} props.detail how much it says
 * @param {any} props.style
 * @param {() => void} props.onShowMe
 * @param {() => void} props.onGoToTarget moves the focus to what the guide points at
 * @param {() => void} props.onWhole shows the whole text
 * @param {(() => void) | null} props.onFold null where there is room enough
 */
export function Bubble({ bubble, model, isHidden, isMeasured, shape, detail, style, onShowMe, onGoToTarget, onWhole, onFold }) {
  const guide = /** @type {import("../../lessons/lesson-model.js").Guide} */ (model.guide.value);
  const step = model.step.value;
  const { title, text, why, meaning, isGood } = textsOf(model);
  const isAsking = guide.asks;
  // Other meanings say themselves how the lesson goes on.
  const goesOn = isGood && model.isOtherwise.value ? t("guide.goes_on") : null;
  const id = useId();
  useFocus(bubble, step, model.isAnswered.value, isHidden);
  return (
    <section ref={bubble} class={`guide ${shape} ${isMeasured && !isHidden ? "" : "away"}`} data-detail={detail} style={style} aria-labelledby={id} inert={isHidden}>
      <div class="guide-scroll">
        <header class="guide-head">
          <Symbol name="influence-6" width={56} class="guide-portrait" />
          <div class="guide-who">
            <strong>{t("guide.name")}</strong>
            <Dots step={step} steps={model.length} />
          </div>
          <span class="small muted guide-count">{t("guide.step", { step: step + 1, steps: model.length })}</span>
          {onFold && (
            <button type="button" class="tool guide-fold" aria-label={t("guide.fold")} title={t("guide.fold")} onClick={onFold}>
              <Icon name="chevron" />
            </button>
          )}
        </header>
        <h2 id={id} class="serif" tabIndex={-1}>
          {title}
        </h2>
        {meaning === null ? (
          <>
            <p class="guide-text">
              <Bold text={text} />
            </p>
            <p class="guide-task">
              <Bold text={taskOf(text)} />
            </p>
            {why && (
              <div class="guide-why">
                <Icon name="bulb" size={22} />
                <p>
                  <strong>{t("guide.why")}</strong> <Bold text={why} />
                </p>
              </div>
            )}
          </>
        ) : (
          <div class={`guide-meaning ${isGood ? "good" : ""}`}>
            <Icon name={isGood ? "check" : "bulb"} size={22} />
            <div>
              <p>
                <Bold text={meaning} />
              </p>
              {goesOn && <p class="small muted">{goesOn}</p>}
            </div>
          </div>
        )}
        {model.refusal.value && (
          <p class="error" role="alert">
            {model.refusal.value}
          </p>
        )}
      </div>
      <footer class="guide-actions">
        {(step > 0 || model.answers.value.length > 0) && (
          <button type="button" class="quiet" onClick={() => model.back()}>
            <Icon name="previous" size={16} />
            {t("guide.back")}
          </button>
        )}
        {isAsking && (
          <button type="button" class="quiet guide-show" aria-disabled={model.isMoving.value} onClick={onShowMe}>
            <Icon name="hand" />
            {t("guide.show_me")}
          </button>
        )}
        {detail !== "whole" && (
          <button type="button" class="quiet guide-more" onClick={onWhole}>
            {t(detail === "text" && why ? "guide.why" : "guide.more")}
          </button>
        )}
        {isAsking && guide.point.length > 0 && (
          <button type="button" class="quiet guide-jump" onClick={onGoToTarget}>
            {t("guide.go_to_target")}
          </button>
        )}
        <button type="button" class="quiet guide-skip" onClick={() => model.finish("skipped")}>
          {t("guide.skip")}
        </button>
        {!isAsking && (
          <button type="button" class="bay guide-next" aria-disabled={model.isMoving.value} onClick={() => model.next()}>
            {t(step + 1 < model.length ? "guide.next" : "guide.finish")}
            <Icon name="next" size={16} />
          </button>
        )}
      </footer>
      <Announcement parts={meaning === null ? [t("guide.step", { step: step + 1, steps: model.length }), title, text, why] : [meaning, goesOn]} />
    </section>
  );
}

/** The text of a step for screen readers, as soon as the step is shown. @param {{parts: (string | null)[]}} props */
function Announcement({ parts }) {
  const text = parts
    .filter(Boolean)
    .map((part) => /** @type {string} */ (part).replaceAll("*", "").replace(/([^.!?:])$/, "$1."))
    .join(" ");
  // A live region that is there with its text from the start is not read.
  const [announced, setAnnounced] = useState("");
  useEffect(() => setAnnounced(text), [text]);
  return (
    <p class="hidden-visually" role="status">
      {announced}
    </p>
  );
}

/**
 * Move the focus: to the title of a new step, and to the way on when the step is done. A hidden bubble gets it later.
 * @param {import("preact").RefObject<HTMLElement>} bubble @param {number} step @param {boolean} isDone @param {boolean} isHidden
 */
function useFocus(bubble, step, isDone, isHidden) {
  const last = useRef("");
  useEffect(() => {
    const now = `${step} ${isDone}`;
    if (isHidden || last.current === now) return;
    last.current = now;
    /** @type {HTMLElement | null | undefined} */ (bubble.current?.querySelector(isDone ? ".guide-next" : "h2"))?.focus({ preventScroll: true });
  }, [step, isDone, isHidden]);
}

// The timeline of a game, which is also its slider: rounds or years side by side, a lane for each seat, and in it a mark
// for each decision of the seat. What comes after the shown step is paler. A curve over the steps, such as chances, can
// be drawn in the same coordinates: x is the step, from 0 to the last.

import { useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { hasText, t } from "../../catalogue/index.js";
import { SEAT_COLOURS } from "../../parts/art.js";
import { layout } from "../../parts/layout.js";
import { itemsOf } from "../../parts/narration.js";
import { nameOf } from "../../parts/names.js";
import { hasSections, labelled, sectionOf, sectionsOfLog, stepAt } from "../../replay-timeline.js";
import { sectionText } from "./controls.js";
import "../../style/timeline.css";

/** @typedef {import("../../replay-model.js").ReplayModel} ReplayModel */
/** @typedef {import("../../replay-timeline.js").TimelineStep} TimelineStep */

/** The height of a lane and of the gap between lanes, by layout. @type {Record<string, number>} */
const LANES = { wide: 11, middle: 10, short: 7, phone: 6, side: 6 };

/** @param {{model: ReplayModel, scene: import("../table.js").Scene, view: any}} props */
export function Timeline({ model, scene, view }) {
  const { steps, player } = model;
  const [at, last] = [steps.target.value, Math.max(1, steps.last.value)];
  /** @type {import("preact").RefObject<HTMLDivElement>} */
  const track = useRef(null);
  const width = useWidth(track);
  const [hovered, setHovered] = useState(/** @type {number | null} */ (null));
  useSectionsOfLog(model, scene);
  const sections = model.sections.value;
  const place = (/** @type {number} */ step) => `${(step / last) * 100}%`;
  const seats = view.seats.length;
  const lane = LANES[layout.value];
  const height = lane * seats + 4;
  const section = sectionOf(sections, at);
  const labels = useMemo(() => labelled(sections, last, width, labelWidth(sections), section), [sections, last, width, section]);
  const marks = useMemo(
    () => <Marks steps={model.timeline.value} last={last} seats={seats} lane={lane} />,
    [model.timeline.value, last, seats, lane],
  );
  const stepOf = (/** @type {PointerEvent} */ { clientX }) => {
    const { left, width: whole } = /** @type {HTMLElement} */ (track.current).getBoundingClientRect();
    return stepAt(clientX - left, whole, last);
  };
  const onPointer = (/** @type {PointerEvent} */ event) => {
    if (event.type === "pointerdown") {
      if (event.button) return;
      player.stop();
      /** @type {HTMLElement} */ (event.currentTarget).setPointerCapture(event.pointerId);
    }
    const step = stepOf(event);
    setHovered(step);
    if (event.buttons & 1 && step !== steps.target.value) player.goTo(step);
  };
  const now = stepText(model, view, at);
  return (
    <div class="timeline">
      <div
        ref={track}
        class="timeline-track"
        role="slider"
        tabIndex={0}
        aria-label={t("replay.slider")}
        aria-valuemin={0}
        aria-valuemax={steps.last.value}
        aria-valuenow={at}
        aria-valuetext={now}
        style={{ height: `${height}px` }}
        onPointerDown={onPointer}
        onPointerMove={onPointer}
        onPointerLeave={() => setHovered(null)}
        onKeyDown={(event) => {
          const to = { PageUp: at + 10, PageDown: at - 10, ArrowUp: at + 1, ArrowDown: at - 1 }[event.key];
          if (to === undefined) return;
          event.preventDefault();
          player.stop();
          player.goTo(to);
        }}
      >
        <div class="timeline-sections" aria-hidden="true">
          {sections.map(({ first }, index) => (
            <i key={first} class={index % 2 ? "odd" : ""} style={{ left: place(first), width: `${(((sections[index + 1]?.first ?? last) - first) / last) * 100}%` }} />
          ))}
        </div>
        {marks}
        <i class="timeline-future" style={{ left: place(at) }} aria-hidden="true" />
        <i class="timeline-now" style={{ left: place(at) }} aria-hidden="true" />
        {hovered !== null && (
          <span class={`timeline-tip ${hovered > last / 2 ? "left" : ""}`} style={{ left: place(hovered) }} aria-hidden="true">
            {stepText(model, view, hovered)}
          </span>
        )}
      </div>
      <div class="timeline-labels small muted" aria-hidden="true">
        {[...labels].map(([each, left]) => (
          <span key={each.first} class={each === section ? "now" : ""} style={{ left: `${left}px` }}>
            {shortText(each)}
          </span>
        ))}
      </div>
    </div>
  );
}

/** A mark for each decision: in the lane of its seat, or across all lanes where several seats decided. */
function Marks(/** @type {{steps: TimelineStep[], last: number, seats: number, lane: number}} */ { steps, last, seats, lane }) {
  const height = seats * lane;
  return (
    <svg class="timeline-marks" viewBox={`0 0 ${last} ${height}`} preserveAspectRatio="none" aria-hidden="true">
      {Array.from({ length: seats }, (_, seat) => {
        const own = steps.filter((step) => step.seat === seat).map(({ step }) => `M${step} ${seat * lane + 1.5}v${lane - 3}`);
        return <path key={seat} class={`mark-${SEAT_COLOURS[seat]}`} d={own.join("")} vector-effect="non-scaling-stroke" />;
      })}
      <path class="mark-all" d={steps.filter(({ seat, step }) => seat === null && step > 0).map(({ step }) => `M${step} 1v${height - 2}`).join("")} vector-effect="non-scaling-stroke" />
    </svg>
  );
}

/** Return the width of an element, and keep it up to date. @param {import("preact").RefObject<HTMLElement>} element */
function useWidth(element) {
  const [width, setWidth] = useState(0);
  useLayoutEffect(() => {
    const node = /** @type {HTMLElement} */ (element.current);
    const observer = new ResizeObserver(() => setWidth(node.clientWidth));
    observer.observe(node);
    setWidth(node.clientWidth);
    return () => observer.disconnect();
  }, []);
  return width;
}

/** Return the label of a section below the timeline: "12", "1909". @param {import("../../replay-timeline.js").Section} section */
function shortText({ name, value, text }) {
  if (text) return text;
  return name ? t(`replay.section.${name}.short`, { value, count: value }) : "";
}

/** @param {import("../../replay-timeline.js").Section[]} sections */
function labelWidth(sections) {
  return 14 + 8 * Math.max(0, ...sections.map((section) => shortText(section).length));
}

/** Say where a step is and who decided what: "Round 12 of 21 · step 57 · Ana: place a stick". @param {ReplayModel} model @param {any} view @param {number} step */
function stepText(model, view, step) {
  const found = model.timeline.value.find((each) => each.step === step);
  const key = `ask.${view.table.game}.${found?.kind}`;
  const what = found?.kind && hasText(key) ? t(key) : null;
  const who = found && found.seat !== null ? nameOf(view, found.seat) : null;
  return [
    sectionText(model, sectionOf(model.sections.value, step)),
    t("replay.count", { step, steps: model.steps.last.value }),
    who && what ? t("replay.decided", { name: who, what }) : (who ?? what),
  ]
    .filter(Boolean)
    .join(" · ");
}

/**
 * Take the sections from the headings of the log where the server's stages have neither rounds nor years.
 * @param {ReplayModel} model @param {import("../table.js").Scene} scene
 */
function useSectionsOfLog(model, scene) {
  const isNeeded = model.end.view.value && !hasSections(model.timeline.value);
  const items = isNeeded ? itemsOf(model.end, scene) : null;
  useLayoutEffect(() => {
    model.logSections.value = items ? sectionsOfLog(items, model.steps.last.value) : [];
  }, [items]);
}

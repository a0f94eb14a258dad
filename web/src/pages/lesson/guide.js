// The guide over the table: a veil with lights around what it points at, arrows, and its bubble, which on a phone is a
// sheet. The veil never takes a click: what must be clicked is clicked through it.

import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { arrows, isSmall, lights, overlap, placeBubble, placeSheet } from "../../lessons/geometry.js";
import { boxOf, elementsOf, BETTER_FREE, CHOICES, PICKABLE } from "../../lessons/targets.js";
import { layout } from "../../parts/layout.js";
import { choose, selectionOf } from "../../parts/selection.js";
import { focusZoom } from "../../parts/zoom.js";
import { Bubble } from "./bubble.js";
import { Pill } from "./pill.js";

/** @typedef {import("../../lessons/lesson-model.js").LessonModel} LessonModel */
/** @typedef {import("../../lessons/targets.js").Box} Box */
/**
 * @typedef {object} Drawing what the guide draws, in pixels of the window
 * @property {{width: number, height: number}} window
 * @property {Box[]} lights
 * @property {{x: number, y: number} | null} place of the bubble; null for a sheet
 * @property {"top" | "bottom"} side of the sheet
 * @property {Detail} detail how much the sheet says
 * @property {{line: string, head: string}[]} arrows
 * @property {boolean} isHidden whether something is shown that is worth all attention
 */

/** @typedef {"whole" | "text" | "task"} Detail everything, or without the reason, or what to do alone */

/** From the most to the least that a sheet says. @type {Detail[]} */
const DETAILS = ["whole", "text", "task"];

/** Milliseconds for which "show me" shows a choice before it is sent. */
const SHOWN_FOR = 700;

/**
 * @param {object} props
 * @param {LessonModel} props.model
 * @param {import("../table.js").Scene} props.scene
 * @param {import("../../lessons/targets.js").Kinds} props.kinds
 * @param {() => void} props.onMissing called when no target is on the page as it is now
 */
export function Guide({ model, scene, kinds, onMissing }) {
  const guide = /** @type {import("../../lessons/lesson-model.js").Guide} */ (model.guide.value);
  const isAsking = guide.asks;
  const isSelecting = isAsking && Object.keys(selectionOf(model)).length > 0;
  const isSheet = layout.value === "phone";
  const canFold = isSheet || layout.value === "side";
  const [isFolded, setFolded] = useState(false);
  // The board and the bar are needed as soon as something is selected, and the guide when something has happened.
  useEffect(() => setFolded(canFold && isSelecting), [model.step.value, model.isAnswered.value, canFold, isSelecting]);
  /** The step whose whole text was asked for, where the sheet says less to leave room. */
  const [wholeStep, setWholeStep] = useState(-1);
  const mayShorten = isAsking && wholeStep !== model.step.value;
  /** @type {import("preact").RefObject<HTMLElement>} */
  const bubble = useRef(null);
  const drawing = useDrawing({ model, kinds, bubble, isSheet, isAsking, mayShorten, isFolded, onMissing });
  const showMe = () =>
    model.showMe(async (command) => {
      const selection = scene.selectionFor?.(command, model.view.value);
      if (selection) choose(model, selection);
      await new Promise((resolve) => setTimeout(resolve, SHOWN_FOR));
    });
  const goToTarget = () => {
    const [target] = elementsOf(document, guide.point, kinds);
    const focusable = target?.closest("button, [tabindex]") ?? target?.querySelector("button:not(:disabled), [tabindex]");
    /** @type {HTMLElement | null} */ (focusable)?.focus();
  };
  const style = drawing?.place ? { transform: `translate(${Math.round(drawing.place.x)}px, ${Math.round(drawing.place.y)}px)` } : undefined;
  const isHidden = drawing?.isHidden ?? false;
  return (
    <>
      {drawing && !isHidden && <Veil drawing={drawing} isClear={isSelecting} hasArrows={!isFolded} />}
      {isFolded && <Pill model={model} onOpen={() => setFolded(false)} />}
      <Bubble
        bubble={bubble}
        model={model}
        isHidden={isFolded || isHidden}
        isMeasured={drawing !== null}
        detail={drawing?.detail ?? "whole"}
        shape={isSheet ? `sheet sheet-${drawing?.side ?? "bottom"}` : "floats"}
        style={style}
        onShowMe={showMe}
        onGoToTarget={goToTarget}
        onWhole={() => setWholeStep(model.step.value)}
        onFold={canFold ? () => setFolded(true) : null}
      />
    </>
  );
}

/** @param {{drawing: Drawing, isClear: boolean, hasArrows: boolean}} props `isClear`: without the paper, so that a preview can be read */
function Veil({ drawing: { window, lights: boxes, arrows: lines }, isClear, hasArrows }) {
  const boxOfLight = (/** @type {Box} */ { left, top, right, bottom }) => ({
    x: left,
    y: top,
    width: right - left,
    height: bottom - top,
    rx: Math.min(20, (right - left) / 2, (bottom - top) / 2),
  });
  return (
    <svg class={`guide-veil ${isClear ? "clear" : ""}`} width={window.width} height={window.height} aria-hidden="true">
      <mask id="guide-lights">
        <rect width="100%" height="100%" fill="white" />
        {boxes.map((box, index) => (
          <rect key={index} {...boxOfLight(box)} fill="black" />
        ))}
      </mask>
      <rect class="guide-paper" width="100%" height="100%" mask="url(#guide-lights)" />
      {boxes.map((box, index) => (
        <rect key={index} class="guide-light" {...boxOfLight(box)} />
      ))}
      {hasArrows &&
        lines.map(({ line, head }) => (
          <g key={line} class="guide-arrow">
            <path d={line} pathLength="1" class="guide-line" />
            <path d={head} class="guide-head-line" />
          </g>
        ))}
    </svg>
  );
}

/**
 * Measure the page whenever something on it may have moved, and return what to draw; null until it has been measured.
 * @param {object} options
 * @param {LessonModel} options.model
 * @param {import("../../lessons/targets.js").Kinds} options.kinds
 * @param {import("preact").RefObject<HTMLElement>} options.bubble
 * @param {boolean} options.isSheet
 * @param {boolean} options.isAsking
 * @param {boolean} options.mayShorten whether a sheet may say less, so that it covers nothing that must be pressed
 * @param {boolean} options.isFolded
 * @param {() => void} options.onMissing
 * @returns {Drawing | null}
 */
function useDrawing({ model, kinds, bubble, isSheet, isAsking, mayShorten, isFolded, onMissing }) {
  const [drawing, setDrawing] = useState(/** @type {Drawing | null} */ (null));
  const step = model.step.value;
  const missing = useRef({ step: -1, count: 0 });
  useLayoutEffect(() => {
    if (missing.current.step !== step) missing.current = { step, count: 0 };
    const point = model.guide.value?.point ?? [];
    const measure = () => {
      const node = bubble.current;
      if (!node) return;
      const window = { width: document.documentElement.clientWidth, height: innerHeight };
      const elements = elementsOf(document, point, kinds);
      const boxes = elements.map(boxOf).filter((box) => box !== null);
      const isHidden = document.querySelector(".reveal") !== null;
      if (point.length && !boxes.length && !isHidden && missing.current.count < 3) {
        missing.current.count += 1;
        onMissing();
      }
      /** @type {Drawing} */
      const found = { window, lights: lights(boxes, window), isHidden, arrows: [], place: null, side: "bottom", detail: "whole" };
      const pickable = isAsking ? boxesOf(PICKABLE) : [];
      const now = isSheet
        ? sheetDrawing(found, heightsOf(node, mayShorten ? DETAILS : ["whole"]), { targets: boxes, pressed: pressedFor(boxes, pickable), choices: isAsking ? [...boxesOf(CHOICES), ...boxes.filter((box) => isSmall(box, window))] : [] })
        : bubbleDrawing(found, { width: node.offsetWidth, height: node.offsetHeight }, boxes, [...pickable, ...boxesOf(BETTER_FREE)]);
      setDrawing((before) => same(before, now));
    };
    // A target on a map that can be zoomed is shown large, in the part that the sheet leaves free.
    const frame = { id: 0 };
    const later = () => {
      frame.id ||= requestAnimationFrame(() => {
        frame.id = 0;
        measure();
      });
    };
    if (isSheet && !isFolded && bubble.current) {
      const [height] = heightsOf(bubble.current, [mayShorten ? "text" : "whole"]);
      zoomToTargets(elementsOf(document, point, kinds), height);
    }
    measure();
    const stop = watchPage(later, bubble.current);
    return () => {
      cancelAnimationFrame(frame.id);
      stop();
    };
  }, [model, kinds, step, isSheet, isAsking, mayShorten, isFolded, model.answers.value]);
  return drawing;
}

/** Return where everything is that a selector finds and that can be seen. @param {string} selector */
function boxesOf(selector) {
  return [...document.querySelectorAll(selector)].map(boxOf).filter((box) => box !== null);
}

/** Return what must be pressed: what the guide points at, or everything if it points at nothing of it. @param {Box[]} targets @param {Box[]} pickable */
function pressedFor(targets, pickable) {
  const pointedAt = pickable.filter((box) => targets.some((target) => overlap(box, target) > 0));
  return pointedAt.length ? pointedAt : pickable;
}

/** Return how high a sheet is when it says more or less. @param {HTMLElement} sheet @param {Detail[]} details */
function heightsOf(sheet, details) {
  const { detail } = sheet.dataset;
  const heights = details.map((each) => {
    sheet.dataset.detail = each;
    return sheet.offsetHeight;
  });
  sheet.dataset.detail = detail;
  return heights;
}

/** @param {Drawing} found @param {{width: number, height: number}} size of the bubble @param {Box[]} boxes @param {Box[]} free @returns {Drawing} */
function bubbleDrawing(found, size, boxes, free) {
  const place = placeBubble(size, boxes, free, found.window);
  const bubble = { left: place.x, top: place.y, right: place.x + size.width, bottom: place.y + size.height };
  return { ...found, place, arrows: arrows(bubble, boxes, found.window) };
}

/** @param {Drawing} found @param {number[]} heights of the sheet, by detail @param {{targets: Box[], pressed: Box[], choices: Box[]}} page @returns {Drawing} */
function sheetDrawing(found, heights, page) {
  const bar = document.querySelector(".bar")?.getBoundingClientRect().bottom ?? 0;
  const { side, level } = placeSheet(heights, bar, page, found.window);
  const top = side === "bottom" ? found.window.height - heights[level] : bar;
  const sheet = { left: 0, right: found.window.width, top, bottom: top + heights[level] };
  return { ...found, side, detail: DETAILS[level], arrows: arrows(sheet, page.targets, found.window) };
}

/** Zoom a map on its targets, if they are on one; otherwise show it whole. @param {Element[]} elements @param {number} height of the sheet */
function zoomToTargets(elements, height) {
  const area = elements[0]?.closest(".zoom-area");
  for (const other of document.querySelectorAll(".zoom-area")) if (other !== area) focusZoom(other, [], null);
  if (!area) return;
  const { left, right, top, bottom } = area.getBoundingClientRect();
  focusZoom(area, elements, { left, right, top, bottom: Math.max(top + 80, Math.min(bottom, innerHeight - height)) });
}

/** Return the earlier drawing if both are the same, so that nothing is drawn again. @param {Drawing | null} before @param {Drawing} now */
function same(before, now) {
  return before && JSON.stringify(before) === JSON.stringify(now) ? before : now;
}

/** Call back whenever something on the page may have moved; return the function that stops it. @param {() => void} moved @param {HTMLElement | null} bubble */
function watchPage(moved, bubble) {
  const app = document.querySelector(".lesson-app");
  // What the guide draws itself does not move anything.
  const isOther = (/** @type {MutationRecord} */ { target }) => !(target instanceof Element && target.closest(".guide-veil, .guide"));
  const changes = new MutationObserver((records) => records.some(isOther) && moved());
  const sizes = new ResizeObserver(moved);
  if (app) changes.observe(app, { subtree: true, childList: true, attributes: true, attributeFilter: ["class", "style", "transform", "hidden"] });
  for (const part of [bubble, ...(app?.children ?? [])]) if (part) sizes.observe(part);
  const events = ["resize", "scroll", "transitionend", "animationend"];
  for (const event of events) addEventListener(event, moved, true);
  return () => {
    changes.disconnect();
    sizes.disconnect();
    for (const event of events) removeEventListener(event, moved, true);
  };
}

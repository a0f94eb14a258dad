// The log of events in plain sentences, with a heading for each round or year. Hovering a line highlights its place on
// the board. The newest page is there from the start; older pages load on scrolling up. While a finished game is
// stepped through, the lines of the shown step are marked, and a click on a line goes to its step.

import { Component } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { t } from "../catalogue/index.js";
import { isStep } from "../table-log.js";
import { Chip } from "./art.js";
import { memo } from "./memo.js";
import { itemsOf } from "./narration.js";

/** @typedef {import("./narration.js").Item} Item */
/** @typedef {import("../store.js").TableModel} TableModel */
/** @typedef {import("../pages/table.js").Scene} Scene */

/** @param {{model: TableModel, scene: Scene, onHighlight: (place: any) => void}} props */
export function Log({ model, scene, onHighlight }) {
  const items = itemsOf(model, scene);
  const replay = replayOf(model, items);
  /** @type {import("preact").RefObject<HTMLDivElement>} */
  const list = useRef(null);
  useEffect(() => {
    if (!replay) return;
    if (!replay.isLoaded) model.tableLog.loadUntil(() => replayOf(model, [])?.isLoaded ?? true);
    centre(list.current);
  }, [replay?.step, replay?.marked, items.length]);
  if (!items.length && !model.tableLog.isLoading.value && !model.tableLog.refusal.value) return <p class="empty muted">{t("log.empty")}</p>;
  return (
    <div class="log" ref={list} tabIndex={0} role="group" aria-label={t("tab.log")}>
      <div>
        <Earlier log={model.tableLog} />
        {pages(items).map((page) => (
          <Page
            key={pageOf(page[0])}
            items={page}
            marked={replay && pageOf({ number: Number.parseInt(replay.marked, 10) }) === pageOf(page[0]) ? replay.marked : ""}
            goTo={replay?.goTo ?? null}
            onHighlight={onHighlight}
          />
        ))}
      </div>
    </div>
  );
}

/** Frames in which the log is scrolled again: pages that were skipped get their true heights when they come into view. */
const CENTRE_FRAMES = 4;

/** Scroll the marked line to the middle of the log. The page around it never moves. @param {HTMLElement | null} log @param {number} [frames] */
function centre(log, frames = CENTRE_FRAMES) {
  const line = log?.querySelector("li.shown")?.getBoundingClientRect();
  if (!log || !line) return;
  const { top, height } = log.getBoundingClientRect();
  log.scrollTop += line.top + line.height / 2 - (top + height / 2);
  if (frames > 0) requestAnimationFrame(() => centre(log, frames - 1));
}

/** The top of the log: loads older pages when it is scrolled to, and with a button for keyboards. @param {{log: import("../table-log.js").TableLog}} props */
function Earlier({ log }) {
  /** @type {import("preact").RefObject<HTMLButtonElement>} */
  const button = useRef(null);
  const isOffered = log.hasMore.value && !log.refusal.value;
  const isBusy = log.isLoading.value;
  useEffect(() => {
    if (!button.current || isBusy) return;
    const observer = new IntersectionObserver(([{ isIntersecting }]) => isIntersecting && log.loadOlder(), {
      root: button.current.closest(".log"),
      rootMargin: "200px 0px 0px",
    });
    observer.observe(button.current);
    return () => observer.disconnect();
  }, [isOffered, isBusy, log.entries.value[0]]);
  if (log.refusal.value) {
    return (
      <p class="earlier small" role="alert">
        {log.refusal.value}
        <button class="quiet" onClick={() => (log.highestGap() ? log.fillGaps() : log.loadOlder())}>
          {t("log.again")}
        </button>
      </p>
    );
  }
  if (!isOffered) return null;
  return (
    <p class="earlier small">
      <button ref={button} class="quiet" aria-busy={isBusy} onClick={() => log.loadOlder()}>
        {t(isBusy ? "log.loading" : "log.earlier")}
      </button>
    </p>
  );
}

/**
 * Return which update belongs to the step of the replay, or null without a replay. Steps are counted from the end,
 * because the beginning may not be loaded. `marked` is the beginning of the keys of the marked lines: the number of the
 * update, or the key of the one line that is shown.
 * @param {TableModel} model @param {Item[]} items
 */
function replayOf(model, items) {
  const replay = model.replay.value;
  if (!replay?.steps.shown.value) return null;
  const { steps } = replay;
  const last = steps.last.value;
  const step = steps.target.value;
  const entries = model.tableLog.entries.value.filter(isStep);
  // The entries of a finished game on its own page say which step they are.
  const isNumbered = entries[0]?.step !== undefined;
  const entry = isNumbered ? entries.find((each) => each.step === step) : entries[entries.length - 1 - (last - step)];
  // A step without a line is marked at the line before it.
  const number = entry && items.findLast((item) => item.line && item.number <= entry.number)?.number;
  const line = replay.line?.() ?? null;
  const single = number !== undefined && line !== null ? linesOf(items, number).at(line) : undefined;
  const marked = single?.key ?? String(number ?? "");
  const goTo = (/** @type {string} */ key) => {
    const clicked = Number.parseInt(key, 10);
    const index = entries.findLastIndex((each) => each.number <= clicked);
    if (index < 0) return;
    const place = linesOf(items, clicked).findIndex((item) => item.key === key);
    replay.goTo(entries[index].step ?? last - (entries.length - 1 - index), place);
  };
  return { step, marked, goTo, isLoaded: entry !== undefined };
}

/** Return the lines of an update. @param {Item[]} items @param {number} number */
function linesOf(items, number) {
  return items.filter((item) => item.line && item.number === number);
}

/** Updates on a page. Pages are fixed, so that a new line renders only the last page again. */
const PAGE = 25;

/** @param {{number: number}} item */
function pageOf({ number }) {
  return Math.floor(number / PAGE);
}

/** @param {Item[]} items */
function pages(items) {
  /** @type {Item[][]} */
  const found = [];
  for (const item of items) {
    const last = found.at(-1);
    if (last && pageOf(last[0]) === pageOf(item)) last.push(item);
    else found.push([item]);
  }
  return found;
}

/**
 * @typedef {object} PageProps
 * @property {Item[]} items
 * @property {string} marked the beginning of the keys of the marked lines; "" for none on this page
 * @property {((key: string) => void) | null} goTo shows the step of a line, while a game is stepped through
 * @property {(place: any) => void} onHighlight
 */

/**
 * A page of the log. It renders again only if one of its lines changed.
 * @extends {Component<PageProps>}
 */
class Page extends Component {
  /** Show the step of a line. The newest function is used: it knows the pages that have loaded since. @param {string} key */
  goTo = (key) => this.props.goTo?.(key);

  /** @param {PageProps} next */
  shouldComponentUpdate(next) {
    const { items, marked, goTo } = this.props;
    if (next.marked !== marked || Boolean(next.goTo) !== Boolean(goTo) || next.items.length !== items.length) return true;
    return next.items.some(({ key, line, heading }, index) => {
      const before = items[index];
      return before.key !== key || before.line !== line || before.heading !== heading;
    });
  }

  render() {
    const { items, marked, goTo, onHighlight } = this.props;
    return (
      <ol class="log-page">
        {items.map(({ key, heading, line }) => {
          if (!line) return <li key={key} class="log-heading">{heading}</li>;
          const isShown = marked !== "" && `${key}/`.startsWith(`${marked}/`);
          return <Line key={key} line={line} isShown={isShown} step={goTo ? key : null} goTo={this.goTo} onHighlight={onHighlight} />;
        })}
      </ol>
    );
  }
}

/**
 * @typedef {object} LineProps
 * @property {import("./narration.js").Line} line
 * @property {boolean} isShown
 * @property {string | null} step the key of the line, whose step a click shows; null unless a game is stepped through
 * @property {(key: string) => void} goTo
 * @property {(place: any) => void} onHighlight
 */

const Line = memo(function Line(/** @type {LineProps} */ { line, isShown, step, goTo, onHighlight }) {
  return (
    <li
      class={`${line.place ? "placed" : ""} ${isShown ? "shown" : ""}`}
      aria-current={isShown ? "step" : undefined}
      onMouseEnter={() => onHighlight(line.place ?? null)}
      onMouseLeave={() => onHighlight(null)}
    >
      {line.seat !== undefined ? <Chip seat={line.seat} size={20} /> : <span />}
      {step !== null ? (
        <button class="plain line-step" onClick={() => goTo(step)}>
          {line.text}
        </button>
      ) : (
        <span>{line.text}</span>
      )}
    </li>
  );
});

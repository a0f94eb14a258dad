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
    list.current?.querySelector("li.shown")?.scrollIntoView({ block: "center" });
  }, [replay?.step, replay?.marked, items.length > 0]);
  if (!items.length && !model.tableLog.isLoading.value && !model.tableLog.refusal.value) return <p class="empty muted">{t("log.empty")}</p>;
  return (
    <div class="log" ref={list} tabIndex={0} role="group" aria-label={t("tab.log")}>
      <div>
        <Earlier log={model.tableLog} />
        {pages(items).map((page) => (
          <Page
            key={pageOf(page[0])}
            items={page}
            marked={replay && pageOf({ number: replay.marked }) === pageOf(page[0]) ? replay.marked : 0}
            goTo={replay?.goTo ?? null}
            onHighlight={onHighlight}
          />
        ))}
      </div>
    </div>
  );
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
 * because the beginning may not be loaded.
 * @param {TableModel} model @param {Item[]} items
 */
function replayOf(model, items) {
  const steps = model.replay.value;
  const last = steps?.shown.value?.steps;
  if (!steps || last === undefined) return null;
  const step = steps.target.value;
  const entries = model.tableLog.entries.value.filter(isStep);
  const entry = entries[entries.length - 1 - (last - step)];
  // A step without a line is marked at the line before it.
  const marked = entry ? (items.findLast(({ line, number }) => line && number <= entry.number)?.number ?? 0) : 0;
  const goTo = (/** @type {number} */ number) => {
    const index = entries.findLastIndex((each) => each.number <= number);
    if (index >= 0) steps.goTo(last - (entries.length - 1 - index));
  };
  return { step, marked, goTo, isLoaded: entry !== undefined };
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
 * @property {number} marked the update whose lines are marked; 0 for none on this page
 * @property {((number: number) => void) | null} goTo shows the step of an update, while a game is stepped through
 * @property {(place: any) => void} onHighlight
 */

/**
 * A page of the log. It renders again only if one of its lines changed.
 * @extends {Component<PageProps>}
 */
class Page extends Component {
  /** Show the step of an update. The newest function is used: it knows the pages that have loaded since. @param {number} number */
  goTo = (number) => this.props.goTo?.(number);

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
        {items.map(({ key, number, heading, line }) => {
          if (!line) return <li key={key} class="log-heading">{heading}</li>;
          return <Line key={key} line={line} isShown={number === marked} step={goTo ? number : null} goTo={this.goTo} onHighlight={onHighlight} />;
        })}
      </ol>
    );
  }
}

/**
 * @typedef {object} LineProps
 * @property {import("./narration.js").Line} line
 * @property {boolean} isShown
 * @property {number | null} step the update whose step a click shows; null unless a game is stepped through
 * @property {(number: number) => void} goTo
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

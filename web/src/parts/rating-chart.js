// The history of a rating as a line, one step for each game. The pointer or the arrow keys choose a game, whose date,
// rating and uncertainty are read out. The uncertainty is not drawn: it is mostly larger than the range of the ratings.

import { useRef, useState } from "preact/hooks";
import { t } from "../catalogue/index.js";
import { axisDateText, dateText, numberText } from "./figures.js";
import { useWidth } from "./use-width.js";
import "../style/rating-chart.css";

/** @typedef {[ended: number, rating: number, uncertainty: number]} Point */

const HEIGHT = 100;
const [LEFT, RIGHT, TOP, BOTTOM] = [42, 8, 10, 18];
/** The smallest range that is drawn: a few points more or less must not look like a mountain. */
const MIN_RANGE = 60;

/** Return round values for lines across the chart, about three of them. @param {number} low @param {number} high */
export function gridValues(low, high) {
  const step = [10, 20, 25, 50, 100, 200, 250, 500, 1000].find((each) => (high - low) / each <= 3.5) ?? 2000;
  const first = Math.ceil(low / step) * step;
  return Array.from({ length: Math.max(0, Math.floor((high - first) / step) + 1) }, (_, index) => first + index * step);
}

/** Return where everything of a chart is. @param {Point[]} history @param {number} width in pixels */
export function chartOf(history, width) {
  const ratings = history.map(([, rating]) => rating);
  let [low, high] = [Math.min(...ratings), Math.max(...ratings)];
  const missing = Math.max(0, MIN_RANGE - (high - low));
  [low, high] = [low - missing / 2, high + missing / 2];
  const padding = (high - low) * 0.12;
  [low, high] = [low - padding, high + padding];
  const across = width - LEFT - RIGHT;
  const x = (/** @type {number} */ index) => (history.length < 2 ? LEFT + across / 2 : LEFT + (across * index) / (history.length - 1));
  const y = (/** @type {number} */ rating) => TOP + (HEIGHT - TOP - BOTTOM) * (1 - (rating - low) / (high - low));
  return { x, y, low, high, lines: gridValues(low, high) };
}

const at = (/** @type {number} */ value) => value.toFixed(1);

/** Return the path through the points. @param {Point[]} history @param {ReturnType<typeof chartOf>} chart */
function linePath(history, { x, y }) {
  return history.map(([, rating], index) => `${index ? "L" : "M"}${at(x(index))} ${at(y(rating))}`).join("");
}

/** "8 Nov 2026: 1,684 ±62" @param {Point} point @param {(moment: number) => string} [dateOf] */
export function pointText([ended, rating, uncertainty], dateOf = dateText) {
  return t("chart.point", { date: dateOf(ended), rating: numberText(rating), uncertainty: numberText(uncertainty) });
}

/** @param {{history: Point[], isProvisional: boolean, label: string}} props */
export function RatingChart({ history, isProvisional, label }) {
  /** @type {import("preact").RefObject<HTMLElement>} */
  const figure = useRef(null);
  const width = useWidth(figure, 210);
  const [chosen, setChosen] = useState(/** @type {number | null} */ (null));
  const last = history.length - 1;
  const chart = chartOf(history, width);
  const index = Math.min(chosen ?? last, last);
  const point = history[index];
  const line = linePath(history, chart);
  const onKeyDown = (/** @type {KeyboardEvent} */ event) => {
    const moves = { ArrowLeft: index - 1, ArrowDown: index - 1, ArrowRight: index + 1, ArrowUp: index + 1, PageDown: index - 10, PageUp: index + 10, Home: 0, End: last };
    const to = moves[/** @type {keyof typeof moves} */ (event.key)];
    if (to === undefined) return;
    event.preventDefault();
    setChosen(Math.max(0, Math.min(last, to)));
  };
  const onPointer = (/** @type {PointerEvent & {currentTarget: SVGElement}} */ event) => {
    const box = event.currentTarget.getBoundingClientRect();
    const share = (event.clientX - box.left - LEFT) / (width - LEFT - RIGHT);
    setChosen(Math.max(0, Math.min(last, Math.round(share * last))));
  };
  return (
    <figure ref={figure} class={`rating-chart ${isProvisional ? "provisional" : ""}`}>
      <svg
        viewBox={`0 0 ${width} ${HEIGHT}`}
        role="slider"
        tabIndex={0}
        aria-label={label}
        aria-readonly="true"
        aria-valuemin={1}
        aria-valuemax={history.length}
        aria-valuenow={index + 1}
        aria-valuetext={pointText(point)}
        onKeyDown={onKeyDown}
        onPointerDown={onPointer}
        onPointerMove={onPointer}
        onPointerLeave={() => setChosen(null)}
        onBlur={() => setChosen(null)}
      >
        {chart.lines.map((value) => (
          <g key={value}>
            <path class="chart-grid" d={`M${LEFT} ${at(chart.y(value))}H${width - RIGHT}`} />
            <text x={LEFT - 6} y={chart.y(value) + 4} text-anchor="end">
              {numberText(value)}
            </text>
          </g>
        ))}
        {last > 0 && <path class="chart-area" d={`${line}V${HEIGHT - BOTTOM}H${LEFT}z`} />}
        {last > 0 && <path class="chart-line" d={line} />}
        {chosen !== null && <path class="chart-mark" d={`M${at(chart.x(index))} ${TOP}V${HEIGHT - BOTTOM}`} />}
        <circle class="chart-dot" cx={chart.x(index)} cy={chart.y(point[1])} r="3.500" />
      </svg>
      <figcaption class="small muted" aria-hidden="true">
        {chosen === null && last > 0 ? (
          <>
            <span>{axisDateText(history[0][0])}</span>
            <span>{axisDateText(history[last][0])}</span>
          </>
        ) : (
          <span class="chart-read">{pointText(point, axisDateText)}</span>
        )}
      </figcaption>
    </figure>
  );
}

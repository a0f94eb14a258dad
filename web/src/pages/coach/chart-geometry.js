// Where everything of the chart of chances is: pure, so that it can be tested.

import { CERTAIN } from "../../coach-model.js";

/** @typedef {import("../../coach-model.js").ChanceRow} ChanceRow */
/** @typedef {import("../../coach-model.js").TurningPoint} TurningPoint */

/** The room around the lines: for percentages, for flags above and for rounds below. */
export const ROOM = { left: 44, right: 14, top: 34, bottom: 24 };
/** The width that a label of the axis takes. */
const LABEL = 30;

const at = (/** @type {number} */ value) => value.toFixed(1);

/** @param {ChanceRow[]} rows @param {number} width @param {number} height in pixels */
export function chartOf(rows, width, height) {
  const [first, last] = [rows[0].step, Math.max(rows[0].step + 1, rows[rows.length - 1].step)];
  const x = (/** @type {number} */ step) => ROOM.left + ((width - ROOM.left - ROOM.right) * (step - first)) / (last - first);
  const y = (/** @type {number} */ chance) => ROOM.top + (height - ROOM.top - ROOM.bottom) * (1 - chance / CERTAIN);
  return { x, y, width, height, bottom: height - ROOM.bottom };
}

/** @typedef {ReturnType<typeof chartOf>} Chart */

/** Return the path of the chances of a seat. @param {ChanceRow[]} rows @param {number} seat @param {Chart} chart */
export function linePath(rows, seat, { x, y }) {
  return rows.map(({ step, seats }, index) => `${index ? "L" : "M"}${at(x(step))} ${at(y(seats[seat][0]))}`).join("");
}

/** Return the path around the intervals of a seat. @param {ChanceRow[]} rows @param {number} seat @param {Chart} chart */
export function bandPath(rows, seat, { x, y }) {
  const edge = (/** @type {1 | 2} */ side) => rows.map(({ step, seats }) => `${at(x(step))} ${at(y(seats[seat][side]))}`);
  return `M${edge(2).join("L")}L${edge(1).reverse().join("L")}z`;
}

/** Return the rows around a turning point: before and after it. @param {ChanceRow[]} rows @param {number} step of the turning point */
export function rowsAround(rows, step) {
  const found = rows.findIndex((row) => row.step >= step);
  const after = found < 0 ? rows.length - 1 : Math.max(1, found);
  return [Math.min(after - 1, rows.length - 1), after].filter((index) => index >= 0 && index < rows.length);
}

/** Return the path of the chances of a seat around a turning point. @param {ChanceRow[]} rows @param {number} seat @param {TurningPoint} point @param {Chart} chart */
export function dropPath(rows, seat, { step }, chart) {
  const [before, after] = rowsAround(rows, step);
  return linePath(rows.slice(before, (after ?? before) + 1), seat, chart);
}

/** Return the chance of a seat at a step, between two rows by proportion. @param {ChanceRow[]} rows @param {number} seat @param {number} step */
export function chanceAt(rows, seat, step) {
  const [before, after = before] = rowsAround(rows, step).map((index) => rows[index]);
  const span = after.step - before.step;
  const share = span > 0 ? Math.min(1, Math.max(0, (step - before.step) / span)) : 0;
  return before.seats[seat][0] + share * (after.seats[seat][0] - before.seats[seat][0]);
}

/**
 * Return the labels of the axis, none over another: one where a round or year begins.
 * @param {ChanceRow[]} rows @param {(stage: Record<string, number>) => string} text @param {Chart} chart
 */
export function axisLabels(rows, text, { x }) {
  /** @type {{at: number, text: string}[]} */
  const labels = [];
  let last = "";
  for (const { step, stage } of rows) {
    const label = text(stage);
    if (label === last) continue;
    last = label;
    const place = x(step);
    if (!labels.length || place - labels[labels.length - 1].at >= LABEL + 5 * Math.max(0, label.length - 2)) labels.push({ at: place, text: label });
  }
  return labels;
}

/** Return where each flag stands, moved to the right where flags would overlap. @param {number[]} places from the left @param {number} width of a flag @param {number} limit the right end */
export function spread(places, width, limit) {
  /** @type {number[]} */
  const moved = [];
  for (const place of places) moved.push(Math.max(place, (moved.at(-1) ?? -Infinity) + width));
  for (let index = moved.length - 1, right = limit; index >= 0; index -= 1) {
    moved[index] = Math.min(moved[index], right);
    right = moved[index] - width;
  }
  return moved;
}

/** Return the row that is nearest to a place. @param {ChanceRow[]} rows @param {number} place @param {Chart} chart */
export function nearestRow(rows, place, { x }) {
  let best = 0;
  for (let index = 1; index < rows.length; index += 1) {
    if (Math.abs(x(rows[index].step) - place) < Math.abs(x(rows[best].step) - place)) best = index;
  }
  return best;
}

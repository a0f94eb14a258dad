// The chances of all seats over the game. The seat whose eyes are taken has a thick line, its intervals and its turning
// points as numbered flags. Seats differ by colour, dashes and chips; screen readers get the same as a table.

import { useRef, useState } from "preact/hooks";
import { t } from "../../catalogue/index.js";
import { Chip, PlacedSymbol, SEAT_COLOURS } from "../../parts/art.js";
import { nameOf } from "../../parts/names.js";
import { narrow } from "../../parts/narrow.js";
import { useWidth } from "../../parts/use-width.js";
import { axisLabels, bandPath, chanceAt, chartOf, dropPath, linePath, nearestRow, ROOM, spread } from "./chart-geometry.js";
import { percent, rangeText, stageShort, stageText } from "./texts.js";
import "../../style/coach-chart.css";

/** @typedef {import("../../coach-model.js").Findings} Findings */

/** The height of the drawing on a phone, and elsewhere. */
const [LOW, HIGH] = [214, 262];
const FLAG = 26;
const CHIP = 18;
/** The chances that have lines, and those of them that have labels. */
const GRID = [0, 250, 500, 750, 1000];
const LABELLED = [0, 500, 1000];

/** @param {{view: any, findings: Findings, seat: number}} props */
export function Chances({ view, findings, seat }) {
  const rows = findings.chances;
  /** @type {import("preact").RefObject<HTMLDivElement>} */
  const frame = useRef(null);
  const width = useWidth(frame, 640);
  const [hovered, setHovered] = useState(/** @type {number | null} */ (null));
  if (!rows.length) return null;
  const height = narrow.value ? LOW : HIGH;
  const chart = chartOf(rows, width, height);
  const onPointer = (/** @type {PointerEvent & {currentTarget: SVGElement}} */ event) =>
    setHovered(nearestRow(rows, event.clientX - event.currentTarget.getBoundingClientRect().left, chart));
  const row = hovered === null ? null : rows[hovered];
  return (
    <section class="coach-chances card" aria-labelledby="chances-title">
      <header>
        <h2 id="chances-title">{t("coach.chances")}</h2>
        <span class="small muted" aria-hidden="true">
          {row ? stageText(row.stage) : t("coach.chances.note")}
        </span>
      </header>
      <div class="coach-chart" ref={frame}>
        <svg viewBox={`0 0 ${width} ${height}`} style={{ height: `${height}px` }} aria-hidden="true" onPointerMove={onPointer} onPointerDown={onPointer} onPointerLeave={() => setHovered(null)}>
          <Axes rows={rows} chart={chart} />
          <Lines findings={findings} seat={seat} chart={chart} />
          {row && <path class="coach-at" d={`M${chart.x(row.step)} ${ROOM.top}V${chart.bottom}`} />}
          <Flags findings={findings} seat={seat} chart={chart} />
        </svg>
      </div>
      <Legend view={view} row={row} seat={seat} />
      <ChancesTable view={view} findings={findings} seat={seat} />
    </section>
  );
}

/** @param {{rows: import("../../coach-model.js").ChanceRow[], chart: import("./chart-geometry.js").Chart}} props */
function Axes({ rows, chart }) {
  const { y, width, bottom } = chart;
  return (
    <g class="coach-axes">
      {GRID.map((value) => (
        <g key={value}>
          <path d={`M${ROOM.left} ${y(value)}H${width - ROOM.right}`} />
          {LABELLED.includes(value) && (
            <text x={ROOM.left - 7} y={y(value) + 4} text-anchor="end">
              {t("coach.chance", { value: percent(value) })}
            </text>
          )}
        </g>
      ))}
      {axisLabels(rows, stageShort, chart).map(({ at, text }) => (
        <text key={at} x={at} y={bottom + 17} text-anchor="middle">
          {text}
        </text>
      ))}
    </g>
  );
}

/** @param {{findings: Findings, seat: number, chart: import("./chart-geometry.js").Chart}} props */
function Lines({ findings: { chances: rows, seats }, seat, chart }) {
  const all = rows[0].seats.map((_, each) => each);
  // The chosen seat is drawn last, above the others.
  const order = [...all.filter((each) => each !== seat), seat];
  // Chips stand at different places, so that none covers another where chances are alike.
  const chipRow = (/** @type {number} */ each) => rows[Math.min(rows.length - 1, Math.round(((each + 1) / (all.length + 1)) * (rows.length - 1)))];
  return (
    <>
      <path class={`coach-band fill-${SEAT_COLOURS[seat]}`} d={bandPath(rows, seat, chart)} />
      {order.map((each) => (
        <path key={each} class={`coach-line line-${SEAT_COLOURS[each]} ${each === seat ? "own" : ""}`} d={linePath(rows, each, chart)} />
      ))}
      {seats[seat].points.map((point) => (
        <path key={point.step} class="coach-drop" d={dropPath(rows, seat, point, chart)} />
      ))}
      {order.map((each) => {
        const { step, seats: chances } = chipRow(each);
        const size = each === seat ? CHIP + 4 : CHIP;
        return <PlacedSymbol key={each} name={`chip-${SEAT_COLOURS[each]}`} x={chart.x(step) - size / 2} y={chart.y(chances[each][0]) - size / 2} width={size} height={size} />;
      })}
    </>
  );
}

/** @param {{findings: Findings, seat: number, chart: import("./chart-geometry.js").Chart}} props */
function Flags({ findings: { chances: rows, seats }, seat, chart }) {
  const { points } = seats[seat];
  const places = spread(points.map(({ step }) => chart.x(step)), FLAG + 2, chart.width - FLAG / 2);
  return (
    <>
      {points.map(({ step }, index) => (
        <g key={step}>
          <path class="coach-flag-line" d={`M${places[index]} ${ROOM.top - 6}L${chart.x(step)} ${ROOM.top}V${chart.y(chanceAt(rows, seat, step))}`} />
          <g transform={`translate(${places[index] - FLAG / 2} 2)`}>
            <FlagShape number={index + 1} />
          </g>
        </g>
      ))}
    </>
  );
}

/** The shape of a numbered flag, 26 by 28. @param {{number: number}} props */
function FlagShape({ number }) {
  return (
    <>
      <path class="coach-flag" d="M2 1.500h22v18.500l-11 7-11-7z" />
      <text class="coach-flag-number" x="13" y="16.500" text-anchor="middle">
        {number}
      </text>
    </>
  );
}

/** The same flag in a text. @param {{number: number}} props */
export function Flag({ number }) {
  return (
    <svg class="coach-flag-mark" viewBox="0 0 26 28" width="26" height="28" aria-hidden="true">
      <FlagShape number={number} />
    </svg>
  );
}

/** The seats with their lines, and their chances at the pointer. @param {{view: any, row: import("../../coach-model.js").ChanceRow | null, seat: number}} props */
function Legend({ view, row, seat }) {
  return (
    <ul class="coach-legend small" aria-hidden="true">
      {view.seats.map((/** @type {any} */ _, /** @type {number} */ each) => (
        <li key={each} class={each === seat ? "own" : ""}>
          <svg width="30" height="8" viewBox="0 0 30 8">
            <path class={`coach-line line-${SEAT_COLOURS[each]} ${each === seat ? "own" : ""}`} d="M1 4H29" />
          </svg>
          <Chip seat={each} size={18} />
          <span class="cut">{nameOf(view, each)}</span>
          {row && <b>{t("coach.chance", { value: percent(row.seats[each][0]) })}</b>}
        </li>
      ))}
    </ul>
  );
}

/** The chances for screen readers. @param {{view: any, findings: Findings, seat: number}} props */
function ChancesTable({ view, findings: { chances: rows, seats: found }, seat }) {
  const flags = new Map(found[seat].points.map(({ step }, index) => [step, index + 1]));
  const flagOf = (/** @type {number} */ from, /** @type {number} */ to) => [...flags].filter(([step]) => step > from && step <= to).map(([, number]) => t("coach.moment", { number }));
  return (
    // A table takes the width of its content, so it is hidden inside of something.
    <div class="hidden-visually">
      <table>
        <caption>{t("coach.chances")}</caption>
        <thead>
          <tr>
            <th scope="col">{t("coach.when")}</th>
            {view.seats.map((/** @type {any} */ _, /** @type {number} */ each) => (
              <th key={each} scope="col">
                {nameOf(view, each)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ step, stage, seats }, index) => (
            <tr key={step}>
              <th scope="row">{[stageText(stage), ...flagOf(rows[index - 1]?.step ?? -1, step)].filter(Boolean).join(", ")}</th>
              {seats.map((chance, each) => (
                <td key={each}>{each === seat ? `${t("coach.chance", { value: percent(chance[0]) })}, ${rangeText(chance)}` : t("coach.chance", { value: percent(chance[0]) })}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

// The city: blocks of plots between streets. It contains no rules: its properties say which plots can be picked.

import { useRef, useState } from "preact/hooks";
import { t } from "../../catalogue/index.js";
import { SEAT_COLOURS } from "../../parts/art.js";
import { Callout } from "../../parts/callout.js";
import { layout } from "../../parts/layout.js";
import { capitalize, nameInSentence } from "../../parts/names.js";
import { ZoomArea } from "../../parts/zoom.js";
import { CARD_PLOTS, neighbourPlot, plotOf } from "./game-data.js";
import { Plate, Symbol } from "./pieces.js";
import { blockOf, dollars, plotText } from "./labels.js";

/**
 * @typedef {object} CityProps
 * @property {any} view
 * @property {any} [shown] the game after the selected command
 * @property {number[]} [open] plots that can be picked
 * @property {number[]} [reach] plots that further permits could reach
 * @property {number | null} [chosen]
 * @property {number[]} [highlighted] plots that the log highlights
 * @property {(plot: number) => void} [onPick]
 */

/** @param {CityProps} props */
export function City(props) {
  const { view } = props;
  const { cards, grid } = view.play.game.city;
  const [inspected, setInspected] = useState(/** @type {number | null} */ (null));
  /** @type {import("preact").RefObject<HTMLDivElement>} */
  const map = useRef(null);
  const focusOn = (/** @type {number} */ plot) =>
    /** @type {HTMLElement | null | undefined} */ (map.current?.querySelector(`[data-plot="${plot}"]`))?.focus();
  const town = (
    <div ref={map} class={`town grid-${grid[0]}`} style={{ "--columns": grid[0], "--rows": grid[1] }} role="group" aria-label={t("builders.city")}>
      {Array.from({ length: grid[1] }, (_, row) => (
        <span key={`street${row}`} class="street-name serif" style={{ top: `${(row / grid[1]) * 100}%` }} aria-hidden="true">
          {t(`builders.street.${row + 1}`)}
        </span>
      ))}
      {cards.map((/** @type {any} */ _, /** @type {number} */ place) => (
        <div key={place} class="town-block">
          <span class="block-letter" aria-hidden="true">
            {blockOf(place * CARD_PLOTS)}
          </span>
          {Array.from({ length: CARD_PLOTS }, (_, position) => (
            <Plot key={position} {...props} plot={place * CARD_PLOTS + position} onInspect={setInspected} focusOn={focusOn} />
          ))}
        </div>
      ))}
      {/* The decision bar explains plots that can be picked, so they need no callout. */}
      {inspected !== null && !props.open?.includes(inspected) && <PlotCallout view={view} plot={inspected} />}
    </div>
  );
  const canZoom = layout.value === "phone" || layout.value === "side";
  return canZoom ? <ZoomArea class="town-frame">{town}</ZoomArea> : <div class="town-frame">{town}</div>;
}

/** Return the accessible description of a plot, in parts. @param {any} view @param {number} plot */
function descriptionOf(view, plot) {
  const { game } = view.play;
  const parts = [capitalize(plotText(game, plot))];
  const owner = game.city.owners[plot];
  if (owner >= 0) parts.push(t(owner === view.mine ? "builders.plot.yours" : "builders.plot.of", { name: nameInSentence(view, owner) }));
  else parts.push(t(game.city.rubble.includes(plot) ? "builders.plot.rubble" : "builders.plot.free", { amount: dollars(game.costs.rubble) }));
  return parts;
}

/** @param {CityProps & {plot: number, onInspect: (plot: number | null) => void, focusOn: (plot: number) => void}} props */
function Plot({ view, shown, open, reach, chosen, highlighted, onPick, plot, onInspect, focusOn }) {
  const { game } = view.play;
  const { colour, number } = plotOf(game, plot);
  const owner = game.city.owners[plot];
  const later = shown?.city.owners[plot] ?? owner;
  const hasRubble = game.city.rubble.includes(plot);
  const losesRubble = hasRubble && shown !== undefined && !shown.city.rubble.includes(plot);
  const canPick = open?.includes(plot) ?? false;
  const isChosen = chosen === plot;
  const parts = descriptionOf(view, plot);
  if (canPick) parts.push(t("builders.plot.open"));
  const state = `${canPick ? "can" : ""} ${isChosen ? "chosen" : ""} ${reach?.includes(plot) ? "in-reach" : ""} ${highlighted?.includes(plot) ? "highlighted" : ""}`;
  const isFull = later >= 0 || hasRubble;
  const onKeyDown = (/** @type {KeyboardEvent} */ event) => {
    if (!event.key.startsWith("Arrow")) return;
    event.preventDefault();
    const beside = neighbourPlot(game, plot, event.key);
    if (beside !== null) focusOn(beside);
  };
  return (
    <button
      type="button"
      class={`plot land-${colour} ${isFull ? "full" : ""} ${state}`}
      data-plot={plot}
      data-pick={canPick ? "plot" : undefined}
      aria-label={parts.join(". ")}
      aria-disabled={!canPick}
      aria-pressed={canPick ? isChosen : undefined}
      // Plots that can be picked are tab stops. Otherwise the city is one tab stop with arrow keys.
      tabindex={canPick || (!open?.length && plot === 0) ? 0 : -1}
      onKeyDown={onKeyDown}
      onClick={() => (canPick ? onPick?.(plot) : onInspect(plot))}
      onMouseEnter={() => onInspect(plot)}
      onMouseLeave={() => onInspect(null)}
      onFocus={() => onInspect(plot)}
      onBlur={() => onInspect(null)}
    >
      <Plate number={number} />
      {hasRubble && owner < 0 && <Symbol name="rubble" width={48} class={`on-plot ${losesRubble ? "leaving" : ""}`} />}
      {later >= 0 && <Symbol key={later} name={`house-${SEAT_COLOURS[later]}`} width={48} class={`on-plot house ${owner < 0 ? "coming" : ""}`} />}
    </button>
  );
}

/** The description of a plot, placed where it does not cover the plot's block. @param {{view: any, plot: number}} props */
function PlotCallout({ view, plot }) {
  const { game } = view.play;
  const [columns, rows] = game.city.grid;
  const block = Math.floor(plot / CARD_PLOTS);
  const [column, row] = [block % columns, Math.floor(block / columns)];
  const [title, ...rest] = descriptionOf(view, plot);
  const isAsked = (view.play.decision?.prompt ?? null) !== null && game.stage.name === "composing";
  const left = `${((column + 0.5) / columns) * 100}%`;
  /** @type {Record<string, string>} */
  const place = row < rows / 2 ? { left, top: `${((row + 1) / rows) * 100}%` } : { left, bottom: `${(1 - row / rows) * 100}%` };
  return (
    <Callout place={place} side={column === 0 ? "start" : column === columns - 1 ? "end" : "middle"}>
      <strong>{title}</strong>
      <p>
        {rest.join(". ")}
        {isAsked && game.city.owners[plot] < 0 && ` ${t(game.stage.permits.length ? "builders.plot.not_with_these" : "builders.plot.permits_first")}`}
      </p>
    </Callout>
  );
}

// The city: blocks of plots between streets. It contains no rules: its properties say which plots can be picked.

import { useId, useMemo, useRef, useState } from "preact/hooks";
import { t } from "../../catalogue/index.js";
import { SEAT_COLOURS } from "../../parts/art.js";
import { moveOnBoard, useTabStop } from "../../parts/board-grid.js";
import { Callout } from "../../parts/callout.js";
import { layout } from "../../parts/layout.js";
import { memo } from "../../parts/memo.js";
import { capitalize, nameInSentence, seatNames } from "../../parts/names.js";
import { asSentences } from "../../parts/sentences.js";
import { ZoomArea } from "../../parts/zoom.js";
import { CARD_PLOTS, neighbourPlot, plotOf, plotOrder, plotRows } from "./game-data.js";
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
 * @property {(reason: string, sentence: string) => void} [onWhyNot] called when a plot is clicked that cannot be picked
 */

/** @param {CityProps} props */
export function City(props) {
  const { view, shown, open, reach, chosen, highlighted } = props;
  const { game } = view.play;
  const { cards, grid } = game.city;
  const [inspected, setInspected] = useState(/** @type {number | null} */ (null));
  /** @type {import("preact").RefObject<HTMLDivElement>} */
  const map = useRef(null);
  const latest = useRef(props);
  latest.current = props;
  const id = useId();
  const order = plotOrder(game);
  const { stop, onFocus, onBlur } = useTabStop(open?.toSorted((one, other) => order(one) - order(other)) ?? []);
  const handlers = useMemo(
    () => ({
      view: () => latest.current.view,
      pick: (/** @type {number} */ plot) => latest.current.onPick?.(plot),
      explain: (/** @type {number} */ plot) => {
        setInspected(plot);
        const reason = reasonOf(latest.current.view, plot);
        if (reason) latest.current.onWhyNot?.(reason, t(reason));
      },
      inspect: setInspected,
      focus: (/** @type {number} */ plot) => {
        onFocus(plot);
        setInspected(plot);
      },
      blur: () => {
        onBlur();
        setInspected(null);
      },
      move: (/** @type {KeyboardEvent} */ event, /** @type {number} */ plot) => {
        const now = latest.current.view.play.game;
        moveOnBoard(event, plot, {
          neighbour: (from, arrow) => neighbourPlot(now, from, arrow) ?? from,
          open: latest.current.open ?? [],
          order: plotOrder(now),
          focusOn: (to) => /** @type {HTMLElement | null | undefined} */ (map.current?.querySelector(`[data-plot="${to}"]`))?.focus(),
        });
      },
    }),
    [],
  );
  const names = seatNames(view);
  const town = (
    <div ref={map} class={`town grid-${grid[0]}`} style={{ "--columns": grid[0], "--rows": grid[1] }}>
      {/* The rows own their cells, which are drawn block by block. */}
      <div class="hidden-visually" role="grid" aria-label={t("builders.city")} aria-describedby={`${id}-hint`}>
        {plotRows(game).map((plots, row) => (
          <div key={row} role="row" aria-owns={plots.map((plot) => `${id}-${plot}`).join(" ")} />
        ))}
      </div>
      <p class="hidden-visually" id={`${id}-hint`}>
        {t("reader.grid")}
      </p>
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
          {Array.from({ length: CARD_PLOTS }, (_, position) => {
            const plot = place * CARD_PLOTS + position;
            const canPick = open?.includes(plot) ?? false;
            return (
              <Plot
                key={position}
                id={`${id}-${plot}`}
                plot={plot}
                cards={cards}
                owner={game.city.owners[plot]}
                later={(shown ?? game).city.owners[plot]}
                hasRubble={game.city.rubble.includes(plot)}
                keepsRubble={(shown ?? game).city.rubble.includes(plot)}
                rubbleCost={game.costs.rubble}
                names={names}
                canPick={canPick}
                isChosen={chosen === plot}
                isInReach={reach?.includes(plot) ?? false}
                isHighlighted={highlighted?.includes(plot) ?? false}
                why={canPick ? "" : whyNot(view, plot)}
                isTabStop={plot === stop}
                handlers={handlers}
              />
            );
          })}
        </div>
      ))}
      {/* The decision bar explains plots that can be picked, so they need no callout. */}
      {inspected !== null && !open?.includes(inspected) && <PlotCallout view={view} plot={inspected} />}
    </div>
  );
  const canZoom = layout.value === "phone" || layout.value === "side";
  return canZoom ? <ZoomArea class="town-frame">{town}</ZoomArea> : <div class="town-frame">{town}</div>;
}

/** Return the key of the text that says why a plot cannot be built on while the viewer builds; null elsewhere. @param {any} view @param {number} plot */
export function reasonOf(view, plot) {
  const { game, decision } = view.play;
  const isBuilding = (decision?.prompt ?? null) !== null && game.stage.name === "composing";
  if (!isBuilding || game.city.owners[plot] >= 0) return null;
  return game.stage.permits.length ? "builders.plot.not_with_these" : "builders.plot.permits_first";
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

/** Return why a plot cannot be picked while the viewer builds; "" otherwise. @param {any} view @param {number} plot */
function whyNot(view, plot) {
  const reason = reasonOf(view, plot);
  return reason ? t(reason) : "";
}

/**
 * @typedef {object} PlotProps
 * @property {string} id
 * @property {number} plot
 * @property {any[]} cards the cards of the city, which have the colours and numbers of the plots
 * @property {number} owner
 * @property {number} later the owner after the selected command
 * @property {boolean} hasRubble
 * @property {boolean} keepsRubble the same after the selected command
 * @property {number} rubbleCost
 * @property {string} names the names of all seats, joined
 * @property {boolean} canPick
 * @property {boolean} isChosen
 * @property {boolean} isInReach
 * @property {boolean} isHighlighted
 * @property {string} why why it cannot be picked; may be empty
 * @property {boolean} isTabStop
 * @property {{view: () => any, pick: (plot: number) => void, explain: (plot: number) => void, inspect: (plot: number | null) => void, focus: (plot: number) => void, blur: () => void, move: (event: KeyboardEvent, plot: number) => void}} handlers
 *   never changes, so a plot renders again only when its own properties change
 */

const Plot = memo(function Plot(/** @type {PlotProps} */ { id, plot, owner, later, hasRubble, keepsRubble, canPick, isChosen, isInReach, isHighlighted, why, isTabStop, handlers }) {
  const view = handlers.view();
  const { game } = view.play;
  const { colour, number } = plotOf(game, plot);
  const parts = descriptionOf(view, plot);
  if (canPick) parts.push(t("builders.plot.open"));
  const state = `${canPick ? "can" : ""} ${isChosen ? "chosen" : ""} ${isInReach ? "in-reach" : ""} ${isHighlighted ? "highlighted" : ""}`;
  const isFull = later >= 0 || hasRubble;
  return (
    <button
      type="button"
      class={`plot land-${colour} ${isFull ? "full" : ""} ${state}`}
      id={id}
      role="gridcell"
      data-plot={plot}
      data-pick={canPick ? "plot" : undefined}
      aria-label={asSentences([...parts, why])}
      aria-selected={canPick ? isChosen : undefined}
      tabindex={isTabStop ? 0 : -1}
      onKeyDown={(event) => handlers.move(event, plot)}
      onClick={() => (canPick ? handlers.pick(plot) : handlers.explain(plot))}
      onMouseEnter={() => handlers.inspect(plot)}
      onMouseLeave={() => handlers.inspect(null)}
      onFocus={() => handlers.focus(plot)}
      onBlur={handlers.blur}
    >
      <Plate number={number} />
      {hasRubble && owner < 0 && <Symbol name="rubble" width={48} class={`on-plot ${keepsRubble ? "" : "leaving"}`} />}
      {later >= 0 && <Symbol key={later} name={`house-${SEAT_COLOURS[later]}`} width={48} class={`on-plot house ${owner < 0 ? "coming" : ""}`} />}
    </button>
  );
});

/** The description of a plot, placed where it does not cover the plot's block. @param {{view: any, plot: number}} props */
function PlotCallout({ view, plot }) {
  const { game } = view.play;
  const [columns, rows] = game.city.grid;
  const block = Math.floor(plot / CARD_PLOTS);
  const [column, row] = [block % columns, Math.floor(block / columns)];
  const [title, ...rest] = descriptionOf(view, plot);
  const left = `${((column + 0.5) / columns) * 100}%`;
  /** @type {Record<string, string>} */
  const place = row < rows / 2 ? { left, top: `${((row + 1) / rows) * 100}%` } : { left, bottom: `${(1 - row / rows) * 100}%` };
  return (
    <Callout place={place} side={column === 0 ? "start" : column === columns - 1 ? "end" : "middle"}>
      <strong>{title}</strong>
      <p>
        {rest.join(". ")} {whyNot(view, plot)}
      </p>
    </Callout>
  );
}

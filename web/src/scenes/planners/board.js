// The middle of the table: the projects above, and below them a large city: the viewer's own, or another seat's.

import { signal } from "@preact/signals";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { t } from "../../catalogue/index.js";
import { previewOf } from "../../parts/use-preview.js";
import { Icon } from "../../parts/art.js";
import { nameOf } from "../../parts/names.js";
import { layout } from "../../parts/layout.js";
import { narrow } from "../../parts/narrow.js";
import { onEscape } from "../../parts/on-escape.js";
import { choose, sayWhyNot, selectionOf, send } from "../../parts/selection.js";
import { changesOf } from "./changes.js";
import { City } from "./city.js";
import { Market } from "./market.js";
import { ScoreBoard } from "./standings.js";
import { interactionOf } from "./interaction.js";
import { hasStandings } from "./ranks.js";

/** @typedef {import("../../store.js").TableModel} TableModel */

/** The size in pixels below which a city shows small cards. */
const MIN_FULL_CARDS_WIDTH = 690;
const MIN_FULL_CARDS_HEIGHT = 300;
/** The height in pixels below which the rows of a city are too low for a line per seat. */
const MIN_LIST_HEIGHT = 420;

/** The seat whose city the viewer asked to see. @type {WeakMap<TableModel, import("@preact/signals").Signal<number | null>>} */
const shownCities = new WeakMap();

/** @param {TableModel} model */
function shownCityOf(model) {
  let shown = shownCities.get(model);
  if (!shown) {
    shown = signal(/** @type {number | null} */ (null));
    shownCities.set(model, shown);
  }
  return shown;
}

/** Show the city of a seat; null shows the viewer's own. @param {TableModel} model @param {number | null} seat */
export function showCity(model, seat) {
  shownCityOf(model).value = seat;
}

/**
 * Select this, or confirm it if it is selected already. Selecting shows the viewer's own city.
 * @param {TableModel} model @param {import("./interaction.js").Interaction} interaction @param {Record<string, any>} selection @param {boolean} isSecond
 */
export function selectOrConfirm(model, interaction, selection, isSecond) {
  if (isSecond && interaction.command) send(model, interaction.command);
  else {
    showCity(model, null);
    choose(model, selection);
  }
}

/** Return the seat whose city is shown. @param {TableModel} model @param {{seat: number}[]} [highlighted] */
export function shownSeat(model, highlighted = []) {
  const view = model.gameView.value;
  const isPast = !view.play.decision;
  const spoken = highlighted.at(-1)?.seat ?? null;
  // The log shows the city that it highlights, but never while something is selected.
  if (!isPast && spoken !== null && !Object.keys(selectionOf(model)).length) return spoken;
  const requested = shownCityOf(model).value;
  if (requested !== null) return requested;
  // The replay shows the city in which something happens.
  return (isPast ? spoken : null) ?? view.mine ?? view.eyes ?? 0;
}

/** @param {{model: TableModel, highlighted: any}} props */
export function Board({ model, highlighted }) {
  const view = model.gameView.value;
  const interaction = interactionOf(view, selectionOf(model));
  const pick = (/** @type {Record<string, any>} */ selection, /** @type {boolean} */ isSecond) => selectOrConfirm(model, interaction, selection, isSecond);
  return (
    <div class="planners">
      <Market
        view={view}
        interaction={interaction}
        highlighted={highlighted?.columns}
        onColumn={(column) => pick({ column }, interaction.column === column)}
        onDeck={() => pick({ deck: true }, interaction.isDeckChosen)}
        onWhyNot={(reason, sentence) => sayWhyNot(model, reason, sentence)}
      />
      <ShownCity model={model} interaction={interaction} highlighted={highlighted?.spaces ?? []} onPick={pick} />
    </div>
  );
}

/**
 * @param {object} props
 * @param {TableModel} props.model
 * @param {import("./interaction.js").Interaction} props.interaction
 * @param {{seat: number, space: number}[]} props.highlighted
 * @param {(selection: Record<string, any>, isSecond: boolean) => void} props.onPick
 */
function ShownCity({ model, interaction, highlighted, onPick }) {
  const view = model.gameView.value;
  const game = view.play.game;
  const [room, isNarrow, isLow] = useSize();
  const [isTableOpen, setTableOpen] = useState(false);
  const seat = shownSeat(model, highlighted);
  const isMine = seat === view.mine;
  const after = isMine ? (previewOf(model, interaction.previewable)?.game ?? null) : null;
  const name = isMine ? t("planners.city.yours") : t("planners.city.of", { name: nameOf(view, seat) });
  const isShort = layout.value === "short";
  const isSmall = isNarrow && !isShort;
  // A phone and a low window show the standings behind a tab.
  const isBare = narrow.value || layout.value === "side";
  const isRanked = isShort || isLow;
  const hasRanks = hasStandings(after ?? game);
  const standings = isSmall ? "none" : !hasRanks ? "empty" : isRanked ? "ranks" : "list";
  const title = t(!hasRanks ? "planners.standings.none" : after ? "planners.standings.after" : "planners.standings.now");
  const hasTableBelow = isSmall && !isBare && hasRanks;
  const canOpenTable = standings === "ranks" || hasTableBelow;
  const opener = (
    <button type="button" class="quiet pl-standing-title" aria-expanded={isTableOpen} title={t("planners.standings.open")} onClick={() => setTableOpen(!isTableOpen)}>
      {title}
    </button>
  );
  return (
    <section class="pl-place" aria-label={name} onKeyDown={onEscape(() => setTableOpen(false), isTableOpen)}>
      {!(isBare && isMine) && (
        <header class="pl-caption small">
          <h2 class="pl-city-name">{name}</h2>
          {!isMine && view.mine !== null && view.play.decision && (
            <button type="button" class="quiet pl-back" onClick={() => showCity(model, null)}>
              <Icon name="previous" size={16} />
              {t("planners.city.back")}
            </button>
          )}
          {hasTableBelow && opener}
          {!isSmall && !canOpenTable && <span class="pl-standing-title">{title}</span>}
        </header>
      )}
      <div class="pl-room" ref={room}>
        <City
          view={view}
          seat={seat}
          after={after}
          changes={after && changesOf(game, after, seat)}
          interaction={isMine ? interaction : null}
          isSmall={isSmall}
          standings={standings}
          ranksTitle={opener}
          highlighted={highlighted}
          onPick={(space) => onPick(interaction.spaces.get(space) ?? {}, interaction.space === space)}
        />
      </div>
      {canOpenTable && isTableOpen && (
        <div class="pl-table card">
          <button type="button" class="quiet pl-table-close" aria-label={t("planners.standings.close")} onClick={() => setTableOpen(false)}>
            <Icon name="close" size={18} />
          </button>
          <h3>{title}</h3>
          <ScoreBoard view={view} after={after} />
        </div>
      )}
      {hasTableBelow && <ScoreBoard view={view} after={after} />}
    </section>
  );
}

/**
 * Return a ref for an element, whether it is too small for full cards, and whether it is too low for standings with
 * a line per seat.
 * @returns {[import("preact").RefObject<HTMLDivElement>, boolean, boolean]}
 */
function useSize() {
  /** @type {import("preact").RefObject<HTMLDivElement>} */
  const room = useRef(null);
  const [isNarrow, setNarrow] = useState(narrow.value);
  const [isLow, setLow] = useState(false);
  useLayoutEffect(() => {
    const element = room.current;
    if (!element) return undefined;
    const measure = () => {
      setNarrow(element.clientWidth < MIN_FULL_CARDS_WIDTH || element.clientHeight < MIN_FULL_CARDS_HEIGHT);
      setLow(element.clientHeight < MIN_LIST_HEIGHT);
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return [room, isNarrow, isLow];
}

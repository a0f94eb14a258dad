// The public counters of a seat: points, contracts, cable cars and skyscrapers, with a small picture of its city.

import { t } from "../../catalogue/index.js";
import { previewOf } from "../../parts/use-preview.js";
import { layout } from "../../parts/layout.js";
import { memo } from "../../parts/memo.js";
import { formatList, nameInSentence } from "../../parts/names.js";
import { narrow } from "../../parts/narrow.js";
import { selectionOf } from "../../parts/selection.js";
import { showCity, shownSeat } from "./board.js";
import { COLUMNS, DISTRICTS, NO_CARD, cardOf, columnOf, rowOf } from "./cards.js";
import { PlacedSymbol, Symbol } from "./card-face.js";
import { interactionOf } from "./interaction.js";
import { halvesText, rowName } from "./labels.js";
import { hasStandings, pointsNow } from "./ranks.js";

/** @typedef {import("../../store.js").TableModel} TableModel */

/** @param {{model: TableModel, seat: number}} props */
export function SeatStats({ model, seat }) {
  const view = model.gameView.value;
  const game = view.play.game;
  const own = game.seats[seat];
  const preview = previewOf(model, interactionOf(view, selectionOf(model)).previewable)?.game;
  const after = preview?.seats[seat];
  const [before, points] = [game, preview ?? game].map((each) => pointsNow(each, seat));
  const rows = DISTRICTS.flatMap((_, row) => (game.completed[row] === seat ? [row] : []));
  const stats = (
    <>
      {hasStandings(game) ? (
        <span class={`pl-points serif ${points === before ? "" : "changes"}`} title={t("planners.points.now")}>
          {halvesText(points)}
          {view.table.phase !== "over" && <span class="pl-now small muted">{t("planners.now")}</span>}
        </span>
      ) : (
        <span class="pl-points serif muted" title={t("planners.standings.none")}>
          –
        </span>
      )}
      <span class="pl-stats">
        <Count symbol="contract" count={own.contracts} then={after?.contracts} labelKey="planners.stats.contracts" />
        <Count symbol="car" count={own.cars.length} then={after?.cars.length} labelKey="planners.stats.cars" />
        <Count symbol="skyscraper" count={own.towers.length} then={after?.towers.length} labelKey="planners.stats.towers" />
        {rows.length > 0 && <Won symbol="hex" count={rows.length} label={t("planners.stats.row", { row: formatList(rows.map(rowName)) })} tone={DISTRICTS[rows[0]]} />}
        {own.point_tokens > 0 && <Won symbol="points" count={own.point_tokens} label={t("planners.stats.tokens", { count: own.point_tokens })} />}
        {game.medal === seat && <Won symbol="medal" label={t("planners.stats.medal")} />}
        {own.release && <Won symbol="release" label={t("planners.bonus.release")} />}
      </span>
    </>
  );
  const isShown = shownSeat(model) === seat;
  const open = () => showCity(model, seat === view.mine ? null : seat);
  const label = seat === view.mine ? t("planners.city.open.you") : t("planners.city.open", { name: nameInSentence(view, seat) });
  if (narrow.value || layout.value === "side") {
    return (
      <button type="button" class="plain pl-seat-stats" aria-pressed={isShown} onClick={open}>
        <span class="hidden-visually">{label}. </span>
        {stats}
        {!narrow.value && <MiniCity own={own} />}
      </button>
    );
  }
  return (
    <div class="pl-seat-stats">
      {stats}
      {seat !== view.mine && (
        <button type="button" class="plain pl-mini-open" aria-pressed={isShown} title={label} onClick={open}>
          <span class="hidden-visually">{label}</span>
          <MiniCity own={own} />
        </button>
      )}
    </div>
  );
}

/** @param {{symbol: string, count: number, then?: number, labelKey: string}} props */
function Count({ symbol, count, then = count, labelKey }) {
  return (
    <span class={`pl-count ${symbol} ${then === count ? "" : "changes"}`} title={t(labelKey, { count: then })}>
      <Symbol name={symbol} width={18} />
      <b aria-hidden="true">{then}</b>
      <span class="hidden-visually">{t(labelKey, { count: then })}</span>
    </span>
  );
}

/** A token that the seat has won, with their number if there are several. @param {{symbol: string, count?: number, label: string, tone?: string}} props */
function Won({ symbol, count = 1, label, tone = "" }) {
  return (
    <span class={`pl-count pl-won ${tone && `tone-${tone}`}`} title={label}>
      <Symbol name={symbol} width={18} />
      {count > 1 && <b aria-hidden="true">{count}</b>}
      <span class="hidden-visually">{label}</span>
    </span>
  );
}

const TILE = { width: 41, height: 18, gap: 2 };

/** Return the feature that a small card shows beside its value. @param {any} own @param {number} space */
function markAt(own, space) {
  if (own.towers.includes(space)) return "skyscraper";
  const { features } = cardOf(own.cards[space]);
  if (features.includes("square")) return "square";
  if (own.cars.includes(space)) return "car";
  return ["foundation", "depot", "seaside", "tracks", "compass"].find((feature) => features.includes(feature)) ?? null;
}

/** The city of a seat in small. */
const MiniCity = memo(function MiniCity(/** @type {{own: any}} */ { own }) {
  const [pitchX, pitchY] = [TILE.width + TILE.gap, TILE.height + TILE.gap];
  return (
    <svg class="pl-mini" viewBox={`0 0 ${COLUMNS * pitchX - TILE.gap} ${DISTRICTS.length * pitchY - TILE.gap}`} aria-hidden="true">
      {own.cards.map((/** @type {number} */ id, /** @type {number} */ space) => {
        const [x, y] = [columnOf(space) * pitchX, rowOf(space) * pitchY];
        if (id === NO_CARD) {
          return <rect key={space} class={`pl-mini-empty tone-${DISTRICTS[rowOf(space)]}`} x={x} y={y} width={TILE.width} height={TILE.height} rx="4" />;
        }
        const mark = markAt(own, space);
        return (
          <g key={space} class={`tone-${cardOf(id).district} ${own.values[space] >= 4 ? "lit" : ""}`}>
            <PlacedSymbol name={`band-${cardOf(id).district}`} x={x} y={y} width={TILE.width} height={TILE.height} />
            <circle class="disc" cx={x + 10} cy={y + 9} r="8" />
            <text class="disc-text" x={x + 10} y={y + 13.6} font-size="13">
              {own.values[space]}
            </text>
            {mark && (
              <>
                <rect class="disc" x={x + 20.5} y={y + 1} width="19" height="16" rx="3.5" />
                <PlacedSymbol name={mark} x={x + 22} y={y + 1} width={16} height={16} />
              </>
            )}
          </g>
        );
      })}
    </svg>
  );
});

// The development board and the money track with all markers, and the previewed position of the viewer's own.

import { t } from "../../catalogue/index.js";
import { Chip } from "../../parts/art.js";
import { nameOf } from "../../parts/names.js";
import { narrow } from "../../parts/narrow.js";
import { AllDisplays } from "./board.js";
import { COLUMN_BAR, MONEY_TRACK, ROW_BAR, fieldPoints } from "./game-data.js";
import { interactionOf } from "./interaction.js";
import { dollars, plain, signed } from "./labels.js";

/** @typedef {import("../../store.js").TableModel} TableModel */

/** @param {{model: TableModel}} props */
export function Aside({ model }) {
  const view = model.view.value;
  if (!view.play) return null;
  const after = interactionOf(model).preview?.game ?? null;
  return (
    <div class="builders-aside">
      <DevelopmentBoard view={view} after={after} />
      <MoneyTrack view={view} after={after} />
      {narrow.value && <AllDisplays model={model} />}
    </div>
  );
}

/** @param {number} points */
function tone(points) {
  return points < 0 ? "below" : points > 0 ? "above" : "even";
}

/** The markers on one field. @param {{seats: number[]}} props */
function Markers({ seats }) {
  return (
    <span class={`markers of-${seats.length}`}>
      {seats.map((seat) => (
        <Chip key={seat} seat={seat} size={20} />
      ))}
    </span>
  );
}

/** @param {{view: any, after: any}} props */
function DevelopmentBoard({ view, after }) {
  const { seats } = view.play.game;
  const at = (/** @type {number} */ column, /** @type {number} */ row, game = view.play.game) =>
    game.seats.flatMap((/** @type {any} */ { marker }, /** @type {number} */ seat) => (marker[0] === column && marker[1] === row ? [seat] : []));
  const goal = after && view.mine !== null && String(after.seats[view.mine].marker) !== String(seats[view.mine].marker) ? after.seats[view.mine].marker : null;
  const label = seats
    .map((/** @type {any} */ { marker: [column, row] }, /** @type {number} */ seat) =>
      t("builders.board.label", { name: nameOf(view, seat), column: column + 1, row: row + 1, points: signed(fieldPoints(column, row)) }),
    )
    .join(" ");
  return (
    <section class="panel-card" aria-label={t("builders.board")}>
      <header>
        <b>{t("builders.board")}</b>
        <span class="muted small">{t("builders.board.axes")}</span>
      </header>
      <div class="development-board" role="img" aria-label={label}>
        {ROW_BAR.map((_, index) => ROW_BAR.length - 1 - index).map((row) => (
          <>
            {COLUMN_BAR.map((_, column) => {
              const points = fieldPoints(column, row);
              const here = at(column, row);
              const isGoal = goal !== null && goal[0] === column && goal[1] === row;
              return (
                <span key={`${column}/${row}`} class={`field ${tone(points)} ${isGoal ? "aim" : ""}`}>
                  <b class="serif">{plain(points)}</b>
                  {here.length > 0 && <Markers seats={here} />}
                </span>
              );
            })}
            <span key={`bar${row}`} class="bar-number">
              {plain(ROW_BAR[row])}
            </span>
          </>
        ))}
        {COLUMN_BAR.map((points, column) => (
          <span key={`column${column}`} class="bar-number">
            {plain(points)}
          </span>
        ))}
      </div>
    </section>
  );
}

/** @param {{view: any, after: any}} props */
function MoneyTrack({ view, after }) {
  const { seats } = view.play.game;
  const later = after && view.mine !== null ? after.seats[view.mine].money : null;
  const aim = later !== null && later !== seats[view.mine].money ? later : null;
  const label = seats.map((/** @type {any} */ { money }, /** @type {number} */ seat) => t("builders.money.label", { name: nameOf(view, seat), amount: dollars(money), points: signed(MONEY_TRACK[money]) })).join(" ");
  return (
    <section class="panel-card" aria-label={t("builders.money")}>
      <header>
        <b>{t("builders.money")}</b>
        <span class="muted small">{t("builders.money.below")}</span>
      </header>
      <div class="money-track" role="img" aria-label={label}>
        {MONEY_TRACK.map((points, money) => {
          const here = seats.flatMap((/** @type {any} */ own, /** @type {number} */ seat) => (own.money === money ? [seat] : []));
          return (
            <span key={money} class={`coin-field ${tone(points)} ${aim === money ? "aim" : ""}`}>
              {here.length ? <Markers seats={here} /> : <b class="serif">{money}</b>}
              <span class="end-points">{signed(points)}</span>
            </span>
          );
        })}
      </div>
    </section>
  );
}

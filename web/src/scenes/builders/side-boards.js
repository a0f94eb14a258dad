// The boards beside the city: the development board and the money track with all markers, and the displays. On a phone
// they are behind a tab, together with the cards and belongings of every seat.

import { t } from "../../catalogue/index.js";
import { Chip } from "../../parts/art.js";
import { layout } from "../../parts/layout.js";
import { nameOf } from "../../parts/names.js";
import { ActionCard } from "./action-cards.js";
import { developmentBoard, fieldPoints, moneyPoints } from "./game-data.js";
import { GoalDisplay, PermitDisplay, Stock } from "./displays.js";
import { interactionOf } from "./interaction.js";
import { dollars, plain, signed } from "./labels.js";
import { isCompact } from "./layouts.js";
import { CARD_AREAS } from "./path.js";
import { Symbol } from "./pieces.js";
import { SeatStats } from "./seat-stats.js";
import { Calendar } from "./year-board.js";

/** @typedef {import("../../store.js").TableModel} TableModel */
/** @typedef {import("./interaction.js").Interaction} Interaction */

/** What stands behind a tab is only looked at: the decision bar has what can be picked. @type {Interaction} */
const NO_INTERACTION = { selection: {}, chosen: null, command: null, preview: null, endsTurn: false, pick: () => {}, finish: () => {} };

/** @param {{model: TableModel}} props */
export function Aside({ model }) {
  const view = model.gameView.value;
  if (!view.play) return null;
  const interaction = interactionOf(model);
  const after = interaction.preview?.game ?? null;
  const game = after ?? view.play.game;
  if (isCompact(layout.value)) return <AllBoards model={model} after={after} />;
  return (
    <div class="builders-aside">
      <DevelopmentBoard view={view} after={after} />
      <Stock view={view} game={game} interaction={interaction} />
      <MoneyTrack view={view} after={after} />
      <PermitDisplay view={view} interaction={interaction} />
      <GoalDisplay view={view} game={game} interaction={interaction} />
    </div>
  );
}

/** @param {{model: TableModel, after: any}} props */
function AllBoards({ model, after }) {
  const { play, ...rest } = model.gameView.value;
  // Without a prompt, nothing can be picked twice.
  const view = { ...rest, play: { ...play, decision: null } };
  const { game } = play;
  return (
    <div class="builders-aside all-boards">
      <DevelopmentBoard view={view} after={after} />
      <MoneyTrack view={view} after={after} />
      <Stock view={view} game={game} interaction={NO_INTERACTION} />
      <PermitDisplay view={view} interaction={NO_INTERACTION} />
      <GoalDisplay view={view} game={game} interaction={NO_INTERACTION} />
      {game.seats.map((/** @type {any} */ _, /** @type {number} */ seat) => (
        <section key={seat} class="panel-card whole-seat" aria-label={nameOf(view, seat)}>
          <header>
            <Chip seat={seat} size={22} />
            <b>{nameOf(view, seat)}</b>
          </header>
          <SeatStats model={model} seat={seat} />
        </section>
      ))}
      <div class="all-cards">
        {CARD_AREAS.map((area) => (
          <ActionCard key={area} view={view} game={game} area={area} interaction={NO_INTERACTION} />
        ))}
      </div>
      <section class="panel-card" aria-label={t("builders.years")}>
        <header>
          <b>{t("builders.years")}</b>
        </header>
        <Calendar year={game.year} />
      </section>
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
export function DevelopmentBoard({ view, after }) {
  const { game } = view.play;
  const { seats } = game;
  const { column_bar: columnBar, row_bar: rowBar } = developmentBoard(game);
  const at = (/** @type {number} */ column, /** @type {number} */ row) =>
    seats.flatMap((/** @type {any} */ { marker }, /** @type {number} */ seat) => (marker[0] === column && marker[1] === row ? [seat] : []));
  const goal = after && view.mine !== null && String(after.seats[view.mine].marker) !== String(seats[view.mine].marker) ? after.seats[view.mine].marker : null;
  const label = seats
    .map((/** @type {any} */ { marker: [column, row] }, /** @type {number} */ seat) =>
      t("builders.board.label", { name: nameOf(view, seat), column: column + 1, row: row + 1, points: signed(fieldPoints(game, column, row)) }),
    )
    .join(" ");
  return (
    <section class="panel-card development" aria-label={t("builders.board")}>
      <header>
        <b>{t("builders.board")}</b>
        <span class="axes muted" role="img" aria-label={t("builders.board.axes")} title={t("builders.board.axes")}>
          <Symbol name="clean_up" width={18} />↑ <Symbol name="develop" width={18} />→
        </span>
      </header>
      <div class="development-board" role="img" aria-label={label} style={{ "--columns": columnBar.length }}>
        {rowBar.map((_, index) => rowBar.length - 1 - index).map((row) => (
          <>
            {columnBar.map((_, column) => {
              const points = fieldPoints(game, column, row);
              const here = at(column, row);
              const isGoal = goal !== null && goal[0] === column && goal[1] === row;
              return (
                <span key={`${column}/${row}`} class={`field ${tone(points)} ${isGoal ? "aim" : ""}`}>
                  {here.length && !isGoal ? <Markers seats={here} /> : <b class="serif">{plain(points)}</b>}
                </span>
              );
            })}
            <span key={`bar${row}`} class="bar-number">
              {plain(rowBar[row])}
            </span>
          </>
        ))}
        {columnBar.map((points, column) => (
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
  const { game } = view.play;
  const { seats } = game;
  const track = moneyPoints(game);
  const later = after && view.mine !== null ? after.seats[view.mine].money : null;
  const aim = later !== null && later !== seats[view.mine].money ? later : null;
  const label = seats.map((/** @type {any} */ { money }, /** @type {number} */ seat) => t("builders.money.label", { name: nameOf(view, seat), amount: dollars(money), points: signed(track[money]) })).join(" ");
  return (
    <section class="panel-card money" aria-label={t("builders.money")}>
      <header>
        <b>{t("builders.money")}</b>
        <span class="muted">{t("builders.money.below")}</span>
      </header>
      <div class="money-track" role="img" aria-label={label}>
        {track.map((points, money) => {
          const here = seats.flatMap((/** @type {any} */ own, /** @type {number} */ seat) => (own.money === money ? [seat] : []));
          return (
            <span key={money} class={`coin-field ${tone(points)} ${aim === money ? "aim" : ""}`}>
              {here.length && aim !== money ? <Markers seats={here} /> : <b class="serif">{money}</b>}
              <span class="end-points">{signed(points)}</span>
            </span>
          );
        })}
      </div>
    </section>
  );
}

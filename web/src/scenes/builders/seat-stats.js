// The public counters of a seat: money, points, houses, permits, rubble, development cards and goals.

import { t } from "../../catalogue/index.js";
import { Icon, SEAT_COLOURS } from "../../parts/art.js";
import { Stat } from "../../parts/stat.js";
import { SYMBOLS } from "./game-data.js";
import { Houses, SmallPermit, Symbol } from "./pieces.js";
import { cardCount, pointsOf } from "./preview.js";
import { goalText, symbolText } from "./labels.js";

/** @param {{model: import("../../store.js").TableModel, seat: number}} props */
export function SeatStats({ model, seat }) {
  const view = model.gameView.value;
  const game = view.play?.game;
  if (!game) return null;
  const own = game.seats[seat];
  const isMine = seat === view.mine;
  const points = pointsOf(game, seat, view.mine);
  return (
    <div class="builders-stats">
      <div class="seat-numbers">
        <span class="seat-money">
          <Stat icon={null} count={own.money} labelKey="builders.stats.money" />
        </span>
        <span class={`seat-points ${points < 0 ? "negative" : ""}`}>
          <Stat icon={null} count={points} labelKey={isMine ? "builders.stats.points.you" : "builders.stats.points"} />
          <span class="points-unit" aria-hidden="true">
            {t("builders.stats.unit", { count: points })}
          </span>
        </span>
        <span class="house-count" aria-hidden="true">
          <Symbol name={`house-${SEAT_COLOURS[seat]}`} width={20} />
          {own.built}
        </span>
      </div>
      <div class="house-line">
        <Houses seat={seat} built={own.built} front={own.front} supply={own.supply} />
        <TurnNote game={game} seat={seat} />
      </div>
      <p class="house-text small muted">{t("builders.stats.houses", { built: own.built, front: own.front, supply: own.supply })}</p>
      <div class={`seat-cards ${isCrowded(own) ? "crowded" : ""}`}>
        <ul class="small-permits" aria-label={t("builders.permits")}>
          {own.permits.map((/** @type {number} */ permit) => (
            <SmallPermit key={permit} permit={permit} />
          ))}
          {!own.permits.length && <li class="small muted none">{t("builders.stats.no_permits")}</li>}
        </ul>
        <div class="belongings">
          <Belonging symbol="rubble" count={own.rubble} name={t("builders.rubble")} />
          {SYMBOLS.map((symbol) => (
            <Belonging key={symbol} symbol={symbol} count={cardCount(own, symbol)} name={symbolText(symbol)} />
          ))}
          <GoalsHeld goals={own.open_goals} hidden={own.hidden_goals} seats={game.seats.length} />
        </div>
      </div>
    </div>
  );
}

/** The most permits and other kinds of cards that stand in one line at full size. */
const MAX_IN_LINE = 8;

/** @param {any} own the seat in the view */
function isCrowded(own) {
  const kinds = [own.rubble, own.open_goals.length, own.hidden_goals, ...SYMBOLS.map((symbol) => cardCount(own, symbol))];
  // Without permits, a note in their place is about as wide as four.
  return (own.permits.length || 4) + kinds.filter((count) => count > 0).length > MAX_IN_LINE;
}

/** The place of a seat in the turn order of this area, or that it has acted. @param {{game: any, seat: number}} props */
function TurnNote({ game, seat }) {
  if (game.stage.name === "over") return null;
  const hasActed = game.acted.includes(seat);
  const place = t(`place.${game.order.indexOf(seat) + 1}`);
  const label = hasActed ? t("builders.stats.acted") : t("builders.stats.moves", { place });
  return (
    <span class={`turn-note small ${hasActed ? "acted" : "muted"}`} title={label}>
      <span aria-hidden="true">{hasActed ? <Icon name="check" size={16} /> : place}</span>
      <span class="hidden-visually">{label}</span>
    </span>
  );
}

/** @param {{symbol: string, count: number, name: string}} props */
function Belonging({ symbol, count, name }) {
  if (!count) return null;
  const label = `${count} × ${name}`;
  return (
    <span class="belonging" title={label}>
      <Symbol name={symbol} width={18} />
      <b aria-hidden="true">{count}</b>
      <span class="hidden-visually">{label}</span>
    </span>
  );
}

/** The open goals of a seat, and the number of its hidden ones. @param {{goals: string[], hidden: number, seats: number}} props */
function GoalsHeld({ goals, hidden, seats }) {
  const texts = goals.map((goal) => goalText(goal, seats)).join(" · ");
  const secret = t("builders.stats.hidden", { count: hidden });
  return (
    <>
      {goals.length > 0 && (
        <span class="belonging" title={texts}>
          <Symbol name="goal" width={18} />
          <b aria-hidden="true">{goals.length}</b>
          <span class="hidden-visually">{texts}</span>
        </span>
      )}
      {hidden > 0 && (
        <span class="belonging muted" title={secret}>
          <Icon name="hidden" size={15} />
          <b aria-hidden="true">{hidden}</b>
          <span class="hidden-visually">{secret}</span>
        </span>
      )}
    </>
  );
}

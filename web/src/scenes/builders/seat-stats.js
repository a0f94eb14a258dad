// The public counters of a seat: money, points, houses, permits, rubble, development cards and goals.

import { t } from "../../catalogue/index.js";
import { Icon } from "../../parts/art.js";
import { Stat } from "../../parts/stat.js";
import { BUILDINGS, SYMBOLS } from "./game-data.js";
import { GoalMark, Houses, SmallPermit, Symbol } from "./pieces.js";
import { cardCount, pointsOf } from "./preview.js";
import { goalText, symbolText } from "./labels.js";

/** @param {{model: import("../../store.js").TableModel, seat: number}} props */
export function SeatStats({ model, seat }) {
  const view = model.view.value;
  const game = view.play?.game;
  if (!game) return null;
  const own = game.seats[seat];
  const isMine = seat === view.mine;
  return (
    <div class="builders-stats">
      <div class="stats-line">
        <Stat icon={<Symbol name="income" width={20} />} count={own.money} labelKey="builders.stats.money" />
        <span class="house-count" aria-hidden="true">
          <Symbol name="buildings" width={16} />
          {own.built}/{BUILDINGS}
        </span>
        <TurnNote game={game} seat={seat} />
        <span class="points-now">
          <Stat icon={<Symbol name="goal" width={18} />} count={pointsOf(game, seat, view.mine)} labelKey={isMine ? "builders.stats.points.you" : "builders.stats.points"} />
        </span>
      </div>
      <Houses seat={seat} built={own.built} front={own.front} supply={own.supply} />
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
  );
}

/** The place of a seat in the turn order of this area, or that it has acted. @param {{game: any, seat: number}} props */
function TurnNote({ game, seat }) {
  if (game.stage.name === "over") return null;
  const hasActed = game.acted.includes(seat);
  const place = t(`place.${game.order.indexOf(seat) + 1}`);
  const label = hasActed ? t("builders.stats.acted") : t("builders.stats.moves", { place });
  return (
    <span class="turn-note small muted" title={label}>
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
      <Symbol name={symbol} width={20} />
      <b aria-hidden="true">{count}</b>
      <span class="hidden-visually">{label}</span>
    </span>
  );
}

/** The open goals of a seat, and the number of its hidden ones. @param {{goals: string[], hidden: number, seats: number}} props */
function GoalsHeld({ goals, hidden, seats }) {
  const secret = t("builders.stats.hidden", { count: hidden });
  return (
    <>
      {goals.map((goal) => (
        <span key={goal} class="belonging" title={goalText(goal, seats)}>
          <GoalMark goal={goal} width={20} />
          <span class="hidden-visually">{goalText(goal, seats)}</span>
        </span>
      ))}
      {hidden > 0 && (
        <span class="belonging" title={secret}>
          <Icon name="hidden" size={16} />
          <b aria-hidden="true">{hidden}</b>
          <span class="hidden-visually">{secret}</span>
        </span>
      )}
    </>
  );
}

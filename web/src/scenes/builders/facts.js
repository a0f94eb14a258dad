// What a seat has, for everybody to see: money, houses, permits, rubble, development cards, open goals, and points as of now.

import { t } from "../../catalogue/index.js";
import { Fact } from "../../parts/fact.js";
import { SYMBOLS } from "./box.js";
import { GoalMark, Houses, SmallPermit, Symbol } from "./pieces.js";
import { cardCount, pointsOf } from "./preview.js";
import { goalWords, symbolWords } from "./words.js";
import { Icon } from "../../parts/art.js";

/** @param {{model: import("../../store.js").TableModel, seat: number}} props */
export function SeatFacts({ model, seat }) {
  const view = model.view.value;
  const game = view.play?.game;
  if (!game) return null;
  const own = game.seats[seat];
  const isMine = seat === view.mine;
  return (
    <div class="builders-facts">
      <div class="facts-line">
        <Fact icon={<Symbol name="income" width={22} />} count={own.money} words="builders.facts.money" />
        <Houses seat={seat} built={own.built} front={own.front} supply={own.supply} />
        <span class="house-count" aria-hidden="true">
          {own.built}/8
        </span>
      </div>
      <ul class="small-permits" aria-label={t("builders.permits")}>
        {own.permits.map((/** @type {number} */ permit) => (
          <SmallPermit key={permit} permit={permit} />
        ))}
        {!own.permits.length && <li class="small muted none">{t("builders.facts.no_permits")}</li>}
      </ul>
      <div class="belongings">
        <Belonging symbol="rubble" count={own.rubble} words={t("builders.rubble")} />
        {SYMBOLS.map((symbol) => (
          <Belonging key={symbol} symbol={symbol} count={cardCount(own, symbol)} words={symbolWords(symbol)} />
        ))}
        <OpenGoals goals={own.open_goals} hidden={own.hidden_goals} seats={game.seats.length} />
        <span class="points-now" title={t(isMine ? "builders.facts.points.you" : "builders.facts.points")}>
          <Fact icon={null} count={pointsOf(game, seat, view.mine)} words={isMine ? "builders.facts.points.you" : "builders.facts.points"} />
        </span>
      </div>
    </div>
  );
}

/** @param {{symbol: string, count: number, words: string}} props */
function Belonging({ symbol, count, words }) {
  if (!count) return null;
  return (
    <span class="belonging" title={`${count} × ${words}`}>
      <Symbol name={symbol} width={20} />
      <b aria-hidden="true">{count}</b>
      <span class="hidden-visually">{`${count} × ${words}`}</span>
    </span>
  );
}

/** Goals that a seat has taken openly, and how many nobody else knows. @param {{goals: string[], hidden: number, seats: number}} props */
function OpenGoals({ goals, hidden, seats }) {
  return (
    <>
      {goals.map((goal) => (
        <span key={goal} class="belonging goal-taken" title={goalWords(goal, seats)}>
          <GoalMark goal={goal} width={20} />
          <span class="hidden-visually">{goalWords(goal, seats)}</span>
        </span>
      ))}
      {hidden > 0 && (
        <span class="belonging" title={t("builders.facts.hidden", { count: hidden })}>
          <Icon name="hidden" size={16} />
          <b aria-hidden="true">{hidden}</b>
          <span class="hidden-visually">{t("builders.facts.hidden", { count: hidden })}</span>
        </span>
      )}
    </>
  );
}

// The result: the points by source, the points of every goal, and the tie-breaker.

import { t } from "../../catalogue/index.js";
import { Chip } from "../../parts/art.js";
import { nameOf } from "../../parts/names.js";
import { Points, ranking } from "../../parts/points.js";
import { SYMBOLS } from "./game-data.js";
import { City } from "./city.js";
import { GoalMark, Symbol } from "./pieces.js";
import { goalText, plain, symbolText } from "./labels.js";

/** The sources of points in scoring order, each with its symbol. */
const PARTS = { common: "majority", goals: "goal", board: "develop", cards: "tram", best_builder: "best", money: "income" };

/** @param {{view: any}} props */
export function End({ view }) {
  const outcome = view.play?.outcome ?? null;
  if (!outcome) return null;
  const { game } = view.play;
  const columns = Object.entries(PARTS).map(([part, symbol]) => ({
    key: part,
    label: t(`builders.end.${part}`),
    head: <Symbol name={symbol} width={30} label={t(`builders.end.${part}`)} />,
    cell: (/** @type {number} */ seat) => plain(outcome.breakdown[seat][part]),
  }));
  const tie = {
    key: "built",
    label: t("builders.end.built"),
    cell: (/** @type {number} */ seat) => game.seats[seat].built,
  };
  const isShared = new Set(outcome.places).size < outcome.places.length;
  return (
    <>
      <p class="muted">{t(`builders.end.reason.${outcome.reason}`)}</p>
      <Points view={view} outcome={outcome} columns={columns} tie={outcome.tie_break ? tie : null} />
      {outcome.tie_break && (
        <p class="small">
          {t("builders.end.tie")} {isShared && t("builders.end.tie.still")}
        </p>
      )}
      <div class="final-seats">
        {ranking(outcome).map((seat) => (
          <FinalSeat key={seat} view={view} seat={seat} />
        ))}
      </div>
    </>
  );
}

/** The goals and kinds of development cards that a seat scored. @param {{view: any, seat: number}} props */
function FinalSeat({ view, seat }) {
  const { game } = view.play;
  const final = game.final[seat];
  const seats = game.seats.length;
  const cards = SYMBOLS.filter((symbol) => final.cards[symbol]);
  const goal = (/** @type {string} */ id, /** @type {number} */ points) => (
    <li key={id} class={points ? "" : "nothing"}>
      <GoalMark goal={id} width={24} />
      <span>
        {goalText(id, seats)}
        {final.hidden_goals.includes(id) && <WasHidden />}
      </span>
      <b class="serif">{plain(points)}</b>
    </li>
  );
  return (
    <section class="final-seat card">
      <h3>
        <Chip seat={seat} size={24} /> {nameOf(view, seat)}
      </h3>
      <h4 class="small muted">{t("builders.end.common")}</h4>
      <ul>{Object.entries(final.common).map(([id, points]) => goal(id, points))}</ul>
      <h4 class="small muted">{t("builders.end.goals")}</h4>
      <ul>{Object.entries(final.goals).map(([id, points]) => goal(id, points))}</ul>
      {cards.length > 0 && <h4 class="small muted">{t("builders.end.cards")}</h4>}
      <ul>
        {cards.map((symbol) => (
          <li key={symbol}>
            <Symbol name={symbol} width={24} />
            <span>{symbolText(symbol)}</span>
            <b class="serif">{plain(final.cards[symbol])}</b>
          </li>
        ))}
      </ul>
    </section>
  );
}

function WasHidden() {
  return <span class="was-hidden"> {t("builders.end.was_hidden")}</span>;
}

/** @param {{view: any}} props */
export function EndBoard({ view }) {
  return (
    <div class="builders-end-board">
      <City view={view} />
    </div>
  );
}

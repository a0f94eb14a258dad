// Builders read aloud: the position, and the standing.

import { t } from "../../catalogue/index.js";
import { nameOf } from "../../parts/names.js";
import { SYMBOLS, YEAR_BOARD, INCOME_SPACES } from "./game-data.js";
import { actionText, dollars, goalName, goalText, permitText, plain, symbolText } from "./labels.js";
import { cardCount, goalsOf, pointsOf } from "./preview.js";
import { currentSpaces } from "./turn.js";

/** Return a list under its label. @param {string} label @param {string[]} items */
function listed(label, items) {
  return t("reader.pair", { label, value: items.join("; ") || t("reader.none") });
}

/** Return what each pawn of the current card stands on. @param {any} view */
function pawns(view) {
  const { game } = view.play;
  const spaces = currentSpaces(game);
  return game.pawns.flatMap((/** @type {number[] | null} */ pawn, /** @type {number} */ seat) => {
    if (!pawn || pawn[0] !== game.area) return [];
    const where = game.area === YEAR_BOARD ? t("builders.income.space", { amount: dollars(INCOME_SPACES[pawn[1]]) }) : actionText(spaces[pawn[1]]);
    return [t("reader.pair", { label: nameOf(view, seat), value: where })];
  });
}

/** Return the current card, what is on display, and the viewer's own permits and goals. @param {any} view */
export function position(view) {
  const { game } = view.play;
  const seats = game.seats.length;
  const own = view.mine === null ? null : game.seats[view.mine];
  const goals = own ? goalsOf(game, view.mine, view.mine) : {};
  const card = game.area === YEAR_BOARD ? [] : [listed(t("builders.card", { number: game.area }), currentSpaces(game).map(actionText))];
  return [
    ...card,
    ...pawns(view),
    t("builders.year.cost", { amount: dollars(game.costs.build) }),
    listed(t("builders.permits"), game.permits.map(permitText)),
    listed(t("builders.goals.common"), game.goals.common.map((/** @type {string} */ goal) => goalText(goal, seats))),
    listed(t("builders.goals.display"), game.goals.display.map((/** @type {string} */ goal) => goalText(goal, seats))),
    ...(own
      ? [
          listed(t("seat.you"), [dollars(own.money), t("builders.stats.houses", { built: own.built, front: own.front, supply: own.supply })]),
          listed(t("builders.hand.permits"), own.permits.map(permitText)),
          listed(t("builders.hand.goals"), Object.entries(goals).map(([goal, points]) => `${goalName(goal)} ${plain(points)}`)),
        ]
      : []),
  ];
}

/** Return the seats with the most points first, and what each has. @param {any} view */
export function standing(view) {
  const { game } = view.play;
  const points = game.seats.map((/** @type {any} */ _, /** @type {number} */ seat) => pointsOf(game, seat, view.mine));
  const order = [...game.seats.keys()].sort((one, other) => points[other] - points[one]);
  return order.map((seat) => {
    const own = game.seats[seat];
    const cards = SYMBOLS.filter((symbol) => cardCount(own, symbol) > 0).map((symbol) => `${cardCount(own, symbol)} × ${symbolText(symbol)}`);
    const value = [
      t(seat === view.mine ? "builders.stats.points.you" : "builders.stats.points", { count: points[seat] }),
      dollars(own.money),
      t("builders.stats.houses", { built: own.built, front: own.front, supply: own.supply }),
      `${own.rubble} × ${t("builders.rubble")}`,
      ...cards,
    ];
    return listed(nameOf(view, seat), value);
  });
}

export const reading = { position, standing };

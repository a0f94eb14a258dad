// The sentences of Builders for the log: which text applies to an event, and what fills its placeholders.

import { t } from "../../catalogue/index.js";
import { sentencesFrom } from "../../parts/event-sentences.js";
import { capitalize, formatList, formatNames, nameInSentence } from "../../parts/names.js";
import { INCOME_SPACES, YEAR_BOARD, fieldPoints, spacesOf, yearOf } from "./game-data.js";
import { actionText, bonusText, dollars, goalName, permitShort, plotText, signed, symbolText } from "./labels.js";

/** "Bo: row and column; Cem: money" @param {string[][]} goals by seat @param {any} view */
function hiddenGoals(goals, view) {
  return goals
    .flatMap((own, seat) => (own.length ? [t("builders.hidden_goals_of", { name: nameInSentence(view, seat), goals: formatList(own.map(goalName)) })] : []))
    .join("; ");
}

/** An action on the own space is not worth a line, and taking a dollar has its own event. @param {any} event */
function actionVariant({ action, fee }) {
  if (action === "pass") return "pass";
  return action === "dollar" || !fee ? null : "";
}

export const sentence = sentencesFrom({
  prefix: "builders.log.",
  actor: (event) => event.seat ?? event.start_seat,
  variants: {
    pawn_placed: ({ area }) => (area === YEAR_BOARD ? "year" : ""),
    action_chosen: actionVariant,
    money_gained: ({ why }) => why,
    money_paid: ({ why }) => why,
    goal_drawn: ({ goal }) => (goal ? "known" : ""),
    goals_revealed: ({ goals }) => (goals.some((/** @type {string[]} */ own) => own.length) ? "" : null),
    game_ended: ({ reason }) => reason,
  },
  values: {
    income: ({ space }) => dollars(INCOME_SPACES[space]),
    space: ({ area, space }, _, game) => t(`builders.space.${spacesOf(game, area)[space].action}`),
    fee: ({ fee }) => dollars(fee),
    action: ({ action }) => actionText({ action }),
    year: ({ year }, _, game, context) => year ?? context?.section ?? game.year,
    bonus: ({ bonus }, _, game, context) => bonusText(yearOf(context?.section ?? game.year), bonus),
    amount: ({ amount }) => dollars(amount),
    permit: ({ permit }) => permitShort(permit),
    permits: ({ permits, cards }) => formatList((permits ?? cards).map(permitShort)),
    goal: ({ goal }) => goalName(goal),
    goals: ({ cards }) => formatList(cards.map(goalName)),
    revealed: ({ goals }, view) => hiddenGoals(goals, view),
    plot: ({ plot }, _, game) => plotText(game, plot),
    points: ({ column, row }, _, game) => signed(fieldPoints(game, column, row)),
    symbol: ({ symbol }) => symbolText(symbol),
    order: ({ order }, view) => capitalize(formatNames(view, order)),
    cost: ({ year }) => dollars(yearOf(year).build_cost),
  },
  counts: {
    permits_reshuffled: ({ cards }) => cards,
    permits_refilled: ({ cards }) => cards.length,
    goals_refilled: ({ cards }) => cards.length,
  },
  places: {
    plot: ({ plot }) => ({ plots: [plot] }),
    area: ({ area }) => ({ areas: [area] }),
  },
});

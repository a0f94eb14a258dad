// The texts of the decision bar: its title, its further sentence, and its main button.

import { language, t } from "../../catalogue/index.js";
import { capitalize, formatList } from "../../parts/names.js";
import { choicesOf, total } from "../../parts/prompt.js";
import { INCOME_SPACES, NO_PLOT, YEAR_BOARD, yearOf } from "./game-data.js";
import { priceOf } from "./preview.js";
import { actionOf, currentSpaces } from "./turn.js";
import { actionText, bonusText, dollars, goalName, permitShort, plotShort, symbolText } from "./labels.js";

/** @typedef {import("./interaction.js").Interaction} Interaction */
/** @typedef {{title: string, more?: string}} DecisionText */

/** @param {any} view @param {Interaction} interaction @returns {DecisionText} */
export function decisionText(view, interaction) {
  const { about } = view.play.decision;
  const text = TEXTS[about];
  return text ? text(view, interaction) : { title: t(`about.builders.${about}`) };
}

/** @type {Record<string, (view: any, interaction: Interaction) => DecisionText>} */
const TEXTS = {
  place_pawn: placing,
  act: acting,
  bonus: rewarding,
  choose_permit: (view) => ({ title: t("builders.decision.choose_permit"), more: t(view.play.game.stage.subsidised ? "builders.decision.subsidised" : "builders.decision.choose_permit.more") }),
  choose_plot: siting,
  take_card: gaining,
  confirm: () => ({ title: t("builders.decision.confirm"), more: t("builders.decision.confirm.more") }),
};

/** @param {any} view @param {Interaction} interaction @returns {DecisionText} */
function placing(view, { chosen }) {
  const { game } = view.play;
  const isYear = game.area === YEAR_BOARD;
  if (chosen?.space === undefined) {
    return isYear
      ? { title: t("builders.decision.income"), more: t("builders.decision.income.more", { year: game.year }) }
      : { title: t("builders.decision.place", { number: game.area }), more: t("builders.decision.place.more") };
  }
  const more = orderText(game, chosen.space);
  if (isYear) return { title: t("builders.decision.income.chosen", { amount: dollars(INCOME_SPACES[chosen.space]) }), more };
  return { title: t("builders.decision.place.chosen", { what: actionText(currentSpaces(game)[chosen.space]) }), more };
}

/** Return how many pawns on this card would move before yours on the next one, as a sentence. @param {any} game @param {number} space */
function orderText(game, space) {
  const before = game.pawns.filter((/** @type {number[] | null} */ pawn, /** @type {number} */ seat) => seat !== game.turn && pawn && pawn[0] === game.area && pawn[1] > space);
  return before.length ? t("builders.decision.order.behind", { count: before.length }) : t("builders.decision.order.first");
}

/** @param {any} view @param {Interaction} interaction @returns {DecisionText} */
function acting(view, { chosen }) {
  const { game } = view.play;
  if (!chosen) return { title: t("builders.decision.act"), more: t("builders.decision.act.more", { amount: dollars(game.costs.fee_per_step) }) };
  const action = actionOf(chosen.do) ?? "dollar";
  const space = currentSpaces(game).find((each) => each.action === action) ?? { action };
  return { title: capitalize(targetTitle(game, chosen) ?? actionText(space)), more: targetMore(game, chosen) ?? (choicesOf(view).length > 1 ? t("builders.decision.act.other") : undefined) };
}

/** Return a title that names the selected target, or null. @param {any} game @param {any} chosen */
function targetTitle(game, chosen) {
  if (chosen.permit !== undefined) return t("builders.decision.permit", { permit: permitShort(chosen.permit) });
  if (chosen.goal === "blind") return t("builders.decision.goal.blind");
  if (chosen.goal !== undefined) return t("builders.decision.goal", { goal: goalName(chosen.goal) });
  if (chosen.plot === NO_PLOT) return t("builders.decision.step");
  if (chosen.plot !== undefined) return t("builders.decision.clean_up", { plot: plotShort(game, chosen.plot) });
  return null;
}

/** Return what is still to be selected, or null. @param {any} game @param {any} chosen */
function targetMore(game, chosen) {
  if (chosen.do === "take_permit" && chosen.permit === undefined) return t("builders.decision.which_permit");
  if (chosen.do === "take_goal" && chosen.goal === undefined) return t("builders.decision.which_goal");
  if (chosen.do === "clean_up" && chosen.plot === undefined) return t("builders.decision.which_rubble", { amount: dollars(game.costs.clean_up), step: dollars(game.costs.step) });
  return null;
}

/** @param {any} view @param {Interaction} interaction @returns {DecisionText} */
function rewarding(view, { chosen }) {
  const { game } = view.play;
  const year = yearOf(game.year);
  const offered = choicesOf(view).map((choice) => bonusText(year, actionOf(choice.do) ?? ""));
  const more = t("builders.decision.bonus.more", { what: new Intl.ListFormat(language.value, { type: "disjunction" }).format(offered) });
  if (!chosen) return { title: t("builders.decision.bonus", { year: game.year }), more };
  const bonus = actionOf(chosen.do) ?? "";
  const text = bonus === "money" || bonus === "step" ? bonusText(year, bonus, true) : actionText({ action: bonus });
  return { title: capitalize(targetTitle(game, chosen) ?? text), more: targetMore(game, chosen) ?? more };
}

/** @param {any} view @param {Interaction} interaction @returns {DecisionText} */
function siting(view, { chosen }) {
  const { game } = view.play;
  const permits = formatList(game.stage.permits.map(permitShort));
  const canAdd = choicesOf(view).some((choice) => choice.do === "choose_permit");
  const canSite = choicesOf(view).some((choice) => choice.do === "choose_plot");
  if (chosen?.do === "choose_plot" && chosen.plot !== undefined) {
    return { title: t("builders.decision.site", { plot: plotShort(game, chosen.plot) }), more: t("builders.decision.site.with", { permits }) };
  }
  const key = canSite ? (canAdd ? "either" : "plot") : "permit";
  return { title: t(`builders.decision.choose_plot.${key}`), more: t("builders.decision.site.with", { permits }) };
}

/** @param {any} view @param {Interaction} interaction @returns {DecisionText} */
function gaining(view, { chosen }) {
  const symbol = chosen?.symbol;
  const title = symbol ? t("builders.decision.take_card", { symbol: symbolText(symbol) }) : t("builders.decision.decline");
  return { title, more: t("builders.decision.take_card.more") };
}

/** Return the text of the main button. @param {any} view @param {Interaction} interaction */
export function buttonText(view, { command, endsTurn }) {
  if (!command) return t("builders.do.choose");
  if (command.do === "confirm") return t("builders.do.confirm");
  if (command.do === "place_pawn") return view.play.game.area === YEAR_BOARD ? t("builders.do.income", { amount: dollars(INCOME_SPACES[command.space]) }) : t("builders.do.place_pawn");
  const sum = total(priceOf(view.play.game, command).map(({ amount }) => amount));
  if (command.do === "choose_plot") return t("builders.do.build", { amount: dollars(sum) });
  if (command.do === "build" || command.do === "build_subsidised") return t("builders.do.begin");
  if (sum) return t("builders.do.pay", { amount: dollars(sum) });
  return endsTurn ? t("builders.do.finish") : t("do.confirm");
}

// The tie-breaks of a category, as the server reports them in the standings.

import { t } from "../../catalogue/index.js";
import { capitalize, nameInSentence } from "../../parts/names.js";
import { columnOf } from "./cards.js";
import { rowName, spaceName } from "./labels.js";

/**
 * @typedef {object} Tie
 * @property {number} better the seat ahead
 * @property {number} worse the seat behind
 * @property {number} total of both
 * @property {"space" | "row" | "column" | "turn"} by
 * @property {number | null} at the space, row or column that decided
 * @property {[number, number]} values their values there
 */

/** @param {any} game @param {number} category @returns {Tie[]} */
export function tiesOf(game, category) {
  const ranking = game.standings[category];
  return ranking.flatMap((/** @type {any} */ { seat, total, tie }, /** @type {number} */ index) => {
    if (!tie) return [];
    const better = ranking[index - 1].seat;
    const at = tie[tie.by] ?? null;
    return [{ better, worse: seat, total, by: tie.by, at, values: [better, seat].map((each) => valueAt(game, each, tie.by, at)) }];
  });
}

/** @param {any} game @param {number} seat @param {string} by @param {number | null} at */
function valueAt(game, seat, by, at) {
  const own = game.seats[seat];
  if (at === null) return 0;
  if (by === "row") return own.totals[at];
  return by === "space" ? own.values[at] : own.cars.filter((/** @type {number} */ space) => columnOf(space) === at).length;
}

/** @param {any} view @param {Tie} tie */
export function tieText(view, { better, worse, total, by, at, values }) {
  const [one, other] = values;
  const names = { better: capitalize(nameInSentence(view, better)), worse: nameInSentence(view, worse), total };
  if (at === null) return t("planners.tie.turn", names);
  const where = by === "space" ? spaceName(at) : by === "row" ? t("planners.tie.row", { row: rowName(at) }) : t("planners.tie.column", { number: at + 1 });
  return t("planners.tie", { ...names, where, one, other });
}

// The effects of a command as short sentences with a symbol each.

import { t } from "../../catalogue/index.js";
import { DISTRICTS, ROWS } from "./cards.js";
import { categoryName } from "./standings.js";
import { placeText, rowName, spaceName } from "./labels.js";

/** @typedef {{symbol: string, tone?: string, text: string, short: string}} Effect the short text stands beside the symbol where a sentence has no room */

/** @param {any} before @param {any} after @param {import("./changes.js").Changes} changes @param {number} seat @returns {Effect[]} */
export function effectsOf(before, after, changes, seat) {
  const own = after.seats[seat];
  /** @type {Effect[]} */
  const effects = [];
  const add = (/** @type {string} */ symbol, /** @type {string} */ short, /** @type {string} */ key, values = {}, tone = "") =>
    effects.push({ symbol, tone, short, text: t(`planners.effect.${key}`, values) });
  for (const space of changes.towers) add("skyscraper", "+1", "tower", { space: spaceName(space) });
  if (changes.medal) add("medal", "+1", "medal");
  for (const row of changes.rows) add("hex", "+1", "row", { row: rowName(row) }, DISTRICTS[row]);
  if (changes.bonus !== null) {
    const bonus = after.bonus_of_row[changes.bonus];
    add("compass", t("planners.effect.bonus.short"), after.bonuses[bonus] ? "bonus" : "bonus.tracks", { row: rowName(changes.bonus), bonus: t(`planners.bonus.${bonus}`) });
  }
  if (changes.cars.length) add("car", `+${changes.cars.length}`, "cars", { count: changes.cars.length, total: own.cars.length });
  for (const { space, from, to } of changes.values) add("square", `${from} → ${to}`, "value", { space: spaceName(space), from, to }, "lit");
  if (changes.needed) add("seaside", `${changes.needed.from} → ${changes.needed.to}`, "needed", changes.needed);
  for (const { space, from, sum, needed } of changes.sites) {
    if (sum !== from) add("foundation", `${sum}/${needed}`, "site", { space: spaceName(space), sum, needed });
  }
  for (const { category, from, to } of changes.ranks) {
    const symbol = category < ROWS ? `emblem-${DISTRICTS[category]}` : "car";
    add(symbol, placeText(to), to < from ? "rises" : "falls", { place: placeText(to), category: categoryName(category) }, DISTRICTS[category]);
  }
  for (const { row, from, to } of changes.totals) add(`emblem-${DISTRICTS[row]}`, `${from} → ${to}`, "total", { row: rowName(row), from, to }, DISTRICTS[row]);
  const { contracts } = changes;
  if (contracts.from !== contracts.to) add("contract", `${contracts.from} → ${contracts.to}`, "contracts", contracts);
  if (own.release && !before.seats[seat].release) add("release", "+1", "release");
  return effects;
}

// What a command would do, in short sentences with a drawing each: what it connects, completes and scores.

import { t } from "../../catalogue/index.js";
import { DISTRICTS, ROWS } from "./cards.js";
import { categoryName } from "./standings.js";
import { placeWords, rowName, spaceName } from "./words.js";

/** @typedef {{symbol: string, tone?: string, text: string}} Effect */

/** @param {any} before @param {any} after @param {import("./changes.js").Changes} changes @param {number} seat @returns {Effect[]} */
export function effectsOf(before, after, changes, seat) {
  const own = after.seats[seat];
  /** @type {Effect[]} */
  const effects = [];
  const say = (/** @type {string} */ symbol, /** @type {string} */ key, values = {}, tone = "") =>
    effects.push({ symbol, tone, text: t(`planners.effect.${key}`, values) });
  for (const space of changes.towers) say("skyscraper", "tower", { space: spaceName(space) });
  if (changes.medal) say("medal", "medal");
  for (const row of changes.rows) say("hex", "row", { row: rowName(row) }, DISTRICTS[row]);
  if (changes.bonus !== null) {
    const bonus = after.bonus_of_row[changes.bonus];
    say("compass", after.bonuses[bonus] ? "bonus" : "bonus.tracks", { row: rowName(changes.bonus), bonus: t(`planners.bonus.${bonus}`) });
  }
  if (changes.cars.length) say("car", "cars", { count: changes.cars.length, total: own.cars.length });
  for (const { space, from, to } of changes.values) say("square", "value", { space: spaceName(space), from, to }, "lit");
  if (changes.needed) say("seaside", "needed", changes.needed);
  for (const { space, from, sum, needed } of changes.sites) {
    if (sum !== from) say("foundation", "site", { space: spaceName(space), sum, needed });
  }
  for (const { category, from, to } of changes.ranks) {
    const symbol = category < ROWS ? `emblem-${DISTRICTS[category]}` : "car";
    say(symbol, to < from ? "rises" : "falls", { place: placeWords(to), category: categoryName(category) }, DISTRICTS[category]);
  }
  for (const { row, from, to } of changes.totals) say(`emblem-${DISTRICTS[row]}`, "total", { row: rowName(row), from, to }, DISTRICTS[row]);
  const { contracts } = changes;
  if (contracts.from !== contracts.to) say("contract", "contracts", contracts);
  if (own.release && !before.seats[seat].release) say("release", "release");
  return effects;
}

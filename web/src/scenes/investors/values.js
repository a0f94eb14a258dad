// Numbers of the game, read from the data file of the rules.

import values from "../../../../server/games/investors/values.json";

/** @type {Record<string, number>} */
export const PRESTIGE = values.prestige;
export const BONUS = values.bonus_prestige;
export const SUBSIDY = values.subsidy;
export const REMOVAL = values.removal_subsidy;
/** The kinds of each option tile. @type {Record<string, string[]>} */
export const OPTION_TILES = values.option_tiles;
/** The years; each takes one action card. */
export const YEARS = Array.from({ length: values.years }, (_, index) => values.first_year + index);

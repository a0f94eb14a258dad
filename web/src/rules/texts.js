// The whole rules of each game in each language, made from RULES.md and its translations by web/rules.mjs. Only the text
// that is shown is fetched.

import { language } from "../catalogue/index.js";
import { lazy } from "../parts/lazy.js";

/**
 * A piece of a rule: plain text, the mark of a ruling, the name of an option, or the number of another rule.
 * @typedef {string | {ruling: true} | {option: string} | {rule: string}} Piece
 */
/** A paragraph, or a table whose first row has the headings. @typedef {{text: Piece[]} | {rows: string[][]}} Block */
/** @typedef {{number: string, blocks: Block[]}} Rule */
/** @typedef {{number: string, title: string, rules: Rule[]}} Chapter */
/** @typedef {{title: string, source: string, chapters: Chapter[]}} Rules `source` says whose game it is */

/** @type {Record<string, Record<string, () => Promise<{default: Rules}>>>} */
export const RULES = {
  investors: {
    en: () => import("rules:investors/en"),
    de: () => import("rules:investors/de"),
    it: () => import("rules:investors/it"),
    pl: () => import("rules:investors/pl"),
  },
  planners: {
    en: () => import("rules:planners/en"),
    de: () => import("rules:planners/de"),
    it: () => import("rules:planners/it"),
    pl: () => import("rules:planners/pl"),
  },
  builders: {
    en: () => import("rules:builders/en"),
    de: () => import("rules:builders/de"),
    it: () => import("rules:builders/it"),
    pl: () => import("rules:builders/pl"),
  },
};

/** Return the rules of a game in the chosen language; null while they are fetched. @param {string} game @returns {Rules | null} */
export function rulesOf(game) {
  return lazy(RULES[game][language.value])?.default ?? null;
}

// The catalogue of texts. Each language is one module of keys, and one more per game, which loads with the game's
// scene. A text may contain {placeholders}, and a singular and a plural form chosen by {count}: "one stick|{count}
// sticks". A test checks that every language has every key.

import { signal } from "@preact/signals";
import { de } from "./de.js";
import { en } from "./en.js";

/** @type {Record<string, Record<string, string>>} */
export const languages = { en, de };
/** Add the texts of a game to each language. @param {Record<string, Record<string, string>>} texts by language */
export function addTexts(texts) {
  for (const code of Object.keys(texts)) Object.assign(languages[code], texts[code]);
}

export const languageNames = { en: "English", de: "Deutsch" };

const stored = globalThis.localStorage?.getItem("language");
const preferred = globalThis.navigator?.language?.slice(0, 2);
export const language = signal([stored, preferred].find((code) => code && code in languages) ?? "en");

/** @param {string} code */
export function setLanguage(code) {
  language.value = code;
  globalThis.localStorage?.setItem("language", code);
  if (globalThis.document) document.documentElement.lang = code;
}

/**
 * Return the text of a key in the chosen language.
 * @param {string} key
 * @param {Record<string, string | number>} [values]
 */
export function t(key, values = {}) {
  return interpolate(textOf(key) ?? key, values);
}

/** @param {string} key */
function textOf(key) {
  return languages[language.value][key] ?? en[/** @type {keyof en} */ (key)];
}

/** Return whether the catalogue has a text for a key. @param {string} key */
export function hasText(key) {
  return textOf(key) !== undefined;
}

/** Return the names of the placeholders in the text of a key, each once. @param {string} key */
export function placeholdersOf(key) {
  return [...new Set([...textOf(key).matchAll(/\{(\w+)\}/g)].map(([, name]) => name))];
}

/** Return a value as text; a negative number gets a minus sign, not a hyphen. @param {string | number} value */
export function valueText(value) {
  return typeof value === "number" && value < 0 ? `−${-value}` : String(value);
}

/** @param {string} text @param {Record<string, string | number>} values */
export function interpolate(text, values) {
  const [one, many] = text.split("|");
  const form = many !== undefined && values.count !== 1 ? many : one;
  return form.replace(/\{(\w+)\}/g, (whole, name) => (name in values ? valueText(values[name]) : whole));
}

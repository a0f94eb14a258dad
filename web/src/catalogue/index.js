// All words of the page. A language is one module of keys, and one more for each game, which comes with its scene; a text may have {names} that are interpolate in, and forms for
// one and for many, chosen by {count}: "one stick|{count} sticks". A key that a language lacks is a bug that a test finds.

import { signal } from "@preact/signals";
import { de } from "./de.js";
import { en } from "./en.js";

/** @type {Record<string, Record<string, string>>} */
export const languages = { en, de };
/** Take in the texts of a game. @param {Record<string, Record<string, string>>} words by language */
export function addTexts(words) {
  for (const code of Object.keys(words)) Object.assign(languages[code], words[code]);
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
 * Give the text of a key in the chosen language.
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

/** @param {string} text @param {Record<string, string | number>} values */
export function interpolate(text, values) {
  const [one, many] = text.split("|");
  const form = many !== undefined && values.count !== 1 ? many : one;
  return form.replace(/\{(\w+)\}/g, (whole, name) => (name in values ? String(values[name]) : whole));
}

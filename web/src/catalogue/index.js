// The catalogue of texts: a JSON file for each language and area, in which translators work (docs/translating.md). Only
// files of the chosen language are fetched: that of the area "page" before anything is drawn, that of another area
// together with the code that shows it (`withTexts`), and those of all areas in use when another language is chosen.
//
// A text may contain {placeholders}. A text that depends on {count} has a form for each plural category of its language.

import { signal } from "@preact/signals";
import { deviceStorage } from "../storage.js";

/** A text, or its forms by plural category. @typedef {string | Record<string, string>} Text */

/** The languages, each in its own words. */
export const languageNames = { en: "English", de: "Deutsch", it: "Italiano", pl: "Polski" };

const stored = deviceStorage.get("language");
const preferred = (globalThis.navigator?.languages ?? []).map((tag) => tag.slice(0, 2));
export const language = signal([stored, ...preferred].find((code) => code && code in languageNames) ?? "en");

/** Return whether somebody has chosen a language on this device. */
export const isLanguageChosen = () => deviceStorage.get("language") !== null;

/** The language that was chosen last; its texts may still be on their way. */
let wanted = language.value;
export const wantedLanguage = () => wanted;

/** The texts of the areas that are in use, by key, of each language that was chosen. @type {Map<string, Record<string, Text>>} */
const texts = new Map();

/** @type {Set<string>} */
const areas = new Set();

/** The languages and areas that are fetched, or being fetched. @type {Map<string, Promise<void>>} */
const fetched = new Map();

/** Fetch the texts of an area in a language, once. @param {string} code @param {string} area */
export function fetchArea(code, area) {
  const name = `${code}/${area}`;
  const known = fetched.get(name);
  if (known) return known;
  const fetching = import(`./${code}/${area}.json`).then(
    ({ default: found }) => addTexts(code, found),
    (error) => {
      fetched.delete(name);
      throw error;
    },
  );
  fetched.set(name, fetching);
  return fetching;
}

/** Add texts to a language. @param {string} code @param {Record<string, Text>} added */
export function addTexts(code, added) {
  texts.set(code, { ...texts.get(code), ...added });
}

/** Add the texts of an area, in the chosen language. @param {string} area */
export async function addArea(area) {
  areas.add(area);
  // The language may have changed while its texts were on their way.
  for (let code = ""; code !== language.value; ) {
    code = language.value;
    await fetchArea(code, area);
  }
}

/**
 * Return a function that fetches a module together with the texts that it shows.
 * @template T @param {() => Promise<T>} load @param {...string} named the areas of the texts
 */
export function withTexts(load, ...named) {
  return async () => {
    const [module] = await Promise.all([load(), ...named.map(addArea)]);
    return module;
  };
}

/** Choose a language, once its texts are there. If they cannot be fetched, the language stays. @param {string} code */
export async function setLanguage(code) {
  if (!(code in languageNames)) return;
  wanted = code;
  // A page that is opened meanwhile may add an area.
  for (let count = -1; count !== areas.size; ) {
    count = areas.size;
    await Promise.all([...areas].map((area) => fetchArea(code, area)));
  }
  if (wanted !== code) return;
  language.value = code;
  deviceStorage.set("language", code);
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
  return texts.get(language.value)?.[key];
}

/** Return whether the catalogue has a text for a key. @param {string} key */
export function hasText(key) {
  return textOf(key) !== undefined;
}

/** Return the keys of all texts that are there, in their order. */
export function keys() {
  return Object.keys(texts.get(language.value) ?? {});
}

/** Return the names of the placeholders in the text of a key, each once. @param {string} key */
export function placeholdersOf(key) {
  const text = textOf(key) ?? "";
  const forms = typeof text === "string" ? text : Object.values(text).join();
  return [...new Set([...forms.matchAll(/\{(\w+)\}/g)].map(([, name]) => name))];
}

/** Return a value as text; a negative number gets a minus sign, not a hyphen. @param {string | number} value */
export function valueText(value) {
  return typeof value === "number" && value < 0 ? `−${-value}` : String(value);
}

/** @type {Map<string, Intl.PluralRules>} */
const rules = new Map();

/** Return the plural category of a number in a language. @param {number} count @param {string} code */
function pluralCategory(count, code) {
  let rule = rules.get(code);
  if (!rule) rules.set(code, (rule = new Intl.PluralRules(code)));
  return rule.select(Math.abs(count));
}

/**
 * Return a text with its values, in the form for their count.
 * @param {Text} text @param {Record<string, string | number>} values @param {string} [code] of the language
 */
export function interpolate(text, values, code = language.value) {
  const form = typeof text === "string" ? text : (text[pluralCategory(Number(values.count), code)] ?? text.other);
  return form.replace(/\{(\w+)\}/g, (whole, name) => (name in values ? valueText(values[name]) : whole));
}

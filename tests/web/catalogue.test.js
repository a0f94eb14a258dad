// Every language has the texts of English, with the same placeholders and plural forms.

import assert from "node:assert/strict";
import { test } from "node:test";

import { addTexts, interpolate, languageNames, languages } from "../../web/src/catalogue/index.js";
import { deBuilders } from "../../web/src/catalogue/de-builders.js";
import { deInvestors } from "../../web/src/catalogue/de-investors.js";
import { dePlanners } from "../../web/src/catalogue/de-planners.js";
import { enBuilders } from "../../web/src/catalogue/en-builders.js";
import { enInvestors } from "../../web/src/catalogue/en-investors.js";
import { enPlanners } from "../../web/src/catalogue/en-planners.js";
import { deWaiting } from "../../web/src/catalogue/de-waiting.js";
import { enWaiting } from "../../web/src/catalogue/en-waiting.js";

/** The texts of each game. @type {Record<string, Record<string, Record<string, string>>>} */
const games = {
  investors: { en: enInvestors, de: deInvestors },
  planners: { en: enPlanners, de: dePlanners },
  builders: { en: enBuilders, de: deBuilders },
  "waiting room": { en: enWaiting, de: deWaiting },
};

test("no game redefines a key of the page or of another game", () => {
  const taken = new Set(Object.keys(languages.en));
  for (const [game, { en }] of Object.entries(games)) {
    assert.deepEqual(Object.keys(en).filter((key) => taken.has(key)), [], game);
    for (const key of Object.keys(en)) taken.add(key);
  }
  for (const texts of Object.values(games)) addTexts(texts);
});

const { en, ...others } = languages;

/** Return the names of the placeholders in a text, sorted. */
function placeholders(text) {
  return [...new Set([...text.matchAll(/\{(\w+)\}/g)].map(([, name]) => name))].sort();
}

/** Return the placeholders of each form. The singular may spell out its number, so its count is left out. */
function shape(text) {
  const forms = text.split("|");
  return forms.map((form, index) => placeholders(form).filter((name) => !(forms.length > 1 && index === 0 && name === "count")));
}

test("every language has a name", () => {
  assert.deepEqual(Object.keys(languageNames).sort(), Object.keys(languages).sort());
});

for (const [code, texts] of Object.entries(others)) {
  test(`${code} has exactly the keys of English`, () => {
    assert.deepEqual(Object.keys(texts).filter((key) => !(key in en)), [], "keys that English lacks");
    assert.deepEqual(Object.keys(en).filter((key) => !(key in texts)), [], "keys that are missing");
  });

  test(`${code} has the same placeholders and plural forms as English`, () => {
    for (const key of Object.keys(en)) assert.deepEqual(shape(texts[key]), shape(en[key]), `${key}: ${texts[key]}`);
  });
}

for (const [code, texts] of Object.entries(languages)) {
  test(`${code} has well-formed texts`, () => {
    for (const [key, text] of Object.entries(texts)) {
      assert.ok(text.trim() === text && text !== "", `${key} is empty or has white space around it`);
      assert.ok(text.split("|").length <= 2, `${key} has more than two forms`);
      assert.doesNotMatch(text.replace(/\{\w+\}/g, ""), /[{}]/, `${key} has a brace outside of a placeholder`);
      assert.doesNotMatch(text, / {2}/, `${key} has two spaces in a row`);
    }
  });
}

test("German keeps the order of English within each game", () => {
  for (const { en, de } of Object.values(games)) assert.deepEqual(Object.keys(de), Object.keys(en));
});

test("the count chooses between singular and plural", () => {
  assert.equal(interpolate("one stick|{count} sticks", { count: 1 }), "one stick");
  assert.equal(interpolate("one stick|{count} sticks", { count: 0 }), "0 sticks");
  assert.equal(interpolate("{name} has {count}", { name: "Ada", count: 1 }), "Ada has 1");
});

test("a negative number gets a minus sign, not a hyphen", () => {
  assert.equal(interpolate("{count} points for {name}", { count: -6, name: "Jean-Luc" }), "−6 points for Jean-Luc");
});

// Every language has the texts of English, with the same placeholders and the plural forms that it needs.

import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";

import { AREAS } from "./all-texts.js";
import { addTexts, interpolate, language, languageNames, placeholdersOf, t } from "../../web/src/catalogue/index.js";

const FOLDER = new URL("src/catalogue/", `file://${process.cwd()}/`);

/** Return the texts of one file. */
function textsOf(code, area) {
  return JSON.parse(readFileSync(new URL(`${code}/${area}.json`, FOLDER), "utf8"));
}

/** Return the forms of a text: itself, or one for each plural category. */
function formsOf(text) {
  return typeof text === "string" ? { "": text } : text;
}

/** Return the names of the placeholders in a text, sorted. */
function placeholders(text) {
  return [...new Set([...text.matchAll(/\{(\w+)\}/g)].map(([, name]) => name))].sort();
}

/** Return the placeholders that a text must have, besides the number that chooses its form. */
function needed(text) {
  return placeholders(typeof text === "string" ? text : text.other).filter((name) => name !== "count");
}

/** Return the plural categories that whole numbers have in a language; those of millions are not needed here. */
function categories(code) {
  const rules = new Intl.PluralRules(code);
  return [...new Set(Array.from({ length: 1000 }, (_, count) => rules.select(count)))].concat("other").filter((each, index, all) => all.indexOf(each) === index).sort();
}

test("every language has a file for every area, and no other", () => {
  for (const code of Object.keys(languageNames)) {
    assert.deepEqual(readdirSync(new URL(`${code}/`, FOLDER)).sort(), AREAS.map((area) => `${area}.json`).sort(), code);
  }
});

test("no key is in two areas", () => {
  const taken = new Map();
  for (const area of AREAS) {
    for (const key of Object.keys(textsOf("en", area))) {
      assert.ok(!taken.has(key), `${key} is in ${taken.get(key)} and ${area}`);
      taken.set(key, area);
    }
  }
});

for (const code of Object.keys(languageNames)) {
  test(`${code} has exactly the keys of English, in their order`, () => {
    for (const area of AREAS) assert.deepEqual(Object.keys(textsOf(code, area)), Object.keys(textsOf("en", area)), area);
  });

  test(`${code} has the placeholders of English and all plural forms of its own`, () => {
    for (const area of AREAS) {
      const english = textsOf("en", area);
      for (const [key, text] of Object.entries(textsOf(code, area))) {
        assert.deepEqual(needed(text), needed(english[key]), `${key}: ${JSON.stringify(text)}`);
        for (const [form, each] of Object.entries(formsOf(text))) {
          // The form for one may spell out what it counts.
          const unknown = placeholders(each).filter((name) => name !== "count" && !needed(text).includes(name));
          assert.deepEqual(unknown, [], `${key} (${form})`);
        }
        if (typeof text !== "string") assert.deepEqual(Object.keys(text).sort(), categories(code), `the forms of ${key}`);
        // A text without a number in English must not need one.
        if (typeof english[key] === "string" && !english[key].includes("{count}")) assert.equal(typeof text, "string", key);
      }
    }
  });

  test(`${code} has well-formed texts`, () => {
    for (const area of AREAS) {
      for (const [key, text] of Object.entries(textsOf(code, area))) {
        for (const form of Object.values(formsOf(text))) {
          assert.ok(form.trim() === form && form !== "", `${key} is empty or has white space around it`);
          assert.doesNotMatch(form.replace(/\{\w+\}/g, ""), /[{}|]/, `${key} has a brace or a bar outside of a placeholder`);
          assert.doesNotMatch(form, / {2}/, `${key} has two spaces in a row`);
        }
      }
    }
  });
}

test("the count chooses the form by the rules of the language", () => {
  const sticks = { one: "one stick", other: "{count} sticks" };
  assert.equal(interpolate(sticks, { count: 1 }, "en"), "one stick");
  assert.equal(interpolate(sticks, { count: 0 }, "en"), "0 sticks");
  assert.equal(interpolate("{name} has {count}", { name: "Ada", count: 1 }, "en"), "Ada has 1");
  const polish = { one: "{count} kij", few: "{count} kije", many: "{count} kijów", other: "{count} kija" };
  const found = [1, 2, 4, 5, 12, 22, 25, 1.5].map((count) => interpolate(polish, { count }, "pl"));
  assert.deepEqual(found, ["1 kij", "2 kije", "4 kije", "5 kijów", "12 kijów", "22 kije", "25 kijów", "1.5 kija"]);
});

test("the placeholders of a text are those of all its forms", () => {
  language.value = "en";
  addTexts("en", { "toy.sticks": { one: "one stick of {name}", other: "{count} sticks of {name}" } });
  assert.deepEqual(placeholdersOf("toy.sticks"), ["name", "count"]);
  assert.equal(t("toy.unknown"), "toy.unknown");
});

test("a negative number gets a minus sign, not a hyphen", () => {
  assert.equal(interpolate("{count} points for {name}", { count: -6, name: "Jean-Luc" }), "−6 points for Jean-Luc");
});

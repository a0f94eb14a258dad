// The rules to read: how they are parsed, that all languages have the same rules, and what refers to rules by number.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import "./all-texts.js";
import { parseRules } from "../../web/rules.mjs";
import { hasText, language, languageNames, t } from "../../web/src/catalogue/index.js";
import { OF_DECISIONS, LINKS, ruleOfDecision, ruleOfReason, ruleOfRefusal } from "../../web/src/rules/links.js";
import { RECONSTRUCTED, withValues } from "../../web/src/rules/rule-text.js";
import { folded, markedParts, searchRules, wordsOf } from "../../web/src/rules/search.js";
import { CARDS } from "../../web/src/rules/summary.js";
import { RULES } from "../../web/src/rules/texts.js";

const GAMES = Object.keys(RULES);
const FOLDER = new URL("src/rules/figures/", `file://${process.cwd()}/`);

const rulesIn = async (game, code) => (await RULES[game][code]()).default;
const allRules = ({ chapters }) => chapters.flatMap(({ rules }) => rules);
const piecesOf = ({ blocks }) => blocks.flatMap((block) => block.text ?? []);
const numbersOf = async (game) => new Set(allRules(await rulesIn(game, "en")).map(({ number }) => number));

const TEXT = `# A game: its rules

"A game" by Somebody (2000), for 2 players, in our own words. A value in \`code\` is an option.

## 1. First

1.1 Take 10.000 or 580,000 as in 2.1, see also 9.9. † Twice in
a row (\`twice\` often).

## 2. Second

2.1 A table:

| | one | two |
|---|---|---|
| first | 1 | −1 |

More of the same rule.
`;

test("a text is parsed into chapters, rules, rulings, options and references", () => {
  const { title, source, chapters } = parseRules(TEXT);
  assert.equal(title, "A game: its rules");
  assert.equal(source, '"A game" by Somebody (2000), for 2 players, in our own words.');
  assert.deepEqual(chapters.map(({ number, title: name }) => [number, name]), [["1", "First"], ["2", "Second"]]);
  assert.deepEqual(chapters[0].rules, [
    {
      number: "1.1",
      blocks: [{ text: ["Take 10.000 or 580,000 as in ", { rule: "2.1" }, ", see also 9.9. ", { ruling: true }, " Twice in a row (", { option: "twice" }, " often)."] }],
    },
  ]);
  assert.deepEqual(chapters[1].rules[0].blocks, [
    { text: ["A table:"] },
    { rows: [["", "one", "two"], ["first", "1", "−1"]] },
    { text: ["More of the same rule."] },
  ]);
});

test("a paragraph that belongs to no rule is refused", () => {
  assert.throws(() => parseRules(TEXT.replace("1.1 ", "")), /belongs to no rule/);
});

for (const game of GAMES) {
  for (const code of Object.keys(languageNames)) {
    test(`the rules of ${game} in ${code} have the numbers, rulings, options and tables of English`, async () => {
      const [own, english] = [await rulesIn(game, code), await rulesIn(game, "en")];
      const shape = (rules) =>
        rules.chapters.map((chapter) => [
          chapter.number,
          chapter.rules.map((rule) => [
            rule.number,
            piecesOf(rule).filter((piece) => piece.ruling).length,
            piecesOf(rule).flatMap((piece) => piece.option ?? []).sort(),
            rule.blocks.map(({ rows }) => rows?.map((row) => row.length) ?? "text"),
          ]),
        ]);
      assert.deepEqual(shape(own), shape(english));
    });

    test(`every option that the rules of ${game} name has its name in ${code}`, async () => {
      language.value = code;
      const options = allRules(await rulesIn(game, code)).flatMap(piecesOf).flatMap((piece) => piece.option ?? []);
      assert.ok(options.length);
      assert.deepEqual(options.filter((option) => !hasText(`option.${game}.${option}.name`)), []);
    });
  }

  test(`what is reconstructed in ${game} is said of rules that there are`, async () => {
    const numbers = await numbersOf(game);
    assert.ok(RECONSTRUCTED[game].length);
    assert.deepEqual(RECONSTRUCTED[game].filter((number) => !numbers.has(number)), []);
  });

  test(`every line of the summary card of ${game} is about a rule that there is, and has its text`, async () => {
    const numbers = await numbersOf(game);
    const lines = Object.values(CARDS[game]).flat();
    assert.deepEqual(lines.filter((rule) => !numbers.has(rule)), []);
    for (const code of Object.keys(languageNames)) {
      language.value = code;
      assert.deepEqual(lines.filter((rule) => !hasText(`rulebook.card.${game}.${rule}`)), [], code);
    }
  });

  test(`at least four figures of ${game} illustrate rules that there are, and have captions`, async () => {
    const numbers = await numbersOf(game);
    const figures = Object.entries(JSON.parse(readFileSync(new URL(`${game}.json`, FOLDER), "utf8")));
    assert.ok(figures.length >= 4);
    assert.deepEqual(figures.filter(([, { rule }]) => !numbers.has(rule)), []);
    language.value = "en";
    assert.deepEqual(figures.filter(([name]) => !hasText(`rulebook.figure.${game}.${name}`)), []);
  });

  test(`the table of ${game} links only to rules that there are`, async () => {
    const numbers = await numbersOf(game);
    const cited = Object.values(LINKS[game]).flatMap((part) => Object.values(part));
    assert.deepEqual(cited.filter((number) => !numbers.has(number)), []);
  });
}

/** Return a view in which a decision of this kind is open. */
function asked(game, about, more = {}, choice = "do") {
  return { table: { game }, play: { game: more, decision: { about, prompt: { choices: [{ do: choice }] } } } };
}

test("a decision links to its rule, an action card and the year board to rules of their own", () => {
  assert.equal(ruleOfDecision(asked("investors", "influence_tender")), "4.1");
  assert.equal(ruleOfDecision(asked("investors", "use_action", { action: "swap/cheques" })), "8.6");
  assert.equal(ruleOfDecision(asked("investors", "claim_subsidy", { action: "removal_subsidy" })), "9.2");
  assert.equal(ruleOfDecision(asked("investors", "option_bids", {}, "pay_cheque")), "4.6");
  assert.equal(ruleOfDecision(asked("investors", "option_bids", {}, "bid_cheques")), "4.7");
  assert.equal(ruleOfDecision(asked("builders", "place_pawn", { area: 0 })), "6.1");
  assert.equal(ruleOfDecision(asked("builders", "place_pawn", { area: 3 })), "3.1");
  assert.equal(ruleOfDecision({ table: { game: "planners" }, play: { game: {}, decision: null } }), null);
});

test("a refusal links to its own rule or to that of the open decision, and some to none", () => {
  const view = asked("planners", "place");
  for (const code of OF_DECISIONS) assert.equal(ruleOfRefusal(view, code), "3.6");
  assert.equal(ruleOfRefusal(view, "not_undoable"), "3.7");
  assert.equal(ruleOfRefusal(view, "too_fast"), null);
  assert.equal(ruleOfReason(view, "planners.column.why.empty"), "3.4");
});

test("words are found without accents and in any case, and where they stand is marked", () => {
  assert.deepEqual(wordsOf("  Größe łAPA "), ["große", "lapa"]);
  assert.equal(folded("Zażółć"), "zazolc");
  assert.deepEqual(markedParts("Größe und große Größe", ["große"]), ["", "Größe", " und ", "große", " ", "Größe", ""]);
  assert.deepEqual(markedParts("a.b aXb", ["a.b"]), ["", "a.b", " aXb"]);
  assert.deepEqual(markedParts("nothing", []), ["nothing"]);
});

test("a search keeps the rules that have all words, whole chapters by their title, and options by their names", () => {
  const { chapters } = parseRules(TEXT);
  const found = (query) => searchRules(chapters, wordsOf(query), () => "Again").flatMap(({ rules }) => rules.map(({ number }) => number));
  assert.deepEqual(found(""), ["1.1", "2.1"]);
  assert.deepEqual(found("take row"), ["1.1"]);
  assert.deepEqual(found("table first"), ["2.1"]);
  assert.deepEqual(found("second"), ["2.1"]);
  assert.deepEqual(found("again"), ["1.1"]);
  assert.deepEqual(found("take table"), []);
});

test("the value of an option is said in the words of the language", async () => {
  language.value = "de";
  const rule = allRules(await rulesIn("investors", "de")).find(({ number }) => number === "2.4");
  const options = withValues(piecesOf(rule), "investors").filter((piece) => piece.option);
  assert.deepEqual(options.map(({ option, value }) => t(`option.investors.${option}.${value}`)), ["gemischt", "von allen gelegt"]);
});

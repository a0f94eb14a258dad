// The rules to read: server/games/GAME/RULES.md and its translations, made into modules that the client fetches, one for
// each game and language. `import("rules:investors/de")` is the German text of Investors.

import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";

const GAMES = fileURLToPath(new URL("../server/games/", import.meta.url));

/** @typedef {import("./src/rules/texts.js").Rules} Rules */
/** @typedef {import("./src/rules/texts.js").Chapter} Chapter */
/** @typedef {import("./src/rules/texts.js").Block} Block */
/** @typedef {import("./src/rules/texts.js").Piece} Piece */

/** Return the file of the rules of a game; English has no code in its name. @param {string} game @param {string} language */
export function rulesFile(game, language) {
  return `${GAMES}${game}/RULES${language === "en" ? "" : `.${language}`}.md`;
}

/** Return the pieces of a paragraph. @param {string} text @param {Set<string>} numbers of all rules @returns {Piece[]} */
function piecesOf(text, numbers) {
  const found = text.split(/(†|`\w+`|(?<![\d.,])\d+\.\d+(?!\d|[.,]\d))/).map((part) => {
    if (part === "†") return { ruling: true };
    if (part.startsWith("`")) return { option: part.slice(1, -1) };
    return numbers.has(part) ? { rule: part } : part;
  });
  // An amount such as 10.000 looks like a number of a rule and stays text.
  return found.reduce((pieces, piece) => {
    const last = pieces.at(-1);
    if (typeof piece === "string" && typeof last === "string") pieces[pieces.length - 1] = last + piece;
    else if (piece !== "") pieces.push(piece);
    return pieces;
  }, /** @type {Piece[]} */ ([]));
}

/** Return the cells of the rows of a table, without the line below the headings. @param {string} text */
function rowsOf(text) {
  const lines = text.split("\n").filter((line) => !/^[|\s-]+$/.test(line));
  return lines.map((line) => line.split("|").slice(1, -1).map((cell) => cell.trim()));
}

/**
 * Return the parts of a text of rules.
 * @param {string} markdown @returns {Rules}
 */
export function parseRules(markdown) {
  const paragraphs = markdown.trim().split(/\n{2,}/);
  const numbers = new Set(paragraphs.flatMap((paragraph) => paragraph.match(/^\d+\.\d+(?= )/) ?? []));
  const title = paragraphs[0].match(/^# (.+)$/)?.[1];
  if (!title) throw new Error("rules begin with a title");
  // The rest of the introduction explains the marks, which the page does in its own words.
  const [source] = paragraphs[1].replaceAll("\n", " ").match(/^.+?\.(?= )/) ?? [];
  if (!source) throw new Error("the second paragraph says whose game it is");
  /** @type {Chapter[]} */
  const chapters = [];
  for (const paragraph of paragraphs.slice(2)) {
    const heading = paragraph.match(/^## (\d+)\. (.+)$/);
    const rule = paragraph.match(/^(\d+\.\d+) ([^]+)$/);
    const chapter = chapters.at(-1);
    if (heading) chapters.push({ number: heading[1], title: heading[2], rules: [] });
    else if (rule && chapter) chapter.rules.push({ number: rule[1], blocks: [blockOf(rule[2], numbers)] });
    else if (chapter?.rules.length) chapter.rules.at(-1)?.blocks.push(blockOf(paragraph, numbers));
    else throw new Error(`this belongs to no rule: ${paragraph}`);
  }
  return { title, source, chapters };
}

/** @param {string} paragraph @param {Set<string>} numbers @returns {Block} */
function blockOf(paragraph, numbers) {
  return paragraph.startsWith("|") ? { rows: rowsOf(paragraph) } : { text: piecesOf(paragraph.replaceAll("\n", " "), numbers) };
}

/** An esbuild plugin for imports such as "rules:investors/de". */
export const rulesTexts = {
  name: "rules",
  setup: (hooks) => {
    hooks.onResolve({ filter: /^rules:/ }, ({ path }) => ({ path: path.slice("rules:".length), namespace: "rules" }));
    hooks.onLoad({ filter: /.*/, namespace: "rules" }, async ({ path }) => {
      const [game, language] = path.split("/");
      const file = rulesFile(game, language);
      return { contents: `export default ${JSON.stringify(parseRules(await readFile(file, "utf8")))};`, loader: "js", watchFiles: [file] };
    });
  },
};

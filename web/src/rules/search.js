// Searching rules: words are found in any case and without accents, at the beginning of a word or inside of it.

/** @typedef {import("./texts.js").Rules} Rules */
/** @typedef {import("./texts.js").Rule} Rule */

/** Letters that do not decompose into a letter and an accent. @type {Record<string, string>} */
const PLAIN = { ł: "l", Ł: "l", ø: "o", đ: "d" };

/** Return a text in small letters without accents, each character in its place. @param {string} text */
export function folded(text) {
  return [...text].map((letter) => PLAIN[letter] ?? [...letter.normalize("NFD")][0].toLowerCase()).join("");
}

/** Return the words that are searched for. @param {string} query */
export function wordsOf(query) {
  return folded(query).split(/\s+/).filter(Boolean);
}

/** Return all that a rule says, for searching. @param {Rule} rule @param {(option: string) => string} nameOf the name of an option */
function textOf({ number, blocks }, nameOf) {
  const texts = blocks.map((block) =>
    "rows" in block ? block.rows.flat().join(" ") : block.text.map((piece) => (typeof piece === "string" ? piece : "option" in piece ? nameOf(piece.option) : "rule" in piece ? piece.rule : "†")).join(""),
  );
  return folded([number, ...texts].join(" "));
}

/**
 * Return the chapters with the rules that contain all words. A chapter whose title has them keeps all of its rules.
 * @param {Rules["chapters"]} chapters @param {string[]} words @param {(option: string) => string} [nameOf]
 */
export function searchRules(chapters, words, nameOf = (option) => option) {
  if (!words.length) return chapters;
  const hasAll = (/** @type {string} */ text) => words.every((word) => text.includes(word));
  return chapters
    .map((chapter) => (hasAll(folded(chapter.title)) ? chapter : { ...chapter, rules: chapter.rules.filter((rule) => hasAll(textOf(rule, nameOf))) }))
    .filter(({ rules }) => rules.length);
}

/**
 * Return a text in parts, those at odd places being what was searched for.
 * @param {string} text @param {string[]} words
 */
export function markedParts(text, words) {
  if (!words.length) return [text];
  const plain = folded(text);
  const escaped = words.map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  const parts = [];
  let from = 0;
  for (const { index, 0: found } of plain.matchAll(new RegExp(escaped.join("|"), "g"))) {
    parts.push(text.slice(from, index), text.slice(index, index + found.length));
    from = index + found.length;
  }
  return [...parts, text.slice(from)];
}

// Rules as they are read: chapters with numbered rules, on their page and in the drawer of a table.

import { hasText, t } from "../catalogue/index.js";
import reconstructed from "./reconstructed.json";
import { markedParts } from "./search.js";

/** @typedef {import("./texts.js").Chapter} Chapter */
/** @typedef {import("./texts.js").Rule} Rule */
/** @typedef {import("./texts.js").Block} Block */
/** @typedef {import("./texts.js").Piece} Piece */
/**
 * @typedef {object} Reading how rules are shown
 * @property {string} game
 * @property {string[]} words what is searched for, to be marked
 * @property {string | null} target the rule that was asked for
 * @property {2 | 3} level of the headings of chapters
 * @property {boolean} isPage whether rules have addresses of their own
 * @property {(rule: string) => void} [onRule] shows another rule, where rules have no addresses
 * @property {(rule: string) => any} [after] what stands below a rule
 */

/** @type {Record<string, string[]>} */
export const RECONSTRUCTED = reconstructed;

/** Return the name of an option of a game. @param {string} game @param {string} option */
export function optionName(game, option) {
  const key = `option.${game}.${option}.name`;
  return hasText(key) ? t(key) : option;
}

/** @param {{chapter: Chapter, reading: Reading}} props */
export function ChapterText({ chapter, reading }) {
  const Heading = reading.level === 2 ? "h2" : "h3";
  const id = reading.isPage ? chapter.number : undefined;
  return (
    <section class="rules-chapter">
      <Heading id={id} class="rules-heading">
        <span class="rules-chapter-number">{chapter.number}</span> <Marked text={chapter.title} words={reading.words} />
      </Heading>
      {chapter.rules.map((rule) => (
        <RuleText key={rule.number} rule={rule} reading={reading} />
      ))}
    </section>
  );
}

/** @param {{rule: Rule, reading: Reading}} props */
function RuleText({ rule, reading }) {
  const { number, blocks } = rule;
  const isTarget = number === reading.target;
  const isReconstructed = RECONSTRUCTED[reading.game].includes(number);
  return (
    <>
      <div id={reading.isPage ? number : undefined} data-rule={number} class={`rule ${isTarget ? "target" : ""}`} tabIndex={isTarget ? -1 : undefined}>
        {reading.isPage ? (
          <a class="rule-number" href={`#${number}`} aria-label={t("rulebook.link", { number })}>
            {number}
          </a>
        ) : (
          <b class="rule-number">{number}</b>
        )}
        <div class="rule-body">
          {blocks.map((block, index) => (
            <BlockText key={index} block={block} reading={reading} isReconstructed={isReconstructed && index === blocks.length - 1} />
          ))}
        </div>
      </div>
      {reading.after?.(number)}
    </>
  );
}

/** @param {{block: Block, reading: Reading, isReconstructed: boolean}} props */
function BlockText({ block, reading, isReconstructed }) {
  if ("rows" in block) return <RuleTable rows={block.rows} />;
  return (
    <p>
      {withValues(block.text, reading.game).map((piece, index) => (
        <PieceText key={index} piece={piece} reading={reading} />
      ))}
      {isReconstructed && <span class="rule-badge">{t("rulebook.reconstructed")}</span>}
    </p>
  );
}

/**
 * Return the pieces of a paragraph with the values of options in the words of the language: `layout` random is a value.
 * @param {Piece[]} pieces @param {string} game @returns {(Piece | {option: string, value: string})[]}
 */
export function withValues(pieces, game) {
  /** @type {(Piece | {option: string, value: string})[]} */
  const found = [];
  for (const piece of pieces) {
    const last = found.at(-1);
    const value = typeof piece === "string" && typeof last === "object" && "option" in last ? piece.match(/^ (\w+)/)?.[1] : undefined;
    const option = value && /** @type {{option: string}} */ (last).option;
    if (option && hasText(`option.${game}.${option}.${value}`)) {
      found[found.length - 1] = { option, value };
      found.push(/** @type {string} */ (piece).slice(value.length + 1));
    } else found.push(piece);
  }
  return found;
}

/** @param {{piece: Piece | {option: string, value: string}, reading: Reading}} props */
function PieceText({ piece, reading }) {
  const { game, words, isPage, onRule } = reading;
  if (typeof piece === "string") return <Marked text={piece} words={words} />;
  if ("ruling" in piece) {
    return (
      <span class="rule-ruling" role="img" aria-label={t("rulebook.ruling")} title={t("rulebook.mark.ruling")}>
        †
      </span>
    );
  }
  if ("option" in piece) {
    const name = optionName(game, piece.option);
    const value = "value" in piece ? t(`option.${game}.${piece.option}.${piece.value}`) : null;
    return (
      <em class="rule-option">
        <Marked text={value ? `${name}: ${value}` : name} words={words} />
      </em>
    );
  }
  const { rule } = piece;
  if (isPage) return <a href={`#${rule}`}>{rule}</a>;
  const show = (/** @type {MouseEvent} */ event) => {
    event.preventDefault();
    onRule?.(rule);
  };
  return (
    <a href={`/rules/${game}#${rule}`} onClick={show}>
      {rule}
    </a>
  );
}

/** @param {{rows: string[][]}} props */
function RuleTable({ rows: [head, ...rows] }) {
  return (
    <table class="rule-table">
      <thead>
        <tr>
          {head.map((cell, index) => (cell ? <th key={index} scope="col">{cell}</th> : <td key={index} />))}
        </tr>
      </thead>
      <tbody>
        {rows.map(([name, ...cells]) => (
          <tr key={name}>
            <th scope="row">{name}</th>
            {cells.map((cell, index) => (
              <td key={index}>{cell}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** A text in which the words that are searched for are marked. @param {{text: string, words: string[]}} props */
function Marked({ text, words }) {
  return <>{markedParts(text, words).map((part, index) => (index % 2 ? <mark key={index}>{part}</mark> : part))}</>;
}

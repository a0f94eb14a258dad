// The timeline of a finished game: its steps, and the rounds or years in which they happened. The names of rounds and
// years are those of the server's stages; the words come from the scene of the game.

/**
 * @typedef {object} TimelineStep
 * @property {number} step
 * @property {number | null} seat who decided; null for the beginning, and where several decided
 * @property {string | null} kind of the decision
 * @property {Record<string, number>} stage the round, the year, or what else tells how far the game was
 * @property {any} [events]
 */
/**
 * @typedef {object} Section the steps of one round or year
 * @property {number} first
 * @property {number} last
 * @property {string} name what it is: "round", "year"
 * @property {number} value which one
 * @property {string} [text] its heading in the log, where it has neither a round nor a year
 */

/** What divides the timeline of each game, the first that its stages have. */
const DIVISIONS = ["round", "year"];

/** Return the rounds or years of a timeline, each with its steps. @param {TimelineStep[]} steps @returns {Section[]} */
export function sectionsOf(steps) {
  /** @type {Section[]} */
  const sections = [];
  for (const { step, stage = {} } of steps) {
    const name = DIVISIONS.find((each) => stage[each] !== undefined) ?? "";
    const value = name ? stage[name] : 0;
    const last = sections.at(-1);
    if (last && last.name === name && last.value === value) last.last = step;
    else sections.push({ first: step, last: step, name, value });
  }
  return sections;
}

/** Return whether the stages of a timeline have rounds or years. @param {TimelineStep[]} steps */
export function hasSections(steps) {
  return steps.some(({ stage = {} }) => DIVISIONS.some((name) => stage[name] !== undefined));
}

/**
 * Return the sections of a log that begin with its headings.
 * @param {{number: number, heading?: string}[]} items of the log; the number of an item is its step plus one @param {number} last step
 * @returns {Section[]}
 */
export function sectionsOfLog(items, last) {
  const headings = items.filter(({ heading }) => heading);
  return headings.map(({ number, heading }, index) => ({
    first: number - 1,
    last: index + 1 < headings.length ? headings[index + 1].number - 2 : last,
    name: "heading",
    value: index,
    text: heading,
  }));
}

/** Return the section of a step; null without sections. @param {Section[]} sections @param {number} step */
export function sectionOf(sections, step) {
  return sections.findLast(({ first }) => first <= step) ?? null;
}

/**
 * Return where the labels of sections begin, none over another: first that of the current section, then from the left.
 * @param {Section[]} sections @param {number} last step @param {number} width of the timeline @param {number} label width of a label
 * @param {Section | null} current which has a label in any case
 * @returns {Map<Section, number>}
 */
export function labelled(sections, last, width, label, current) {
  // A label at the right end is moved to the left, so that it is shown whole.
  const at = (/** @type {Section} */ { first }) => Math.max(0, Math.min(last ? (first / last) * width : 0, width - label));
  /** @type {Map<Section, number>} */
  const places = new Map(current ? [[current, at(current)]] : []);
  for (const section of sections) {
    const isFree = [...places.values()].every((place) => Math.abs(place - at(section)) >= label);
    if (isFree) places.set(section, at(section));
  }
  return places;
}

/** Return the step at a place of the timeline. @param {number} x @param {number} width @param {number} last */
export function stepAt(x, width, last) {
  return width > 0 ? Math.max(0, Math.min(last, Math.round((x / width) * last))) : 0;
}

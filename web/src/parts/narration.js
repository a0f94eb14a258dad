// The log as lines: one sentence for each event that has one, and a heading where a round, a year or another section of
// the game begins.
//
// Some sentences need more than their event and the current view: the year in which something happened, or what a seat
// had bid before. This context is folded over the events. The loaded part of a log may begin in the middle of a game,
// so sections are counted backwards from the current view.

import { hasText, language, t } from "../catalogue/index.js";
import { isStep } from "../table-log.js";
import { formatNames, nameOf, seatNames } from "./names.js";

/** @typedef {import("../table-log.js").Entry} Entry */
/** @typedef {import("../pages/table.js").Scene} Scene */
/** @typedef {{text: string, seat?: number, place?: Record<string, any[]>}} Line */
/**
 * @typedef {object} Item a heading or a line of the log
 * @property {string} key
 * @property {number} number of the update
 * @property {string} [heading]
 * @property {Line} [line]
 */
/**
 * What a sentence may need to know besides its event.
 * @typedef {object} Context
 * @property {any} [section] the round or year of the event, as `scene.sectionAt` returns it
 * @property {any} [running] what `scene.contextAfter` folded from the events before
 */

/**
 * Return the line of an event of the table itself, which is the same for every game.
 * @param {any} event @param {any} view
 * @returns {Line | null}
 */
export function tableSentence(event, view) {
  const { seat } = event;
  const isStandIn = event.event === "time_ran_out" && event.stand_in;
  const key = isStandIn ? "event.stood_in" : textKey(event);
  if (!hasText(key)) return null;
  const own = seat !== undefined && seat === view.mine && hasText(`${key}.you`) ? `${key}.you` : key;
  const name = seat === undefined ? "" : nameOf(view, seat);
  const names = event.seats ? formatNames(view, event.seats) : "";
  return { text: t(own, { name, names, ...(event.step === undefined ? {} : { step: event.step }), ...(isStandIn ? { bot: t(`bot.stand_in.${event.stand_in}`) } : {}) }), seat };
}

/** Return the key of the text of a table event. Votes have a text for each subject. @param {any} event */
function textKey(event) {
  if (event.event === "voted") return `event.${event.agree ? "voted" : "vote_withdrawn"}.${event.on}`;
  if (event.event === "vote_declined") return `event.vote_declined.${event.on}`;
  return `event.${event.event}`;
}

/**
 * Return the line of an event, or null if it has none.
 * @param {any} event @param {any} view @param {Scene} scene @param {Context} [context]
 * @returns {Line | null}
 */
export function lineOf(event, view, scene, context) {
  // What was sealed is known in the replay of a finished game alone; its sentence is about the fields of the command.
  const told = event.event === "answered" && event.command ? { ...event, ...event.command } : event;
  return scene.sentence(told, view, context) ?? tableSentence(event, view);
}

/** The contexts of the events of a log, folded entry by entry. A step that is taken back takes its context along. */
class Fold {
  /** @param {Scene} scene */
  constructor(scene) {
    this.scene = scene;
    /** The number of sections that began. */
    this.ordinal = 0;
    /** @type {any} */
    this.running = undefined;
    /** The contexts before each step, for steps that are taken back. @type {[number, any][]} */
    this.before = [];
    /** The contexts of the events of each entry. @type {{ordinal: number, running: any, opens: boolean}[][]} */
    this.of = [];
  }

  /** @param {Entry} entry */
  add(entry) {
    const { scene } = this;
    const { events } = entry;
    if (events.some(({ event }) => event === "undone")) [this.ordinal, this.running] = this.before.pop() ?? [this.ordinal, this.running];
    else if (isStep(entry)) this.before.push([this.ordinal, this.running]);
    this.of.push(
      events.map((event) => {
        const opens = scene.opensSection(event);
        if (opens) this.ordinal += 1;
        const context = { ordinal: this.ordinal, running: this.running, opens };
        this.running = scene.contextAfter?.(this.running, event) ?? this.running;
        return context;
      }),
    );
  }
}

/** Return whether two contexts are equal. They are the same object unless older pages were loaded. @param {any} one @param {any} other */
function isSame(one, other) {
  return one === other || JSON.stringify(one) === JSON.stringify(other);
}

/** Returns the items of a log, and keeps the lines that it has made: an event never changes. */
export class Narrator {
  /** @param {Scene} scene */
  constructor(scene) {
    this.scene = scene;
    /** @type {WeakMap<any, {names: string, section: any, running: any, line: Line | null}>} */
    this.lines = new WeakMap();
    /** @type {{entries: Entry[], fold: Fold}} */
    this.last = { entries: [], fold: new Fold(scene) };
  }

  /**
   * Return the headings and lines of a log, oldest first.
   * @param {Entry[]} entries without gaps, up to the current view @param {any} view @param {boolean} isFromStart whether the first entry is the first of the log
   * @returns {Item[]}
   */
  items(entries, view, isFromStart) {
    const { scene } = this;
    const contexts = this.contexts(entries);
    const sectionCount = contexts.ordinal;
    const names = `${language.value}\n${seatNames(view)}`;
    /** @type {Item[]} */
    const items = [];
    const sectionAt = (/** @type {number} */ ordinal) => (view.play?.game ? scene.sectionAt(view, sectionCount - ordinal) : null);
    const firstStep = entries.findIndex(isStep);
    entries.forEach(({ number, events }, place) => {
      events.forEach((event, index) => {
        const { ordinal, running, opens } = contexts.of[place][index];
        const section = sectionAt(ordinal);
        // The loaded part may begin in the middle of a section, whose heading then stands at the top.
        const isCutOff = !isFromStart && place === firstStep && index === 0;
        if ((opens || isCutOff) && section !== null) items.push({ key: `${number}/${index}/h`, number, heading: scene.sectionTitle(section) });
        const line = this.line(event, view, { section, running }, names);
        if (line) items.push({ key: `${number}/${index}`, number, line });
      });
    });
    return items.filter((item, place) => !item.heading || !items[place + 1]?.heading);
  }

  /** @param {any} event @param {any} view @param {Context} context @param {string} names */
  line(event, view, context, names) {
    const { section, running } = context;
    const known = this.lines.get(event);
    if (known && known.names === names && known.section === section && isSame(known.running, running)) return known.line;
    const line = lineOf(event, view, this.scene, context);
    this.lines.set(event, { names, section, running, line });
    return line;
  }

  /** Return the contexts of all events. Those of a log that only got longer are kept. @param {Entry[]} entries */
  contexts(entries) {
    const { last } = this;
    const isLonger = last.entries.length <= entries.length && last.entries.every((entry, place) => entry === entries[place]);
    const fold = isLonger ? last.fold : new Fold(this.scene);
    for (const entry of entries.slice(fold.of.length)) fold.add(entry);
    this.last = { entries, fold };
    return fold;
  }
}

/** @type {WeakMap<import("../store.js").TableModel, {narrator: Narrator, basis: any[], items: Item[]}>} */
const narrations = new WeakMap();

/**
 * Return the headings and lines of the loaded log of a table, the same array as before if nothing changed.
 * @param {import("../store.js").TableModel} model @param {Scene} scene
 */
export function itemsOf(model, scene) {
  const [entries, view, isFromStart] = [model.tableLog.entries.value, model.gameView.value, !model.tableLog.hasMore.value];
  const known = narrations.get(model);
  const basis = [scene, entries, view, isFromStart, language.value];
  if (known && basis.every((part, index) => part === known.basis[index])) return known.items;
  const narrator = known?.narrator.scene === scene ? known.narrator : new Narrator(scene);
  const items = narrator.items(entries, view, isFromStart);
  narrations.set(model, { narrator, basis, items });
  return items;
}

// A finished game on its page: the record, the timeline, the shown step, whose eyes see it, and the log as these eyes saw
// it. All of it comes from the server; nothing here knows a rule.

import { batch, computed, signal } from "@preact/signals";
import { applyPatch } from "./patch.js";
import { ReplayPlayer } from "./replay-player.js";
import { LAST_STEP } from "./replay-address.js";
import { MAX_ATTEMPTS, REFUSED_PAUSE, ReplaySteps } from "./replay-steps.js";
import { sectionOf, sectionsOf } from "./replay-timeline.js";
import { TableModel } from "./store.js";

/** @typedef {import("./replay-steps.js").Eyes} Eyes */
/** @typedef {import("./replay-source.js").ReplaySource} ReplaySource */
/** @typedef {import("./table-log.js").Entry} Entry */
/** @typedef {import("./parts/narration.js").Line & {event: number}} Line */

/** Logs that are kept, one for each pair of eyes; the oldest is dropped. */
const MAX_LOGS = 8;

/** Return the seat of a user; null if they did not play. @param {any} view @param {string | undefined} user */
export function seatOfUser(view, user) {
  const seat = user ? view.seats.findIndex((/** @type {any} */ chair) => chair.user === user) : -1;
  return seat < 0 ? null : seat;
}

/**
 * Return a view as the page shows it. Texts say "you" to the user alone, not to the seat whose eyes are borrowed, so
 * `mine` is kept for the own seat only and `eyes` has the seat.
 * @param {any} view @param {number | null} me the seat of the user
 */
export function pastView(view, me) {
  const { mine } = view;
  return { ...view, mine: mine === me ? mine : null, eyes: mine };
}

/**
 * Return the view, and what seats knew alone, at a line of a step. Events without a line go with the line before them.
 * @param {import("./replay-steps.js").Step} step @param {{event: number}[]} lines of the step @param {number | null} line null: after the step
 * @returns {{view: any, open?: any[]}}
 */
export function momentAt(step, lines, line) {
  const { view, open, between } = step;
  const next = line === null ? undefined : lines[line + 1];
  const patch = next && between?.[next.event - 1];
  return patch ? applyPatch({ view, open }, patch) : { view, open };
}

export class ReplayModel {
  /**
   * @param {string} id @param {string | null} key @param {ReplaySource} source
   * @param {import("./replay-address.js").Moment} moment @param {import("./socket.js").Socket} socket
   */
  constructor(id, key, source, moment, socket) {
    this.id = id;
    this.key = key;
    this.source = source;
    this.moment = moment;
    /** The refusal that leaves nothing to show. */
    this.error = signal(/** @type {import("./refusal.js").Refusal | null} */ (null));
    /** The record of the game, with what the user may do; null until it is there, or if it is not indexed yet. */
    this.record = signal(/** @type {{game: any, access: string, shared: string | null} | null} */ (null));
    this.timeline = signal(/** @type {import("./replay-timeline.js").TimelineStep[]} */ ([]));
    this.isReady = signal(false);
    /** The step that the address asked for, if the game is shorter. */
    this.beyond = signal(/** @type {number | null} */ (null));
    /** The user's id. @type {import("@preact/signals").Signal<string | undefined>} */
    this.user = signal(/** @type {string | undefined} */ (undefined));
    this.steps = new ReplaySteps((step, eyes, isByEvent) => source.step(step, eyes, isByEvent), { eyes: moment.eyes });
    /** The table at the end of the game, whose log is the log of the game. It is not subscribed to. */
    this.end = new TableModel(id, key, socket);
    /** The seat of the user; null if they did not play. */
    this.me = computed(() => {
      const view = this.steps.shown.value?.view;
      return view ? seatOfUser(view, this.user.value) : null;
    });
    /** Returns the lines of a step; set by the page, which has the words. */
    this.narrate = signal(/** @type {((step: {events: any[], view: any}) => Line[]) | null} */ (null));
    /** The lines of the shown step. */
    this.lines = computed(() => {
      const shown = this.steps.shown.value;
      return (shown && this.narrate.value?.({ events: shown.events, view: pastView(shown.view, this.me.value) })) ?? [];
    });
    /** The first steps of the sections that the scene found in the log, with their titles. */
    this.logSections = signal(/** @type {import("./replay-timeline.js").Section[]} */ ([]));
    this.sections = computed(() => (this.logSections.value.length ? this.logSections.value : sectionsOf(this.timeline.value)));
    this.player = new ReplayPlayer(this.steps, { lineCount: () => this.lines.value.length, sections: () => this.sections.value });
    this.end.replay.value = { steps: this.steps, goTo: (step, line) => this.goToLine(step, line), line: () => this.player.shownLine };
    /** What is on the screen: the view after the shown step, or after one of its events; null until the first has loaded. */
    this.shown = computed(() => {
      const step = this.steps.shown.value;
      return step && momentAt(step, this.lines.value, this.player.shownLine);
    });
    /** Its view as the page shows it. */
    this.view = computed(() => this.shown.value && pastView(this.shown.value.view, this.me.value));
    /** By eyes; an entry's number is its step plus one. @type {Map<Eyes, Entry[]>} */
    this.logs = new Map();
    /** The eyes whose logs are being fetched. @type {Set<Eyes>} */
    this.loadingLogs = new Set();
    /** Why the log could not be fetched, as a sentence. */
    this.logRefusal = signal(/** @type {string | null} */ (null));
    /** The view at the end of the game; null until it is there. @type {any} */
    this.final = null;
    this.isClosed = false;
  }

  /** The section of the step that is wanted. */
  get section() {
    return sectionOf(this.sections.value, this.steps.target.value);
  }

  /** Whether the game can go on from the shown step: it was not over there. */
  get isPlayable() {
    return !this.steps.isCurrent || Boolean(this.steps.shown.value?.view.play?.decision);
  }

  /** The key by which others may see the game; null if there is none. Those who played know whether it is shared. */
  get sharedKey() {
    return this.me.value === null ? this.key : (this.record.value?.shared ?? null);
  }

  /** Load the game and show the moment of the address. */
  async load() {
    this.error.value = null;
    this.source.game().then(
      (found) => (this.record.value = found),
      // A game that has just ended may not be indexed yet; its steps are there nevertheless.
      () => {},
    );
    try {
      const { steps, last } = await this.source.timeline(null);
      // Only a finished game is shown all open, so a running one is refused here.
      const end = await this.source.step(last, "all");
      const { eyes } = this.moment;
      batch(() => {
        this.timeline.value = steps;
        this.steps.last.value = last;
        this.steps.keep(end, "all");
        this.final = end.view;
        // Those who played see the game as they saw it; others see everything.
        this.steps.eyes.value = this.hasEyes(eyes) ? eyes : (seatOfUser(end.view, this.user.value) ?? "all");
      });
    } catch (refusal) {
      this.error.value = /** @type {import("./refusal.js").Refusal} */ (refusal);
      return;
    }
    batch(() => {
      this.isReady.value = true;
      this.goToMoment(this.moment);
    });
    await this.loadLog();
  }

  /** Return whether an address names eyes, and those of a seat that the game had. @param {Eyes} eyes */
  hasEyes(eyes) {
    return eyes !== null && !(typeof eyes === "number" && eyes >= this.final.seats.length);
  }

  /** Show the moment of an address. @param {import("./replay-address.js").Moment} moment */
  goToMoment({ step, eyes }) {
    const last = this.steps.last.value;
    this.beyond.value = step !== null && step !== LAST_STEP && step > last ? step : null;
    if (this.hasEyes(eyes) && eyes !== this.steps.eyes.value) this.setEyes(eyes);
    this.player.goTo(Math.min(step ?? 0, last));
  }

  /** Show a line of the log. @param {number} step @param {number} line of the step */
  goToLine(step, line) {
    this.player.stop();
    this.player.goTo(step, line);
  }

  /** @param {Eyes} eyes */
  setEyes(eyes) {
    this.steps.setEyes(eyes);
    if (this.isReady.value) this.loadLog();
  }

  /** Show the log as the eyes saw it, as soon as it is there. */
  async loadLog() {
    const eyes = this.steps.eyes.value;
    const isWanted = () => !this.isClosed && eyes === this.steps.eyes.value;
    this.logRefusal.value = null;
    const known = this.logs.get(eyes);
    if (known) this.showLog(known);
    if (known || this.loadingLogs.has(eyes)) return;
    this.loadingLogs.add(eyes);
    try {
      const entries = await this.fetchLog(eyes, isWanted);
      if (!isWanted()) return;
      this.logs.set(eyes, entries);
      if (this.logs.size > MAX_LOGS) this.logs.delete(/** @type {Eyes} */ (this.logs.keys().next().value));
      this.showLog(entries);
    } catch (refusal) {
      if (isWanted()) this.logRefusal.value = /** @type {Error} */ (refusal).message;
    } finally {
      this.loadingLogs.delete(eyes);
    }
  }

  /** Return the log, fetched page by page as long as it is wanted. @param {Eyes} eyes @param {() => boolean} isWanted */
  async fetchLog(eyes, isWanted) {
    /** @type {Entry[]} */
    const entries = [];
    while (entries.length <= this.steps.last.value && isWanted()) {
      const page = await this.fetchLogPage(eyes, entries.length);
      if (!page.length) break;
      entries.push(...page.map(({ step, at, events }) => ({ number: step + 1, step, at, events })));
    }
    return entries;
  }

  /** Return a page of the log; one that is refused as too fast is requested again. @param {Eyes} eyes @param {number} from */
  async fetchLogPage(eyes, from) {
    for (let attempt = 1; ; attempt += 1) {
      await this.steps.budget.turn();
      try {
        return (await this.source.timeline(eyes, from)).log ?? [];
      } catch (refusal) {
        if (/** @type {{code?: string}} */ (refusal).code !== "too_fast" || attempt === MAX_ATTEMPTS) throw refusal;
      }
      await this.steps.pause(REFUSED_PAUSE);
    }
  }

  /** @param {Entry[]} entries */
  showLog(entries) {
    const { eyes } = this.steps;
    const me = seatOfUser(this.final, this.user.value);
    batch(() => {
      this.end.view.value = pastView({ ...this.final, mine: typeof eyes.value === "number" ? eyes.value : null }, me);
      this.end.tableLog.entries.value = entries;
    });
  }

  /** Stop playing and loading. */
  close() {
    this.isClosed = true;
    this.player.stop();
  }
}

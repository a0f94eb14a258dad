// The steps of a game that somebody looks back at, requested one at a time. While one is loading, only the newest target
// counts; when the target is there, the steps next to it are fetched ahead. Fetched steps are kept by whose eyes saw them.

import { batch, signal } from "@preact/signals";

/** @typedef {number | "spectators" | "all" | null} Eyes a seat, the spectators, all open; null: as the user's own viewer */
/**
 * @typedef {object} Step
 * @property {number} step
 * @property {number} steps the number of the last step
 * @property {any} view
 * @property {any[]} events what the viewer was told of the step
 * @property {any[]} [open] by seat: what only the seat knew, if it is shown
 * @property {import("./patch.js").Operation[][] | null} [between] if it was asked for, by event: the patch from `view` and
 *   `open` after the step to those after the event
 */

/**
 * @typedef {object} Replay a game that is stepped through, as its log follows it
 * @property {ReplaySteps} steps
 * @property {(step: number, line: number) => void} goTo shows a step, or only one line of it
 * @property {() => number | null} [line] returns the only line of the step that is shown; null if all of them are
 */

/** Steps kept in memory. The one that was shown longest ago is dropped, and fetched again when it is needed. */
const MAX_STEPS = 240;

/** Attempts to send a request although the server asks for a pause. */
export const MAX_ATTEMPTS = 5;
/** Milliseconds before a request that was refused as too fast is sent again. */
export const REFUSED_PAUSE = 2000;

/** @param {number} milliseconds @returns {Promise<void>} */
const sleep = (milliseconds) => new Promise((done) => setTimeout(done, milliseconds));

/**
 * When the next request may be sent (GCRA). The server allows a user 60 requests in 20 s, and 20 at once; these are at
 * most 52 and 8, so that other requests of the page find room.
 */
export class RequestBudget {
  /** @param {{burst?: number, interval?: number, now?: () => number, delay?: (milliseconds: number) => Promise<void>}} [options] */
  constructor({ burst = 8, interval = 450, now = () => performance.now(), delay = sleep } = {}) {
    this.burst = burst;
    this.interval = interval;
    this.now = now;
    this.delay = delay;
    /** When the bucket will be full again. */
    this.fullAt = 0;
  }

  /** Wait until a request may be sent. */
  async turn() {
    const now = this.now();
    this.fullAt = Math.max(this.fullAt, now) + this.interval;
    const wait = this.fullAt - now - this.burst * this.interval;
    if (wait > 0) await this.delay(wait);
  }
}

export class ReplaySteps {
  /**
   * @param {(step: number, eyes: Eyes, isByEvent: boolean) => Promise<Step>} fetchStep by event: with `between`
   * @param {{budget?: RequestBudget, limit?: number, eyes?: Eyes, last?: number, isLive?: boolean, pause?: (milliseconds: number) => Promise<void>}} [options]
   *   `last`: the number of the last step, if it is known; `isLive`: whether the game goes on, so that others say which is the last
   */
  constructor(fetchStep, { budget = new RequestBudget(), limit = MAX_STEPS, eyes = null, last = 0, isLive = false, pause = sleep } = {}) {
    this.fetchStep = fetchStep;
    this.budget = budget;
    this.limit = limit;
    this.pause = pause;
    this.isLive = isLive;
    this.target = signal(0);
    this.eyes = signal(/** @type {Eyes} */ (eyes));
    /** The number of the last step; it grows while a game is running. */
    this.last = signal(last);
    /** The step on the screen; null until the first has loaded. */
    this.shown = signal(/** @type {Step | null} */ (null));
    /** Whose eyes saw the step on the screen. */
    this.shownEyes = signal(/** @type {Eyes} */ (eyes));
    /** Whether each step is needed with the views between its events. */
    this.isByEvent = signal(false);
    this.refusal = signal(/** @type {string | null} */ (null));
    /** By eyes and step, the one that was used last at the end. A step that was played never changes. @type {Map<string, Step>} */
    this.cache = new Map();
    this.isLoading = false;
    /** How many steps are fetched ahead, and in which direction. */
    this.ahead = 1;
    this.direction = 1;
    /** Neighbours that could not be fetched; a target is requested again. @type {Set<string>} */
    this.failed = new Set();
  }

  /** Show a step, clamped to the existing ones, and load it if needed. @param {number} step */
  goTo(step) {
    batch(() => {
      const to = Math.max(0, Math.min(step, this.last.value));
      if (to !== this.target.value) this.direction = to < this.target.value ? -1 : 1;
      this.target.value = to;
      this.show();
    });
    return this.load();
  }

  /** Show the same step as others saw it. @param {Eyes} eyes */
  setEyes(eyes) {
    batch(() => {
      this.eyes.value = eyes;
      this.show();
    });
    return this.load();
  }

  /** Show steps event by event, or whole. @param {boolean} isByEvent */
  setByEvent(isByEvent) {
    this.isByEvent.value = isByEvent;
    return this.load();
  }

  /** Return whether the step on the screen is the one that is wanted. */
  get isCurrent() {
    const shown = this.shown.value;
    return shown?.step === this.target.value && this.shownEyes.value === this.eyes.value && (!this.isByEvent.value || Boolean(shown.between));
  }

  /** Return whether a step is there as it is needed. @param {number} step */
  has(step) {
    const found = this.cache.get(this.keyOf(step));
    return found !== undefined && (!this.isByEvent.value || Boolean(found.between));
  }

  /** @param {number} step */
  keyOf(step) {
    return `${this.eyes.value} ${step}`;
  }

  /** Show the target if it is there already. */
  show() {
    this.refusal.value = null;
    const key = this.keyOf(this.target.value);
    const step = this.cache.get(key);
    if (!step) return;
    this.cache.delete(key);
    this.cache.set(key, step);
    this.shown.value = step;
    this.shownEyes.value = this.eyes.value;
  }

  /** @param {Step} step @param {Eyes} eyes */
  keep(step, eyes) {
    this.cache.set(`${eyes} ${step.step}`, step);
    if (this.cache.size > this.limit) this.cache.delete(/** @type {string} */ (this.cache.keys().next().value));
    // A reply may be ahead of the live updates, with which the log goes along.
    if (!this.isLive) this.last.value = Math.max(this.last.value, step.steps);
  }

  /** Return the step to fetch next: the target, then those ahead of it, then the one behind it; null if all are there. */
  wanted() {
    const at = this.target.value;
    if (!this.has(at)) return at;
    const near = Array.from({ length: this.ahead }, (_, index) => at + (index + 1) * this.direction);
    const isMissing = (/** @type {number} */ step) => step >= 0 && step <= this.last.value && !this.has(step) && !this.failed.has(this.keyOf(step));
    return [...near, at - this.direction].find(isMissing) ?? null;
  }

  async load() {
    if (this.isLoading) return;
    this.isLoading = true;
    let attempts = 0;
    while (this.wanted() !== null) {
      await this.budget.turn();
      // Meanwhile another step may be wanted.
      const step = this.wanted();
      if (step === null) break;
      const eyes = this.eyes.value;
      try {
        const fetched = await this.fetchStep(step, eyes, this.isByEvent.value);
        batch(() => {
          this.keep(fetched, eyes);
          if (fetched.step === this.target.value && eyes === this.eyes.value) this.show();
        });
        attempts = 0;
      } catch (refusal) {
        attempts += 1;
        if (/** @type {any} */ (refusal).code === "too_fast" && attempts < MAX_ATTEMPTS) await this.pause(REFUSED_PAUSE);
        else if (this.isWanted(step, eyes)) {
          this.refusal.value = /** @type {Error} */ (refusal).message;
          break;
        } else this.failed.add(`${eyes} ${step}`);
      }
    }
    this.isLoading = false;
  }

  /** @param {number} step @param {Eyes} eyes */
  isWanted(step, eyes) {
    return step === this.target.value && eyes === this.eyes.value;
  }
}

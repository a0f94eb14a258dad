// The steps of a game that is over, asked for one at a time: of all that are wanted meanwhile only the newest counts.

import { batch, signal } from "@preact/signals";

/** @typedef {{step: number, steps: number, view: any, events: any[]}} Step a step, the number of the last, and what was seen */

/** Milliseconds from one request to the next, so that a slider stays far below what the server lets one ask. */
const REQUEST_INTERVAL = 400;

export class ReplaySteps {
  /** @param {(step: number) => Promise<Step>} fetchStep @param {(milliseconds: number) => Promise<void>} [delay] */
  constructor(fetchStep, delay = (milliseconds) => new Promise((done) => setTimeout(done, milliseconds))) {
    this.fetchStep = fetchStep;
    this.delay = delay;
    this.target = signal(0);
    /** The step that is shown; null until the first has come. */
    this.shown = signal(/** @type {Step | null} */ (null));
    this.refusal = signal(/** @type {string | null} */ (null));
    /** What is over does not change any more. @type {Map<number, Step>} */
    this.cache = new Map();
    this.isLoading = false;
  }

  /** Show a step, or the nearest there is. @param {number} step */
  goTo(step) {
    const last = this.shown.value?.steps ?? 0;
    batch(() => {
      this.target.value = Math.max(0, Math.min(step, last));
      this.refusal.value = null;
      this.showCached();
    });
    return this.isLoading ? Promise.resolve() : this.load();
  }

  showCached() {
    this.shown.value = this.cache.get(this.target.value) ?? this.shown.value;
  }

  async load() {
    this.isLoading = true;
    try {
      while (!this.cache.has(this.target.value)) {
        const pause = this.delay(REQUEST_INTERVAL);
        const step = await this.fetchStep(this.target.value);
        this.cache.set(step.step, step);
        this.showCached();
        await pause;
      }
    } catch (refusal) {
      this.refusal.value = /** @type {Error} */ (refusal).message;
    } finally {
      this.isLoading = false;
    }
  }
}

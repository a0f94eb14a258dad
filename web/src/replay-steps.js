// The steps of a finished game, requested one at a time. While one is loading, only the newest target counts.

import { batch, signal } from "@preact/signals";

/** @typedef {{step: number, steps: number, view: any, events: any[]}} Step `steps` is the number of the last step */

/** Milliseconds between two requests, so that moving a slider stays below the server's rate limit. */
const REQUEST_INTERVAL = 400;

export class ReplaySteps {
  /** @param {(step: number) => Promise<Step>} fetchStep @param {(milliseconds: number) => Promise<void>} [delay] */
  constructor(fetchStep, delay = (milliseconds) => new Promise((done) => setTimeout(done, milliseconds))) {
    this.fetchStep = fetchStep;
    this.delay = delay;
    this.target = signal(0);
    /** The step on the screen; null until the first has loaded. */
    this.shown = signal(/** @type {Step | null} */ (null));
    this.refusal = signal(/** @type {string | null} */ (null));
    /** Steps of a finished game never change, so they are cached. @type {Map<number, Step>} */
    this.cache = new Map();
    this.isLoading = false;
  }

  /** Show a step, clamped to the existing ones, and load it if needed. @param {number} step */
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

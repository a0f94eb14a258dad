// The steps of a game that is over, asked for one at a time: of all that are wanted meanwhile only the newest counts.

import { batch, signal } from "@preact/signals";

/** @typedef {{step: number, steps: number, view: any, events: any[]}} Step a step, the number of the last, and what was seen */

/** Milliseconds from one request to the next, so that a slider stays far below what the server lets one ask. */
const PAUSE = 400;

export class Steps {
  /** @param {(step: number) => Promise<Step>} ask @param {(milliseconds: number) => Promise<void>} [rest] */
  constructor(ask, rest = (milliseconds) => new Promise((done) => setTimeout(done, milliseconds))) {
    this.ask = ask;
    this.rest = rest;
    this.wanted = signal(0);
    /** The step that is shown; null until the first has come. */
    this.shown = signal(/** @type {Step | null} */ (null));
    this.refusal = signal(/** @type {string | null} */ (null));
    /** What is over does not change any more. @type {Map<number, Step>} */
    this.known = new Map();
    this.isAsking = false;
  }

  /** Show a step, or the nearest there is. @param {number} step */
  want(step) {
    const last = this.shown.value?.steps ?? 0;
    batch(() => {
      this.wanted.value = Math.max(0, Math.min(step, last));
      this.refusal.value = null;
      this.show();
    });
    return this.isAsking ? Promise.resolve() : this.fetch();
  }

  show() {
    this.shown.value = this.known.get(this.wanted.value) ?? this.shown.value;
  }

  async fetch() {
    this.isAsking = true;
    try {
      while (!this.known.has(this.wanted.value)) {
        const resting = this.rest(PAUSE);
        const step = await this.ask(this.wanted.value);
        this.known.set(step.step, step);
        this.show();
        await resting;
      }
    } catch (refusal) {
      this.refusal.value = /** @type {Error} */ (refusal).message;
    } finally {
      this.isAsking = false;
    }
  }
}

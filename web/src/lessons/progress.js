// How far the visitor has come in each lesson. The server keeps it with the user, so that another device goes on from
// there; this device keeps it too, so that a reload loses nothing that has not been sent yet.

import { deviceStorage } from "../storage.js";

/** @typedef {{step: number, done: boolean, isSent: boolean}} Reached where a lesson was left; whether the server knows */
/** @typedef {{steps: number, step: number, done: boolean}} Known what the server says about a lesson */

/** Milliseconds without a further step before the server is told. */
const QUIET = 800;

/** @typedef {{get: (name: string) => string | null, set: (name: string, text: string) => void}} DeviceStorage */

export class LessonProgress {
  /**
   * @param {{request: (message: any) => Promise<any>}} socket
   * @param {{storage?: DeviceStorage, later?: (work: () => void, milliseconds: number) => any, cancel?: (timer: any) => void}} [options]
   */
  constructor(socket, { storage = deviceStorage, later = setTimeout, cancel = clearTimeout } = {}) {
    this.socket = socket;
    this.storage = storage;
    this.later = (/** @type {() => void} */ work) => later(work, QUIET);
    this.cancel = (/** @type {any} */ timer) => cancel(timer);
    /** By game: what the server has not been told yet. @type {Map<string, {reached: Reached, timer: any}>} */
    this.pending = new Map();
  }

  /** Return the step from which a lesson goes on. @param {string} game */
  async reached(game) {
    const here = this.onDevice(game);
    if (here && !here.isSent) return here.step;
    try {
      const { lessons } = await this.socket.request({ type: "get_lessons" });
      return lessons[game]?.step ?? 0;
    } catch {
      return here?.step ?? 0;
    }
  }

  /** Return what this device knows of a lesson. @param {string} game @returns {Reached | null} */
  onDevice(game) {
    try {
      const found = JSON.parse(this.storage.get(nameOf(game)) ?? "null");
      return Number.isInteger(found?.step) ? { step: found.step, done: found.done === true, isSent: found.isSent === true } : null;
    } catch {
      return null;
    }
  }

  /** Keep where the visitor is; the server is told after a short rest. @param {string} game @param {number} step @param {boolean} done */
  keep(game, step, done) {
    const reached = { step, done: done || (this.onDevice(game)?.done ?? false), isSent: false };
    this.store(game, reached);
    this.cancel(this.pending.get(game)?.timer);
    // The end of a lesson is told at once: people leave the page there.
    if (done) this.send(game, reached);
    else this.pending.set(game, { reached, timer: this.later(() => this.send(game, reached)) });
  }

  /** Tell the server at once what it does not know yet. */
  flush() {
    for (const [game, { reached, timer }] of this.pending) {
      this.cancel(timer);
      this.send(game, reached);
    }
  }

  /** @param {string} game @param {Reached} reached */
  send(game, reached) {
    this.pending.delete(game);
    const { step, done } = reached;
    this.socket.request({ type: "keep_lesson", game, step, done }).then(
      () => {
        const now = this.onDevice(game);
        if (now?.step === step && now.done === done) this.store(game, { ...reached, isSent: true });
      },
      // What is on this device is sent with the next step.
      () => {},
    );
  }

  /** @param {string} game @param {Reached} reached */
  store(game, reached) {
    this.storage.set(nameOf(game), JSON.stringify(reached));
  }
}

/** @param {string} game */
function nameOf(game) {
  return `lesson-${game}`;
}

/** Return the part of a lesson that is behind the visitor, from 0 to 1. @param {Known | undefined} known */
export function partDone(known) {
  if (!known?.steps) return 0;
  return known.done ? 1 : Math.min(1, known.step / known.steps);
}

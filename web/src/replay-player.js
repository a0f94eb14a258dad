// Playing a finished game by itself, and moving in it by decisions, by events and by rounds.

import { batch, signal } from "@preact/signals";

/** @typedef {import("./replay-steps.js").ReplaySteps} ReplaySteps */
/** @typedef {import("./replay-timeline.js").Section} Section */

export const SPEEDS = [0.5, 1, 2, 4];
/** Milliseconds that a moment is shown at the usual speed; at the highest one, the server's limit still allows it. */
const MOMENT = 1800;

export class ReplayPlayer {
  /**
   * @param {ReplaySteps} steps
   * @param {object} options
   * @param {() => number} options.lineCount returns how many lines the shown step has
   * @param {() => Section[]} options.sections returns the rounds or years
   * @param {(work: () => void, milliseconds: number) => any} [options.later]
   * @param {(timer: any) => void} [options.cancel]
   */
  constructor(steps, { lineCount, sections, later = (work, milliseconds) => setTimeout(work, milliseconds), cancel = (timer) => clearTimeout(timer) }) {
    this.steps = steps;
    this.lineCount = lineCount;
    this.sections = sections;
    this.later = later;
    this.cancel = cancel;
    this.isPlaying = signal(false);
    this.speed = signal(1);
    /** Whether a step of the page is a decision with all that followed from it, or a single event. */
    this.by = signal(/** @type {"decision" | "event"} */ ("decision"));
    /** The line of the step that is shown, while events are stepped through; null: all of them. */
    this.line = signal(/** @type {number | null} */ (null));
    /** @type {any} */
    this.timer = undefined;
  }

  /** @param {"decision" | "event"} by */
  setBy(by) {
    batch(() => {
      this.by.value = by;
      this.line.value = by === "event" ? 0 : null;
      this.steps.setByEvent(by === "event");
    });
  }

  /** Show a step; by events, one of its lines, or the last if it has fewer. @param {number} step @param {number} [line] */
  goTo(step, line = 0) {
    batch(() => {
      this.line.value = this.by.value === "event" ? line : null;
      this.steps.goTo(step);
    });
  }

  /** The shown line, within those that there are. */
  get shownLine() {
    const line = this.line.value;
    return line === null ? null : Math.max(0, Math.min(line, this.lineCount() - 1));
  }

  next() {
    const line = this.shownLine;
    if (line !== null && this.steps.isCurrent && line + 1 < this.lineCount()) this.line.value = line + 1;
    else if (this.steps.target.value < this.steps.last.value) this.goTo(this.steps.target.value + 1);
  }

  previous() {
    const line = this.shownLine;
    if (line !== null && this.steps.isCurrent && line > 0) this.line.value = line - 1;
    else if (this.steps.target.value > 0) this.goTo(this.steps.target.value - 1, Infinity);
  }

  /** Go to the beginning of the next round or year, or of this one, or of the one before it. @param {1 | -1} direction */
  skip(direction) {
    const at = this.steps.target.value;
    const firsts = this.sections().map(({ first }) => first);
    const found = direction > 0 ? firsts.find((first) => first > at) : firsts.findLast((first) => first < at);
    this.goTo(found ?? (direction > 0 ? this.steps.last.value : 0));
  }

  /** Whether the last moment is shown. */
  get isAtEnd() {
    const line = this.shownLine;
    return this.steps.target.value >= this.steps.last.value && (line === null || line + 1 >= this.lineCount());
  }

  toggle() {
    if (this.isPlaying.value) this.stop();
    else this.play();
  }

  play() {
    if (this.isAtEnd) this.goTo(0);
    this.isPlaying.value = true;
    this.steps.direction = 1;
    this.steps.ahead = 3;
    this.steps.load();
    this.wait();
  }

  stop() {
    this.isPlaying.value = false;
    this.steps.ahead = 1;
    this.cancel(this.timer);
  }

  /** @param {number} speed */
  setSpeed(speed) {
    this.speed.value = speed;
    if (!this.isPlaying.value) return;
    this.cancel(this.timer);
    this.wait();
  }

  wait() {
    this.timer = this.later(() => this.advance(), MOMENT / this.speed.value);
  }

  advance() {
    if (!this.isPlaying.value) return;
    // A refusal stands on the page, and going on would hide it.
    if (this.isAtEnd || this.steps.refusal.value) this.stop();
    else {
      // A step that has not arrived yet is waited for.
      if (this.steps.isCurrent) this.next();
      this.wait();
    }
  }
}

// A lesson on its page. To scenes it looks like a table: it has a view, a log and the latest events, and takes answers.
// The server keeps nothing of it: every position is a function of the step and of the answers that were given since the
// step began, so an answer asks for the position with one more, and undo for the one with one less.

import { batch, computed, signal } from "@preact/signals";
import { t } from "../catalogue/index.js";
import { Refusal } from "../refusal.js";
import { TableModel } from "../store.js";

/** @typedef {import("../socket.js").Socket} Socket */
/** @typedef {{do: string, [field: string]: any}} Command */
/** @typedef {{game: string, steps: string[], seats: (string | null)[], learner: number}} Lesson */
/**
 * @typedef {object} Guide what the guide says and points at
 * @property {string} id of the step
 * @property {string[]} point the names of targets
 * @property {boolean} asks whether the step waits for an answer
 * @property {Command[]} answers the answers that were meant and are still to be given
 * @property {string | null} meaning which text explains the answers, once the step is answered
 * @property {boolean} done whether the step waits for no answer
 */

/** The id of the table in views of lessons. */
const TABLE = "lesson";

/** Return whether two answers are the same, whatever the order of their fields. @param {any} one @param {any} other @returns {boolean} */
export function isSame(one, other) {
  if (one === null || other === null || typeof one !== "object" || typeof other !== "object") return one === other;
  const names = Object.keys(one);
  return names.length === Object.keys(other).length && names.every((name) => isSame(one[name], other[name]));
}

export class LessonModel extends TableModel {
  /**
   * @param {string} game @param {Socket} socket @param {import("./progress.js").LessonProgress} progress
   */
  constructor(game, socket, progress) {
    super(TABLE, null, socket);
    this.game = game;
    this.progress = progress;
    /** The refusal that leaves nothing to show. */
    this.failure = signal(/** @type {{code: string, sentence: string} | null} */ (null));
    /** The refusal of a step that was asked for, as a sentence; what was shown stays. */
    this.refusal = signal(/** @type {string | null} */ (null));
    this.lesson = signal(/** @type {Lesson | null} */ (null));
    this.step = signal(0);
    this.guide = signal(/** @type {Guide | null} */ (null));
    /** The answers since the step began. @type {import("@preact/signals").Signal<Command[]>} */
    this.answers = signal(/** @type {Command[]} */ ([]));
    /** Whether the last step has been left: "done", or "skipped" if the rest of the lesson was not played. */
    this.end = signal(/** @type {"done" | "skipped" | null} */ (null));
    /** Whether a step, or the answers of "show me", are on their way. */
    this.isMoving = signal(false);
    /** The answers that were meant in the shown step. @type {Command[]} */
    this.meant = [];
    /** Whether the learner has answered all that the step asks. */
    this.isAnswered = computed(() => this.answers.value.length > 0 && (this.guide.value?.done ?? false));
    /** Whether the lesson goes on otherwise than the learner has answered. */
    this.isOtherwise = computed(() => this.isAnswered.value && this.answers.value.some((answer, index) => !isSame(answer, this.meant[index])));
    /** Counts the positions that were asked for: only the newest one is shown. */
    this.asked = 0;
    /** Counts moves between steps, each of which ends what "show me" still had to play. */
    this.moves = 0;
    this.isClosed = false;
  }

  /** The number of steps. */
  get length() {
    return this.lesson.value?.steps.length ?? 0;
  }

  /** Load the lesson and show the step that was reached. */
  async load() {
    this.failure.value = null;
    const step = await this.progress.reached(this.game);
    try {
      await this.ask(step, []);
    } catch (refusal) {
      // A lesson may have become shorter since.
      if (/** @type {Refusal} */ (refusal).code === "no_such_step" && step > 0) await this.ask(0, []).catch((second) => this.fail(second));
      else this.fail(/** @type {Refusal} */ (refusal));
    }
  }

  /** @param {Refusal} refusal */
  fail({ code, message }) {
    this.failure.value = { code, sentence: message };
  }

  /**
   * Show the position of a step after some answers.
   * @param {number} step @param {Command[]} answers
   */
  async ask(step, answers) {
    this.asked += 1;
    const { asked } = this;
    const found = await this.socket.request({ type: "get_lesson", game: this.game, step, answers });
    if (asked === this.asked && !this.isClosed) this.show(found, answers);
  }

  /** @param {any} found the reply to `get_lesson` @param {Command[]} answers */
  show({ lesson, step, guide, view, entries, latest }, answers) {
    batch(() => {
      this.refusal.value = null;
      this.end.value = null;
      if (!answers.length) this.meant = guide.answers;
      this.lesson.value = lesson;
      this.step.value = step;
      this.guide.value = guide;
      this.answers.value = answers;
      this.hasView = true;
      this.view.value = view;
      this.tableLog.entries.value = entries;
      this.latest.value = latest;
    });
    this.progress.keep(this.game, step, false);
  }

  /** Show a step from its beginning. @param {number} step */
  async goTo(step) {
    this.moves += 1;
    this.isMoving.value = true;
    try {
      await this.ask(step, []);
    } catch (refusal) {
      this.refusal.value = /** @type {Error} */ (refusal).message;
    } finally {
      this.isMoving.value = false;
    }
  }

  /** Go on to the next step, or to the end of the lesson. */
  async next() {
    if (this.isMoving.value) return;
    if (this.step.value + 1 < this.length) return this.goTo(this.step.value + 1);
    this.finish("done");
  }

  /** Go back to the beginning of the step, if it was answered, or else to the step before. */
  async back() {
    if (this.isMoving.value) return;
    if (this.answers.value.length) return this.goTo(this.step.value);
    if (this.step.value > 0) await this.goTo(this.step.value - 1);
  }

  /** Begin the lesson again. */
  restart() {
    return this.goTo(0);
  }

  /** Leave the steps. @param {"done" | "skipped"} how */
  finish(how) {
    this.moves += 1;
    this.end.value = how;
    // Somebody who has been through it begins again next time.
    if (how === "done") this.progress.keep(this.game, 0, true);
  }

  /** Return from the end to the step where the lesson was left. */
  resume() {
    this.end.value = null;
  }

  /**
   * Give the answers that are meant, one after another.
   * @param {(command: Command) => Promise<void>} [prepare] called before each answer, so that it can be seen
   */
  async showMe(prepare = async () => {}) {
    if (this.isMoving.value) return;
    this.moves += 1;
    const { moves } = this;
    this.isMoving.value = true;
    this.refusal.value = null;
    try {
      for (;;) {
        const [command] = this.guide.value?.answers ?? [];
        if (!command) return;
        await prepare(command);
        if (moves !== this.moves || this.isClosed) return;
        await this.ask(this.step.value, [...this.answers.value, command]);
      }
    } catch (refusal) {
      this.refusal.value = /** @type {Error} */ (refusal).message;
    } finally {
      this.isMoving.value = false;
    }
  }

  /** Raise a `Refusal` unless the step asks for an answer. */
  checkOpen() {
    if (!this.guide.value?.asks) throw refused(this.isAnswered.value ? "guide.refused.done" : "guide.refused.explains");
  }

  /** Answer the open decision. @param {Command} command @override */
  async decide(command) {
    this.checkOpen();
    await this.ask(this.step.value, [...this.answers.value, command]);
  }

  /**
   * Preview an answer, also where the step asks for none: the next step may begin with the same decision, whose preview
   * is not requested again.
   * @param {Command} command @override
   */
  async preview(command) {
    const answers = [...this.answers.value, command];
    const { play } = await this.socket.request({ type: "get_lesson", game: this.game, step: this.step.value, answers, ahead: true });
    return play;
  }

  /** Take the last answer back. @override */
  async undo() {
    const answers = this.answers.value;
    if (!answers.length) throw refused("guide.refused.undo");
    await this.ask(this.step.value, answers.slice(0, -1));
  }

  /** Refuse what only a table of people has: chat, votes, hints. @param {string} _type @override */
  async request(_type) {
    throw refused("guide.refused.other");
  }

  /** Show nothing any more. */
  close() {
    this.isClosed = true;
  }
}

/** @param {string} key of a text */
function refused(key) {
  return new Refusal({ code: "lesson", sentence: t(key) });
}

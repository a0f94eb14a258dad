// What the coach found in a finished game: the server analyses it in the background, and this model asks how far it is
// until it is done. It also has the game at its end and the positions in which the turning points were decided. It
// knows no rule, and judges nothing.

import { batch, computed, signal } from "@preact/signals";
import { finishedGame } from "./finished-game.js";
import { pastView, seatOfUser } from "./replay-model.js";
import { MAX_ATTEMPTS, REFUSED_PAUSE } from "./replay-steps.js";

/** @typedef {[value: number, low: number, high: number]} Estimate a chance in thousandths with its interval of 95 % */
/**
 * @typedef {object} TurningPoint a decision that cost much of the chance to win
 * @property {number} step the step made of the answer; the one before shows the position in which it was decided
 * @property {Record<string, number>} stage
 * @property {string} kind
 * @property {any} played the command of the seat
 * @property {any} better the command that would have won more often
 * @property {Estimate} chance after the played command
 * @property {Estimate} better_chance after the better one
 * @property {Estimate} cost
 * @property {{key: string, values: Record<string, any>} | null} reason
 */
/**
 * @typedef {object} SeatFindings
 * @property {{judged: number, good: number, close: number, poor: number}} decisions
 * @property {TurningPoint[]} points in the order of the steps
 * @property {{bids: number | null, bids_won: number | null, too_many: number | null, overpaid_in: number | null, skill: number, others?: number, luck: number}} summary
 *   what own poor decisions, those of others and all the rest changed of the chance to win
 */
/**
 * @typedef {object} Tender sealed influence cards that were revealed; lists are by seat
 * @property {number} step
 * @property {Record<string, number>} stage
 * @property {string | null} target
 * @property {string | null} action
 * @property {number} rights
 * @property {(number | null)[]} bids null: abstained
 * @property {number[]} held
 * @property {("won" | "tied" | "lost" | "abstained")[]} outcome
 * @property {(number | null)[]} enough the lowest card that would have won a right; null: no card would have
 * @property {number[]} worth
 */
/** @typedef {{step: number, stage: Record<string, number>, seats: Estimate[]}} ChanceRow */
/** @typedef {{game: string, version: number, trials: number, chances: ChanceRow[], seats: SeatFindings[], tenders: Tender[]}} Findings */
/** @typedef {{state: "waiting" | "running" | "done" | "failed", done: number, of: number, ahead: number, findings: Findings | null}} Analysis */

/** The chance of a certain win. */
export const CERTAIN = 1000;

/** Milliseconds until the page asks again how far an analysis is. */
export const ASK_INTERVAL = 1500;

/** @param {number} milliseconds @returns {Promise<void>} */
const sleep = (milliseconds) => new Promise((done) => setTimeout(done, milliseconds));

export class CoachModel {
  /**
   * @param {string} id @param {string | null} key
   * @param {import("./replay-source.js").ReplaySource} source
   * @param {() => Promise<{analysis: Analysis}>} analyse requests the analysis, or how far it is
   * @param {{eyes?: number | null, pause?: (milliseconds: number) => Promise<void>}} [options] `eyes`: the seat of the address
   */
  constructor(id, key, source, analyse, { eyes = null, pause = sleep } = {}) {
    this.id = id;
    this.key = key;
    this.source = source;
    this.request = analyse;
    this.pause = pause;
    /** The refusal that leaves nothing to show. */
    this.error = signal(/** @type {import("./refusal.js").Refusal | null} */ (null));
    /** The game at its end, all open; null until it is there. */
    this.end = signal(/** @type {any} */ (null));
    this.analysis = signal(/** @type {Analysis | null} */ (null));
    /** Why there is no analysis. */
    this.refusal = signal(/** @type {import("./refusal.js").Refusal | null} */ (null));
    /** The user's id. @type {import("@preact/signals").Signal<string | undefined>} */
    this.user = signal(/** @type {string | undefined} */ (undefined));
    /** The seat that the visitor has chosen; null: the own one, or the first. */
    this.chosen = signal(/** @type {number | null} */ (eyes));
    /** The seat of the user; null if they did not play. */
    this.me = computed(() => (this.end.value ? seatOfUser(this.end.value, this.user.value) : null));
    /** The final view as the page shows it: texts say "you" to the user. */
    this.view = computed(() => this.end.value && { ...this.end.value, mine: this.me.value });
    this.findings = computed(() => this.analysis.value?.findings ?? null);
    /** The seat whose decisions are shown. */
    this.seat = computed(() => {
      const chosen = this.chosen.value;
      const seats = this.end.value?.seats.length ?? 0;
      return chosen !== null && chosen < seats ? chosen : (this.me.value ?? 0);
    });
    /** Positions by seat and step, as the seat saw them. @type {import("@preact/signals").Signal<Record<string, any>>} */
    this.positions = signal({});
    /** @type {Set<string>} */
    this.asked = new Set();
    this.isAsking = false;
    this.isClosed = false;
  }

  /** Load the game, then have it analysed. */
  async load() {
    this.error.value = null;
    try {
      const { view } = await finishedGame(this.source);
      this.end.value = view;
    } catch (refusal) {
      this.error.value = /** @type {import("./refusal.js").Refusal} */ (refusal);
      return;
    }
    await this.analyse();
  }

  /** Ask for the analysis, and go on asking until it is done, has failed or is refused. */
  async analyse() {
    if (this.isAsking) return;
    this.isAsking = true;
    batch(() => {
      this.refusal.value = null;
      this.analysis.value = null;
    });
    let attempts = 0;
    while (!this.isClosed) {
      try {
        const { analysis } = await this.request();
        attempts = 0;
        if (this.isClosed) break;
        this.analysis.value = analysis;
        if (analysis.state === "done" || analysis.state === "failed") break;
        await this.pause(ASK_INTERVAL);
      } catch (refusal) {
        attempts += 1;
        if (/** @type {{code?: string}} */ (refusal).code !== "too_fast" || attempts === MAX_ATTEMPTS) {
          this.refusal.value = /** @type {import("./refusal.js").Refusal} */ (refusal);
          break;
        }
        await this.pause(REFUSED_PAUSE);
      }
    }
    this.isAsking = false;
  }

  /** Return the position in which a seat decided a turning point; null until it is there. @param {number} seat @param {number} step of the turning point */
  positionOf(seat, step) {
    return this.positions.value[`${seat} ${step}`] ?? null;
  }

  /** Fetch the positions of the turning points of a seat. A card without its position still has its sentences. @param {number} seat */
  async loadPositions(seat) {
    for (const { step } of this.findings.value?.seats[seat].points ?? []) {
      const key = `${seat} ${step}`;
      if (this.asked.has(key)) continue;
      this.asked.add(key);
      try {
        const { view } = await this.source.step(step - 1, seat);
        this.positions.value = { ...this.positions.value, [key]: pastView(view, this.me.value) };
      } catch {
        this.asked.delete(key);
      }
    }
  }

  /** Ask no more. */
  close() {
    this.isClosed = true;
  }
}

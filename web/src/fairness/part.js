// The part that the page of a seat has in making a game verifiable (docs/fairness.md): it commits to random bytes for the
// shuffle and opens them, seals answers, and keeps what it was shown. All of it goes on by itself. What fails here never
// keeps anybody from playing: then the server does it alone, and the record says so.

import { answerCommitment, canHash, canonicalJson, fromHex, seedCommitment } from "./commitments.js";
import { Kept } from "./kept.js";
import { randomHex, SEED_BYTES } from "./random.js";

const SALT_BYTES = 16;

/** Milliseconds before a request that a busy table refused is sent again. */
const AGAIN_AFTER = 400;
/** The refusals after which a request of an exchange is sent again. */
const PASSING = ["busy", "too_fast", "table_unavailable", "storage_failed"];

/** @typedef {import("./kept.js").OwnOpening} OwnOpening */

/** The part of this page at one table. */
export class FairPart {
  /**
   * @param {string} table
   * @param {(type: string, fields: object) => Promise<any>} request sends a request about the table
   * @param {Kept} [kept]
   */
  constructor(table, request, kept = new Kept(table)) {
    this.table = table;
    this.request = request;
    this.kept = kept;
    /** The requests of the exchange that are on their way or were answered for good, by what they are about. @type {Set<string>} */
    this.sent = new Set();
    /** The view that came last. @type {any} */
    this.view = null;
  }

  /** Do what the table needs from the own seat now: in the exchange of seeds, and when sealed answers are opened. @param {any} view */
  follow(view) {
    this.view = view;
    this.kept.dropHeld(view.play?.decision?.number);
    this.openAnswer(view);
    this.exchangeSeeds(view);
  }

  /** Open the own sealed answer. A page that does not have it leaves it to the one that does. @param {any} view */
  openAnswer({ mine, play }) {
    const decision = play?.decision;
    if (!decision?.opening || mine === null || !decision.awaited.includes(mine)) return;
    /** @type {import("./kept.js").Sealed[]} */
    const seals = decision.opening.seals;
    const sealOf = (/** @type {number} */ asked) => seals.find(({ seat }) => seat === asked);
    const own = this.kept.openingOf(sealOf(mine)?.commitment ?? "");
    // Nobody may see an answer before all are sealed.
    if (!own || !decision.seats.every(sealOf)) return;
    const { commitment, answer, salt } = own;
    this.once(`unseal ${commitment}`, async () => {
      await this.request("unseal", { decision: decision.number, command: JSON.parse(answer), salt });
      this.kept.noteOpened(own, seals);
    });
  }

  /** @param {any} view */
  exchangeSeeds(view) {
    const { fairness, phase } = view.table;
    const seat = view.mine;
    if (!fairness || phase !== "open" || seat === null || !canHash()) return;
    const has = (/** @type {number[]} */ seats) => seats.includes(seat);
    if (fairness.stage === "open") {
      if (has(fairness.committed) && !has(fairness.opened)) this.open(fairness.game, seat);
    } else if (fairness.stage !== "begun" && !has(fairness.committed)) this.commit(fairness.game, seat, view.seats[seat].user);
  }

  /** Commit to random bytes. Another tab of the same person uses the same ones. @param {number} game @param {number} seat @param {string} identity */
  commit(game, seat, identity) {
    return this.once(`commit ${game} ${seat} ${identity}`, async () => {
      const known = this.kept.seedOf(game, seat);
      const seed = known?.identity === identity ? known.seed : randomHex(SEED_BYTES);
      const own = { game, seat, identity, seed };
      // Stored before it is sent: a page that is reloaded meanwhile must be able to open it.
      if (known?.seed !== seed) this.kept.keepSeed(own);
      const commitment = await seedCommitment(this.table, game, seat, identity, fromHex(seed));
      await this.request("commit_seed", { game, commitment });
    });
  }

  /** Open the random bytes. A page that does not have them leaves it to the one that does. @param {number} game @param {number} seat */
  open(game, seat) {
    const own = this.kept.seedOf(game, seat);
    if (!own) return undefined;
    return this.once(`open ${game} ${seat} ${own.seed}`, async () => {
      await this.request("open_seed", { game, seed: own.seed });
      this.kept.keepSeed({ ...own, isOpened: true });
    });
  }

  /**
   * Carry out a step of the exchange once. What was refused for the moment is tried again as long as it is needed.
   * @param {string} name @param {() => Promise<any>} work
   */
  async once(name, work) {
    if (this.sent.has(name)) return;
    this.sent.add(name);
    try {
      await work();
    } catch (refusal) {
      const code = /** @type {{code?: string}} */ (refusal)?.code ?? "";
      // The end of a pause comes with another view.
      if (code === "paused") this.sent.delete(name);
      // Any other refusal means that the exchange has gone on without this page, or that another tab was first.
      if (!PASSING.includes(code)) return;
      setTimeout(() => {
        this.sent.delete(name);
        this.follow(this.view);
      }, AGAIN_AFTER);
      return;
    }
    // A seat that was left and taken again has lost its commitment, and a rolled-back log the opening of an answer.
    if (!name.startsWith("open")) this.sent.delete(name);
  }

  /**
   * Answer a sealed decision with a commitment, which is made anew if another tab has changed the answer meanwhile.
   * @param {object} command @param {() => any} viewNow returns the view at the time of the call
   * @returns {Promise<any>}
   */
  async decide(command, viewNow) {
    const view = viewNow();
    const { number, attempt } = view.play.decision;
    const opening = await this.seal(view, command).catch(() => null);
    try {
      if (opening?.isHeld) return await this.request("seal", { decision: number, attempt, commitment: opening.commitment });
      const sealing = opening ? { commitment: opening.commitment, salt: opening.salt } : {};
      return await this.request("decide", { decision: number, command, ...sealing });
    } catch (refusal) {
      if (!opening) throw refusal;
      const isWrong = /** @type {{code?: string}} */ (refusal).code === "bad_commitment";
      // After another refusal the server may have the commitment to a held answer all the same.
      if (isWrong || !opening.isHeld) this.kept.dropOpening(opening);
      const now = viewNow().play?.decision;
      if (!isWrong || now?.number !== number || now.attempt === attempt) throw refusal;
      return this.decide(command, viewNow);
    }
  }

  /**
   * Return the salt and the commitment of a sealed answer, and keep its opening; null where the server makes them. At a
   * table whose sealed answers stay on the devices it is held, if this device can store it.
   * @param {any} view @param {object} command
   * @returns {Promise<OwnOpening | null>}
   */
  async seal(view, command) {
    const { fairness, settings } = view.table;
    const { sealed, number, attempt } = view.play.decision;
    if (!fairness || !sealed || attempt === undefined || !canHash()) return null;
    const answer = canonicalJson(command);
    const salt = randomHex(SALT_BYTES);
    const commitment = await answerCommitment(this.table, fairness.game, number, view.mine, attempt, answer, fromHex(salt));
    const opening = { decision: number, seat: view.mine, attempt, commitment, salt, answer };
    if (settings?.sealed_on_devices) {
      const held = { ...opening, isHeld: true };
      this.kept.keepOpening(held);
      if (this.kept.isStored(held)) return held;
      this.kept.dropOpening(held);
    }
    this.kept.keepOpening(opening);
    return opening;
  }
}

// The verification of a transcript: chain, seeds, sealed answers and draws. It does not replay the rules.
//
// server/fairness/verify.py makes the same checks with the same keys, and replays the rules too. Nothing in the file is
// taken for granted. This runs in the page and in Node, and uses no network.

import { checkAnswers } from "./answers.js";
import {
  answerCommitment,
  base64url,
  below,
  canonicalJson,
  chainNext,
  chainStart,
  fingerprint,
  fromHex,
  gameSeed,
  hex,
  seedCommitment,
  serverCommitment,
  shuffled,
} from "./commitments.js";
import { Wrong, note, right, wrong } from "./findings.js";
import { bytes, isObject, isSame, isSameBytes, items, number, readLine, readTranscript, text, whyNotOf } from "./form.js";

/** @typedef {import("./form.js").Json} Json */
/** @typedef {import("./form.js").Line} Line */
/** @typedef {import("./form.js").Transcript} Transcript */
/** @typedef {import("./findings.js").Finding} Finding */
/**
 * @typedef {{ decision: number, seat: number, attempt: number, answer: string, salt: string, asked?: Json[] }} OwnAnswer
 *   `asked`: it stayed on the device, which opened it when all seats had sealed these
 */
/**
 * @typedef {object} Evidence what the own page has kept during the game; every part may be missing
 * @property {{ line: number, head: string }[]} [heads] heads of the chain that it was shown
 * @property {{ game: number, seat: number, seed: string }[]} [seeds] random bytes that it has opened
 * @property {OwnAnswer[]} [answers] answers that it has sealed, and that the server has accepted
 */

const SEED_BYTES = 32;
const MAX_BELOW = 2 ** 32;
const FINGERPRINT_CHARACTERS = 16;
const EXCHANGED = ["seed_committed", "seeds_asked", "seeds_closed", "seed_opened"];
const LEFT = ["seat_left", "seat_moved"];

/**
 * Return what is found in a transcript, which is JSON that anybody may have written.
 *
 * @param {Json} value
 * @param {Evidence} own
 * @returns {Promise<Finding[]>}
 */
export async function verify(value, own = {}) {
  let transcript, lines;
  try {
    const whyNot = whyNotOf(value);
    if (whyNot !== null) return [note("form", "not_verifiable", { why_not: whyNot })];
    transcript = readTranscript(value);
  } catch (error) {
    return [wrong("form", error)];
  }
  try {
    lines = transcript.lines.map((line, place) => readLine(line, place + 1));
  } catch (error) {
    return [wrong("chain", error)];
  }
  const heads = await headsOf(transcript);
  /** @type {[string, () => Finding[] | Promise<Finding[]>][]} */
  const checks = [
    ["chain", () => checkChain(transcript, heads)],
    ["seeds", () => checkSeeds(transcript, lines)],
    ["answers", () => checkAnswers(transcript, lines)],
    ["draws", () => checkDraws(transcript)],
    ["own", () => checkOwnSeeds(transcript, lines, own.seeds ?? [])],
    ["own", () => checkOwnAnswers(transcript, lines, own.answers ?? [])],
  ];
  /** @type {Finding[]} */
  const findings = [];
  for (const [name, check] of checks) {
    try {
      findings.push(...(await check()));
    } catch (error) {
      findings.push(wrong(name, error));
    }
  }
  for (const each of own.heads ?? []) findings.push(...checkHead(each, heads, lines));
  return [...findings, note("rules", "rules_not_replayed"), ...notesOf(lines, transcript)];
}

/**
 * Return `verified`, `wrong` or `not_verifiable`.
 *
 * @param {Finding[]} findings
 */
export function resultOf(findings) {
  if (findings.some(({ ok }) => ok === false)) return "wrong";
  return findings.some(({ key }) => key === "not_verifiable") ? "not_verifiable" : "verified";
}

// -- the chain --------------------------------------------------------------------------------------------------

/**
 * Return the heads of the chain before its first line, and after each.
 *
 * @param {Transcript} transcript
 */
async function headsOf({ table, lines }) {
  const heads = [await chainStart(table)];
  for (const line of lines) heads.push(await chainNext(heads[heads.length - 1], line));
  return heads;
}

/**
 * @param {Transcript} transcript
 * @param {Uint8Array[]} heads
 */
function checkChain(transcript, heads) {
  const last = heads[heads.length - 1];
  if (base64url(last) !== transcript.head) throw new Wrong("chain_head_differs");
  return [right("chain", "chain_ok", { lines: transcript.lines.length, fingerprint: fingerprint(last) })];
}

/**
 * Return what readers should know, though it is neither right nor wrong.
 *
 * @param {Line[]} lines
 * @param {Transcript} transcript
 */
function notesOf(lines, transcript) {
  const events = lines.flatMap((line) => line.events);
  const notes = events
    .filter(({ event, seat }) => event === "history_differs" && Number.isInteger(seat))
    // A client can say so without reason, so this alone is no proof.
    .map(({ seat, line }) => note("chain", "history_differs_note", { seat, at: line ?? null }));
  const lost = events.filter(({ event }) => event === "went_back").length;
  if (lost) notes.push(note("chain", "went_back_note", { count: lost }));
  if (transcript.outcome === null) notes.push(note("rules", "abandoned_note"));
  return notes;
}

// -- the seeds --------------------------------------------------------------------------------------------------

/** The exchange that is under way while the lines are read one after the other. */
class Exchange {
  /**
   * @param {string} table
   * @param {number} game
   * @param {string} commitment
   */
  constructor(table, game, commitment) {
    this.table = table;
    this.game = game;
    this.commitment = commitment;
    this.isAsked = false;
    this.isClosed = false;
    /** @type {Map<number, { identity: string, commitment: string }>} */
    this.commitments = new Map();
    /** @type {Map<number, Uint8Array>} */
    this.opened = new Map();
  }

  /** The seats that have committed and not opened. */
  get late() {
    return [...this.commitments.keys()].filter((seat) => !this.opened.has(seat)).sort((one, other) => one - other);
  }

  /**
   * Read an event of the exchange; throw `Wrong` if it may not come now.
   *
   * @param {Record<string, Json>} event
   * @param {number} line
   */
  async add(event, line) {
    const kind = event.event;
    if (LEFT.includes(kind)) {
      // Who leaves a seat takes the commitment along.
      this.commitments.delete(number(event, "seat"));
      return;
    }
    let isTimely = number(event, "game") === this.game;
    if (kind === "seed_committed") {
      isTimely &&= !this.isClosed;
      const identity = text(event, "identity");
      this.commitments.set(number(event, "seat"), { identity, commitment: text(event, "commitment") });
    } else if (kind === "seeds_asked") {
      isTimely &&= !this.isAsked;
      this.isAsked = true;
    } else if (kind === "seeds_closed") {
      isTimely &&= this.isAsked && !this.isClosed && this.commitments.size > 0;
      this.isClosed = true;
    } else {
      await this.open(event, line);
    }
    if (!isTimely) throw new Wrong("seeds_order", { line });
  }

  /**
   * @param {Record<string, Json>} event
   * @param {number} line
   */
  async open(event, line) {
    const [seat, seed] = [number(event, "seat"), bytes(event, "seed")];
    const committed = this.commitments.get(seat);
    if (!this.isClosed || this.opened.has(seat) || committed === undefined) throw new Wrong("seeds_order", { line });
    const { identity, commitment } = committed;
    const made = await seedCommitment(this.table, this.game, seat, identity, seed);
    if (seed.length !== SEED_BYTES || made !== commitment) throw new Wrong("seeds_commitment_seat", { seat });
    this.opened.set(seat, seed);
  }

  /** @param {Uint8Array} seed */
  async checkServer(seed) {
    const made = await serverCommitment(this.table, this.game, seed);
    if (seed.length !== SEED_BYTES || made !== this.commitment) {
      throw new Wrong("seeds_commitment_server", { game: this.game });
    }
  }

  /**
   * Check the end of an exchange without a game, which publishes the seed of the server.
   *
   * @param {Record<string, Json>} event
   * @param {number} line
   */
  async checkVoided(event, line) {
    if (number(event, "game") !== this.game || !this.isAsked) throw new Wrong("seeds_order", { line });
    await this.checkServer(bytes(event, "seed"));
    if (!items(event, "late").every((seat) => this.late.includes(seat))) {
      throw new Wrong("seeds_voided", { game: this.game });
    }
  }
}

/**
 * Return the exchange before the game, the digest that was shown at the start, and the setup of the game.
 *
 * @param {Transcript} transcript
 * @param {Line[]} lines
 */
async function readExchange(transcript, lines) {
  /** @type {Exchange | null} */
  let exchange = null;
  let [hasEnded, games] = [true, 0];
  /** @type {{ exchange: Exchange, digest: string, setup: Record<string, Json> } | null} */
  let started = null;
  for (const line of lines) {
    if (line.setup !== null && !line.events.some(({ event }) => event === "game_started")) {
      throw new Wrong("seeds_order", { line: line.number });
    }
    for (const event of line.events) {
      const kind = event.event;
      const isOrderly = exchange !== null && !hasEnded && started === null;
      if (kind === "server_seed_drawn") {
        games += 1;
        if (!hasEnded || started !== null || number(event, "game") !== games) {
          throw new Wrong("seeds_order", { line: line.number });
        }
        exchange = new Exchange(transcript.table, games, text(event, "commitment"));
        hasEnded = false;
      } else if (EXCHANGED.includes(kind) || kind === "seeds_voided" || kind === "game_started") {
        if (exchange === null || !isOrderly) throw new Wrong("seeds_order", { line: line.number });
        if (kind === "seeds_voided") {
          await exchange.checkVoided(event, line.number);
          hasEnded = true;
        } else if (kind === "game_started") {
          if (exchange.late.length > 0) throw new Wrong("seeds_not_opened", { seat: exchange.late[0] });
          if (!isObject(line.setup)) throw new Wrong("seeds_missing");
          started = { exchange, digest: text(event, "digest"), setup: line.setup };
        } else {
          await exchange.add(event, line.number);
        }
      } else if (LEFT.includes(kind) && exchange !== null && started === null) {
        await exchange.add(event, line.number);
      }
    }
  }
  if (started === null) throw new Wrong("seeds_missing");
  return started;
}

/**
 * Return the findings about the seeds: nobody could choose the seed of the game, and it follows from all seeds.
 *
 * @param {Transcript} transcript
 * @param {Line[]} lines
 */
async function checkSeeds(transcript, lines) {
  const { title, rules, table, serverSeed } = transcript;
  const { exchange, digest, setup } = await readExchange(transcript, lines);
  if (exchange.game !== transcript.game || transcript.voidGames !== transcript.game - 1) throw new Wrong("seeds_game");
  await exchange.checkServer(serverSeed);
  const bots = items(setup, "bots");
  const isSameGame = setup.game === title && setup.rules === rules;
  if (!isSameGame || !isObject(setup.options)) throw new Wrong("seeds_setup");
  const seats = bots.map((_, seat) => {
    const seed = exchange.opened.get(seat);
    const identity = exchange.commitments.get(seat)?.identity;
    return seed && identity !== undefined ? { identity, seed } : { identity: "", seed: new Uint8Array() };
  });
  const deck = [title, String(bots.length), canonicalJson(setup.options)];
  const made = await gameSeed(serverSeed, table, exchange.game, String(rules), deck, seats);
  if (!isSameBytes(made, transcript.gameSeed)) throw new Wrong("seeds_game_seed");
  const seen = new Uint8Array(await crypto.subtle.digest("SHA-256", made));
  if (hex(seen) !== digest) throw new Wrong("seeds_digest");
  const contributed = [...exchange.opened.keys()].sort((one, other) => one - other);
  const isShared = contributed.length > 0;
  const findings = [isShared ? right("seeds", "seeds_ok", { seats: contributed }) : note("seeds", "seeds_server_alone")];
  if (transcript.voidGames) findings.push(note("seeds", "seeds_void_note", { games: transcript.voidGames }));
  return findings;
}

// -- draws ------------------------------------------------------------------------------------------------------

/** @param {Transcript} transcript */
async function checkDraws({ draws, gameSeed: seed }) {
  if (seed.length !== SEED_BYTES) throw new Wrong("form_unreadable", { part: "game_seed" });
  for (const draw of draws) {
    const label = text(draw, "label");
    let isRight;
    if (Object.hasOwn(draw, "items")) {
      isRight = isSame(await shuffled(seed, label, items(draw, "items")), draw.order ?? null);
    } else {
      const bound = number(draw, "below");
      isRight = bound > 0 && bound <= MAX_BELOW && number(draw, "value") === (await below(seed, label, bound));
    }
    if (!isRight) throw new Wrong("draw_differs", { label });
  }
  return [right("draws", "draws_ok", { draws: draws.length })];
}

// -- the own evidence -------------------------------------------------------------------------------------------

/**
 * @param {Transcript} transcript
 * @param {Line[]} lines
 * @param {NonNullable<Evidence["seeds"]>} seeds
 */
function checkOwnSeeds(transcript, lines, seeds) {
  const events = lines.flatMap((line) => line.events);
  const own = seeds.filter(({ game }) => game === transcript.game);
  for (const { game, seat, seed } of own) {
    const isThere = events.some(
      (event) => event.event === "seed_opened" && event.game === game && event.seat === seat && event.seed === seed,
    );
    if (!isThere) throw new Wrong("own_seed_missing", { seat });
  }
  return own.length ? [right("own", "own_seed_ok")] : [];
}

/**
 * @param {Transcript} transcript
 * @param {Line[]} lines
 * @param {OwnAnswer[]} answers
 */
async function checkOwnAnswers({ table, game, openings }, lines, answers) {
  const events = lines.flatMap((line) => line.events).filter(({ event }) => event === "openings_asked");
  for (const { decision, seat, attempt, answer, salt, asked } of answers) {
    const opening = openings.find(
      (each) => each.decision === decision && each.seat === seat && each.attempt === attempt,
    );
    const made = await answerCommitment(table, game, decision, seat, attempt, answer, fromHex(salt));
    // An answer that stayed closed is known by its commitment alone.
    const isIt = opening?.salt ? opening.answer === answer && hex(opening.salt) === salt : opening?.commitment === made;
    if (!isIt || opening?.by_server) throw new Wrong("own_answer_differs", { decision, seat });
    if (!asked) continue;
    // Whoever lets a device open before all have answered, or denies that it has opened, leaves another record.
    const seals = events.find((each) => each.decision === decision)?.seals ?? null;
    if (!opening?.salt || !isSame(seals, asked)) throw new Wrong("own_opening_differs", { decision, seat });
  }
  return answers.length ? [right("own", "own_answers_ok", { answers: answers.length })] : [];
}

/**
 * @param {{ line: number | null, head: string }} noted a head or its fingerprint; the line may be unknown
 * @param {Uint8Array[]} heads
 * @param {Line[]} lines
 * @returns {Finding[]}
 */
function checkHead({ line, head }, heads, lines) {
  const compact = head.replace(/[\s-]/g, "").toLowerCase();
  /** @param {Uint8Array | undefined} known */
  const isNoted = (known) =>
    known !== undefined && (head === base64url(known) || compact === hex(known).slice(0, FINGERPRINT_CHARACTERS));
  // A page has noted hundreds of heads, so that only the one of the line is compared where that is known.
  const found = line === null ? heads.findIndex(isNoted) : isNoted(heads[line]) ? line : -1;
  if (found >= 0) return [right("heads", "head_ok", { line: found })];
  const isLost = lines.some(({ events }) => events.some(({ event }) => event === "went_back"));
  return [isLost ? note("heads", "head_lost") : { check: "heads", ok: false, key: "head_missing", values: {} }];
}

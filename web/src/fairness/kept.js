// What this device keeps of a table so that the page can check the finished game: its own random bytes, the openings of its
// sealed answers, and the heads of the public chain that it was shown. All tabs share it, and a reload does not lose it.

import { deviceStorage } from "../storage.js";

/** Tables that are kept; the one that was used least recently is forgotten. */
const MAX_TABLES = 12;
/** Tables that are kept beside them, since only this device can open an answer there. */
const MAX_SEALED = 40;
/** Heads that are kept for a table; the first are forgotten. */
const MAX_HEADS = 800;
/** Milliseconds after which new heads are stored: a table may get several at a time. */
const HEADS_DELAY = 500;

const INDEX = "fairness";

/** @typedef {{game: number, seat: number, identity: string, seed: string, isOpened?: boolean}} OwnSeed `isOpened`: the table has got it */
/** @typedef {{seat: number, attempt: number, commitment: string}} Sealed the last answer of a seat, when all have answered */
/**
 * `isHeld`: the server has the commitment alone, and this device opens the answer. `asked`: what all had sealed when it did.
 * @typedef {{decision: number, seat: number, attempt: number, commitment: string, salt: string, answer: string, isHeld?: boolean, asked?: Sealed[]}} OwnOpening
 */
/** @typedef {typeof deviceStorage} Storage */

/** Return a stored value, or another one if there is none or it cannot be read. @template T @param {Storage} storage @param {string} name @param {T} otherwise @returns {T} */
function read(storage, name, otherwise) {
  try {
    return JSON.parse(storage.get(name) ?? "null") ?? otherwise;
  } catch {
    return otherwise;
  }
}

/** Return whether this browser keeps what a page stores. @param {Storage} [storage] */
export function canKeep(storage = deviceStorage) {
  const probe = `${INDEX}.probe`;
  storage.set(probe, "1");
  const isKept = storage.get(probe) !== null;
  storage.remove(probe);
  return isKept;
}

/** Return the tables of which something is kept, the latest last. @param {Storage} [storage] @returns {string[]} */
export function keptTables(storage = deviceStorage) {
  return read(storage, INDEX, []);
}

/** Return the openings of own answers at a table. @param {string} table @param {Storage} [storage] @returns {OwnOpening[]} */
export function keptOpenings(table, storage = deviceStorage) {
  return read(storage, `${INDEX}.${table}`, { openings: [] }).openings;
}

/** Return whether only this device has an answer at a table. @param {string} table @param {Storage} [storage] */
export function holdsAnswer(table, storage = deviceStorage) {
  return keptOpenings(table, storage).some(({ isHeld }) => isHeld);
}

/** @typedef {{seeds: OwnSeed[], openings: OwnOpening[], differs: number | null}} Own `differs`: a seat whose page was shown another history */

/** What is kept of one table. */
export class Kept {
  /** @param {string} table @param {Storage} [storage] */
  constructor(table, storage = deviceStorage) {
    this.table = table;
    this.storage = storage;
    this.name = `${INDEX}.${table}`;
    /** What this tab knows, where nothing can be stored. @type {Own} */
    this.own = { seeds: [], openings: [], differs: null };
    /** By line: the head of the chain after it. @type {Record<string, string>} */
    this.heads = read(storage, `${this.name}.heads`, {});
    /** @type {ReturnType<typeof setTimeout> | null} */
    this.timer = null;
  }

  /** What is kept now; another tab may have changed it. */
  get now() {
    return read(this.storage, this.name, this.own);
  }

  /** @param {Partial<Own>} changed */
  change(changed) {
    this.own = { ...this.now, ...changed };
    this.storage.set(this.name, JSON.stringify(this.own));
    this.list();
  }

  /** Return the own random bytes for an exchange; null if this device has made none. @param {number} game @param {number} seat */
  seedOf(game, seat) {
    return this.now.seeds.find((each) => each.game === game && each.seat === seat) ?? null;
  }

  /** Keep random bytes, instead of others for the same exchange. @param {OwnSeed} seed */
  keepSeed(seed) {
    this.change({ seeds: [...this.now.seeds.filter((each) => each.game !== seed.game || each.seat !== seed.seat), seed] });
  }

  /** @param {OwnOpening} opening */
  keepOpening(opening) {
    this.change({ openings: [...this.now.openings, opening] });
  }

  /** Return whether the storage has an opening, so that a reload does not lose it. @param {OwnOpening} opening */
  isStored({ commitment }) {
    return keptOpenings(this.table, this.storage).some((each) => each.commitment === commitment);
  }

  /** Return the opening of an own answer; undefined if another device has it. @param {string} commitment */
  openingOf(commitment) {
    return this.now.openings.find((each) => each.commitment === commitment);
  }

  /** Keep an answer that the server has got now as evidence. Another tab may have dropped it. @param {OwnOpening} opening @param {Sealed[]} asked */
  noteOpened(opening, asked) {
    this.dropOpening(opening);
    this.keepOpening({ ...opening, isHeld: false, asked });
  }

  /** Drop the answers that only this device has, unless their decision is open. @param {number | undefined} number of the open decision */
  dropHeld(number) {
    const left = this.now.openings.filter(({ isHeld, decision }) => !isHeld || decision === number);
    if (left.length < this.now.openings.length) this.change({ openings: left });
  }

  /** Forget the opening of an answer that was refused. @param {OwnOpening} opening */
  dropOpening({ commitment }) {
    this.change({ openings: this.now.openings.filter((each) => each.commitment !== commitment) });
  }

  /** @param {number} line @param {string} head @param {boolean} [isStored] the heads of games that one watches stay in the page */
  keepHead(line, head, isStored = true) {
    if (this.heads[line] === head) return;
    this.heads[line] = head;
    if (isStored) this.timer ??= setTimeout(() => this.storeHeads(), HEADS_DELAY);
  }

  /**
   * Forget what the record must agree with: the log was rolled back, and what follows is another record. It may ask again for
   * answers to the open decision.
   * @param {number | undefined} number of the open decision
   */
  forget(number) {
    this.heads = {};
    this.storage.remove(`${this.name}.heads`);
    this.change({ openings: this.now.openings.filter(({ decision }) => decision === number), seeds: this.now.seeds.map((seed) => ({ ...seed, isOpened: false })) });
  }

  /** Return what the record of the finished game must agree with. @returns {import("./verify.js").Evidence} */
  evidence() {
    const { seeds, openings } = this.now;
    return {
      heads: Object.entries(this.heads).map(([line, head]) => ({ line: Number(line), head })),
      seeds: seeds.filter(({ isOpened }) => isOpened),
      answers: openings.filter(({ isHeld }) => !isHeld),
    };
  }

  storeHeads() {
    if (this.timer !== null) clearTimeout(this.timer);
    this.timer = null;
    const all = Object.entries({ ...read(this.storage, `${this.name}.heads`, {}), ...this.heads });
    // The keys of an object that are whole numbers are in ascending order.
    this.heads = Object.fromEntries(all.slice(-MAX_HEADS));
    this.storage.set(`${this.name}.heads`, JSON.stringify(this.heads));
    this.list();
  }

  /** Make this the table that was used last, and forget the one that was used first if there are too many. */
  list() {
    const tables = keptTables(this.storage);
    if (tables.at(-1) === this.table) return;
    const kept = [...tables.filter((each) => each !== this.table), this.table];
    const held = kept.length > MAX_TABLES ? kept.filter((table) => holdsAnswer(table, this.storage)) : [];
    const others = kept.filter((table) => !held.includes(table));
    const forgotten = [...held.slice(0, -MAX_SEALED), ...others.slice(0, -MAX_TABLES)];
    for (const old of forgotten) {
      this.storage.remove(`${INDEX}.${old}`);
      this.storage.remove(`${INDEX}.${old}.heads`);
    }
    this.storage.set(INDEX, JSON.stringify(kept.filter((table) => !forgotten.includes(table))));
  }
}

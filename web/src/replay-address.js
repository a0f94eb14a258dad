// The address of a moment of a finished game: `/g/ID?step=57&eyes=2#k=KEY`. The eyes are those of the protocol: a seat
// from 0, `spectators` or `all`. `step=last` is the end. `embed` shows the moment without the frame of the site.

/** @typedef {import("./replay-steps.js").Eyes} Eyes */
/** @typedef {{step: number | null, eyes: Eyes, isEmbedded: boolean}} Moment */

const MAX_SEATS = 5;

/** The step of a moment at the end of a game, whose number the page of a table does not know. */
export const LAST_STEP = Infinity;

/** Return the eyes that a text names; null for none. @param {string | null} text @returns {Eyes} */
function eyesFrom(text) {
  if (text === "spectators" || text === "all") return text;
  return text !== null && /^\d$/.test(text) && Number(text) < MAX_SEATS ? Number(text) : null;
}

/** Return the moment of an address. What is not understood is ignored. @param {string} search @returns {Moment} */
export function parseMoment(search) {
  const fields = new URLSearchParams(search);
  const step = fields.get("step");
  return {
    step: step === "last" ? LAST_STEP : step !== null && /^\d{1,9}$/.test(step) ? Number(step) : null,
    eyes: eyesFrom(fields.get("eyes")),
    isEmbedded: fields.has("embed"),
  };
}

/**
 * Return the path of a moment.
 * @param {string} id @param {Partial<Moment>} [moment] @param {string | null} [key] of a private game that is shared
 */
export function momentPath(id, { step = null, eyes = null, isEmbedded = false } = {}, key = null) {
  const fields = [...(step === null ? [] : [`step=${step === LAST_STEP ? "last" : step}`]), ...(eyes === null ? [] : [`eyes=${eyes}`]), ...(isEmbedded ? ["embed"] : [])];
  return `/g/${id}${fields.length ? `?${fields.join("&")}` : ""}${key ? `#k=${key}` : ""}`;
}

/**
 * Return the path of a page about a finished game: what the coach found, for a seat, or its result.
 * @param {string} id @param {"coach" | "result"} page @param {{eyes?: number | null, key?: string | null}} [options] `key` as of a moment
 */
export function gamePath(id, page, { eyes = null, key = null } = {}) {
  return `/g/${id}/${page}${eyes === null ? "" : `?eyes=${eyes}`}${key ? `#k=${key}` : ""}`;
}

/**
 * Return whether others need a key to see a finished game: at private tables, and at tables without spectators.
 * @param {{private: boolean, spectators: boolean}} settings of its table
 */
export function needsKey(settings) {
  return settings.private || !settings.spectators;
}

/** Milliseconds between two changes of the address; Safari refuses more than 100 in 30 s. */
const ADDRESS_INTERVAL = 400;

/** Keeps the address of the page in step, without a new entry in the history for each step. */
export class AddressFollower {
  /** @param {{replace?: (path: string) => void, later?: (work: () => void, milliseconds: number) => any}} [options] */
  constructor({ replace = (path) => history.replaceState(history.state, "", path), later = (work, milliseconds) => setTimeout(work, milliseconds) } = {}) {
    this.replace = replace;
    this.later = later;
    /** @type {string | null} */
    this.pending = null;
    this.isWaiting = false;
    this.isStopped = false;
  }

  /** Show a path in the address, at once or after a pause; only the newest one counts. @param {string} path */
  follow(path) {
    this.pending = path;
    if (!this.isWaiting) this.write();
  }

  write() {
    if (this.pending === null || this.isStopped) return;
    const path = this.pending;
    this.pending = null;
    this.isWaiting = true;
    try {
      this.replace(path);
    } catch {
      // A browser that counts changes of the address refuses this one; the next one comes.
    }
    this.later(() => {
      this.isWaiting = false;
      this.write();
    }, ADDRESS_INTERVAL);
  }

  /** Change the address no more: the page is left. */
  stop() {
    this.isStopped = true;
  }
}

// The check of a finished game by this page: it fetches the transcript, and compares it with what this device has kept.

import { signal } from "@preact/signals";
import { canHash } from "./commitments.js";
import { resultOf, verify } from "./verify.js";

/** @typedef {import("./verify.js").Finding} Finding */
/** @typedef {import("./verify.js").Evidence} Evidence */
/** @typedef {"verified" | "wrong" | "not_verifiable"} Result */
/**
 * A check: `fetching` and `failed` are about the transcript, `unable` about a browser that cannot make fingerprints.
 * @typedef {{state: "fetching" | "failed" | "unable" | Result, findings: Finding[]}} Check
 */

/** Return the address of the transcript of a game. @param {string} id @param {string | null} key */
export function transcriptPath(id, key) {
  return `/g/${id}/transcript.json${key ? `?key=${encodeURIComponent(key)}` : ""}`;
}

/** Return whether the server has lost entries of a game, so that what devices were shown need not be in it. @param {any} transcript */
function isRolledBack(transcript) {
  return Array.isArray(transcript?.lines) && transcript.lines.some((/** @type {unknown} */ line) => typeof line === "string" && line.includes('"event":"went_back"'));
}

/**
 * Return the check of a game, once the transcript is there.
 * @param {() => Promise<any>} fetchTranscript @param {Evidence} evidence
 * @returns {Promise<Check>}
 */
export async function checkGame(fetchTranscript, evidence) {
  if (!canHash()) return { state: "unable", findings: [] };
  let transcript;
  try {
    transcript = await fetchTranscript();
  } catch {
    return { state: "failed", findings: [] };
  }
  const findings = await verify(transcript, isRolledBack(transcript) ? {} : evidence);
  return { state: resultOf(findings), findings };
}

/** Fetch a transcript. @param {string} id @param {string | null} key */
async function fetchTranscript(id, key) {
  const answer = await fetch(transcriptPath(id, key));
  if (!answer.ok) throw new Error("no transcript");
  return answer.json();
}

/** Milliseconds before a transcript that could not be fetched is asked for again: a game that has just ended may not be ready. */
const AGAIN_AFTER = [800, 2500];

/** The check of one game, as a page shows it. */
export class GameCheck {
  /** @param {string} id @param {string | null} key @param {() => Evidence | Promise<Evidence>} [evidence] */
  constructor(id, key, evidence = () => ({})) {
    this.id = id;
    this.key = key;
    this.evidence = evidence;
    /** Null until it is begun. */
    this.check = signal(/** @type {Check | null} */ (null));
  }

  /** Begin the check, or begin it anew. */
  async run() {
    this.check.value = { state: "fetching", findings: [] };
    const evidence = await this.evidence();
    for (const delay of AGAIN_AFTER) {
      const check = await checkGame(() => fetchTranscript(this.id, this.key), evidence);
      if (check.state !== "failed") return void (this.check.value = check);
      await new Promise((resolve) => setTimeout(resolve, delay));
    }
    this.check.value = await checkGame(() => fetchTranscript(this.id, this.key), evidence);
  }
}

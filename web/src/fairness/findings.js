// What a verifier finds, as keys with values. Whoever shows them has the sentences.

/**
 * @typedef {object} Finding the result of one check
 * @property {string} check form, chain, seeds, answers, draws, rules or own
 * @property {boolean | null} ok null for a note, which is neither right nor wrong
 * @property {string} key the name of the sentence
 * @property {Record<string, any>} values the values in the sentence; seats count from 0
 */

/** Something contradicts what must be so; it ends the check that throws it. */
export class Wrong extends Error {
  /**
   * @param {string} key
   * @param {Record<string, any>} values
   */
  constructor(key, values = {}) {
    super(key);
    this.key = key;
    this.values = values;
  }
}

/**
 * @param {string} check
 * @param {string} key
 * @param {Record<string, any>} values
 * @returns {Finding}
 */
export const right = (check, key, values = {}) => ({ check, ok: true, key, values });

/**
 * @param {string} check
 * @param {string} key
 * @param {Record<string, any>} values
 * @returns {Finding}
 */
export const note = (check, key, values = {}) => ({ check, ok: null, key, values });

/**
 * @param {string} check
 * @param {unknown} error
 * @returns {Finding}
 */
export function wrong(check, error) {
  if (!(error instanceof Wrong)) throw error;
  return { check, ok: false, key: error.key, values: error.values };
}

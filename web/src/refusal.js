// Refusals by the server, said in the language of the page.

import { hasText, language, t } from "./catalogue/index.js";

/** @typedef {{code: string, sentence: string, variant?: string, values?: Record<string, string | number>}} RefusalFields */

/**
 * Return the sentence of a refusal: the server's own in English, the text of its code and variant in another language.
 * @param {RefusalFields} refusal
 */
function sentenceOf({ code, sentence, variant, values }) {
  if (language.value === "en") return sentence;
  const keys = [`refusal.${code}.${variant}`, `refusal.${code}`];
  const key = keys.find(hasText);
  return key ? t(key, values) : sentence;
}

/** A refusal: a code for programs, and a message for the visitor, in the language at the time of reading. */
export class Refusal extends Error {
  /** @param {RefusalFields} refusal */
  constructor(refusal) {
    super();
    Object.defineProperty(this, "message", { get: () => sentenceOf(refusal) });
    this.code = refusal.code;
  }
}

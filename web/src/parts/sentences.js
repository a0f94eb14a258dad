// Texts joined so that a screen reader pauses between them.

import { capitalize } from "./names.js";

/** Return texts as sentences: each with a capital letter and a full stop; empty ones are left out. @param {(string | null | undefined | false)[]} texts */
export function asSentences(texts) {
  return texts
    .flatMap((text) => (text ? [text.trim()] : []))
    .map((text) => capitalize(/[.!?:;]$/.test(text) ? text : `${text}.`))
    .join(" ");
}

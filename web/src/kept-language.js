// The language of the page is kept with the user: a choice is stored by the server, and every other device of the user
// gets it with the next welcome. Until somebody chooses, each browser's own preference holds.

import { effect } from "@preact/signals";
import { isLanguageChosen, language, setLanguage, wantedLanguage } from "./catalogue/index.js";

/**
 * Keep the chosen language with the user; return the function to call with the user of each welcome.
 * @param {{request: (message: any) => Promise<any>}} socket
 */
export function keepLanguage(socket) {
  let shown = language.peek();
  let isKnown = false;
  /** The language that the server has stored. @type {string | null} */
  let stored = null;
  /** A choice that the server has not confirmed; it is stronger than what another device has chosen before. @type {string | null} */
  let unsaved = null;
  let isSending = false;

  async function save() {
    if (!isKnown || isSending || unsaved === null) return;
    isSending = true;
    const sent = unsaved;
    try {
      await socket.request({ type: "set_language", language: sent });
      stored = sent;
      if (unsaved === sent) unsaved = null;
      isSending = false;
      save();
    } catch {
      // Refused: the next welcome tries again.
      isSending = false;
    }
  }

  effect(() => {
    if (language.value === shown) return;
    shown = language.value;
    if (shown === stored && unsaved === null) return;
    unsaved = shown;
    save();
  });

  return (/** @type {{language?: string | null}} */ user) => {
    isKnown = true;
    stored = user.language ?? null;
    if (unsaved === null && stored === null && isLanguageChosen()) unsaved = language.peek();
    if (unsaved !== null) save();
    // A language that is being fetched was chosen just now. If texts cannot be fetched, the page stays as it is.
    else if (stored !== null && wantedLanguage() === language.peek()) setLanguage(stored).catch(() => {});
  };
}

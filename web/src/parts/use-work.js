// A hook for forms and buttons that send requests: whether one is pending, and why the last one was refused. Unlike
// `use-request.js` it keeps the code of the refusal.

import { useState } from "preact/hooks";
import { onEscape } from "./on-escape.js";

/**
 * @typedef {object} Work
 * @property {(work: () => Promise<any>) => Promise<boolean>} run returns whether it was carried out
 * @property {boolean} isBusy
 * @property {{code: string | undefined, sentence: string} | null} refusal
 * @property {() => void} forget removes the refusal
 */

/** @returns {Work} */
export function useWork() {
  const [isBusy, setBusy] = useState(false);
  const [refusal, setRefusal] = useState(/** @type {Work["refusal"]} */ (null));
  /** @param {() => Promise<any>} work */
  const run = async (work) => {
    if (isBusy) return false;
    setBusy(true);
    setRefusal(null);
    try {
      await work();
      return true;
    } catch (reason) {
      setRefusal({ code: /** @type {{code?: string}} */ (reason).code, sentence: /** @type {Error} */ (reason).message });
      return false;
    } finally {
      setBusy(false);
    }
  };
  return { run, isBusy, refusal, forget: () => setRefusal(null) };
}

/** The sentence of a refusal, which a screen reader says at once. @param {{work: Work}} props */
export function RefusalLine({ work }) {
  if (!work.refusal) return null;
  return (
    <p class="error" role="alert">
      {work.refusal.sentence}
    </p>
  );
}

/**
 * A button that asks once more before it does something.
 * @param {{label: string, sure: string, name?: string, isBusy: boolean, class?: string, onSure: () => void}} props `name` for screen readers
 */
export function SureButton({ label, sure, name, isBusy, class: style = "", onSure }) {
  const [isAsked, setAsked] = useState(false);
  if (!isAsked) {
    return (
      <button type="button" class={style} aria-label={name} onClick={() => setAsked(true)}>
        {label}
      </button>
    );
  }
  return (
    <button
      type="button"
      class={`danger ${style}`}
      ref={(node) => node?.focus()}
      aria-disabled={isBusy}
      onBlur={() => setAsked(false)}
      onKeyDown={onEscape(() => setAsked(false))}
      onClick={onSure}
    >
      {sure}
    </button>
  );
}

// The field for a handle. What nobody can have is said while it is typed; the server says whether it is free.

import { useId, useState } from "preact/hooks";
import { t } from "../../catalogue/index.js";
import { cleanHandle, handleMistake } from "../../parts/handles.js";
import { RefusalLine } from "../../parts/use-work.js";

/** Refusals that are about the handle, and not about something else on the way. */
const ABOUT_HANDLE = ["bad_handle", "handle_taken"];

/**
 * @param {object} props
 * @param {string} props.label
 * @param {string} props.button
 * @param {string} props.first what stands in the field at first
 * @param {import("../../parts/use-work.js").Work} props.work
 * @param {(handle: string) => void} props.onSend
 * @param {any} [props.children] what stands below
 */
export function HandleField({ label, button, first, work, onSend, children }) {
  const [typed, setTyped] = useState(first);
  const id = useId();
  const mistake = handleMistake(typed);
  const isRefused = work.refusal !== null && ABOUT_HANDLE.includes(work.refusal.code ?? "");
  const send = (/** @type {Event} */ event) => {
    event.preventDefault();
    if (cleanHandle(typed) && !mistake) onSend(cleanHandle(typed));
  };
  return (
    <form class="handle-form" onSubmit={send}>
      <label for={id}>{label}</label>
      <div class="you-name-row">
        <span class="handle-input">
          <span aria-hidden="true">@</span>
          <input
            id={id}
            value={typed}
            maxLength={24}
            autoCapitalize="none"
            autoComplete="off"
            spellcheck={false}
            aria-invalid={mistake !== null || isRefused}
            aria-describedby={`${id}-note`}
            onInput={(event) => {
              setTyped(event.currentTarget.value);
              work.forget();
            }}
          />
        </span>
        <button class="bay" aria-disabled={work.isBusy || !typed || mistake !== null}>
          {button}
        </button>
      </div>
      <p class={`small ${mistake ? "error" : "muted"}`} id={`${id}-note`} aria-live="polite">
        {t(mistake ? `handle.${mistake}` : "handle.rules")}
      </p>
      <RefusalLine work={work} />
      {children}
    </form>
  );
}

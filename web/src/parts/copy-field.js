// A text to copy: a field that shows it, and a button.

import { useEffect, useRef, useState } from "preact/hooks";
import { t } from "../catalogue/index.js";
import { Icon } from "./art.js";
import "../style/copy-field.css";

/** @param {{label: string, text: string}} props */
export function CopyField({ label, text }) {
  const [isCopied, setCopied] = useState(false);
  /** @type {import("preact").RefObject<HTMLInputElement>} */
  const field = useRef(null);
  useEffect(() => setCopied(false), [text]);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      setCopied(true);
    } catch {
      // Without HTTPS, or without permission, the browser has no clipboard: the visitor copies what is selected.
      field.current?.focus();
      setCopied(document.execCommand("copy"));
    }
  };
  return (
    <div class="copy-field">
      <input ref={field} aria-label={label} readOnly value={text} onFocus={(event) => event.currentTarget.select()} />
      <button type="button" onClick={copy}>
        <Icon name={isCopied ? "check" : "copy"} />
        <span role="status">{t(isCopied ? "invite.copied" : "invite.copy")}</span>
      </button>
    </div>
  );
}

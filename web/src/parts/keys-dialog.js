// A dialog that lists keys and what they do.

import { useEffect, useRef } from "preact/hooks";
import { CardTitle } from "./titled-popover.js";
import "../style/keys-dialog.css";

/** @typedef {[keys: string[], text: string]} KeyRow the keys as they are printed, and what they do */

/**
 * @param {object} props
 * @param {string} props.title
 * @param {KeyRow[]} props.rows
 * @param {() => void} props.onClose
 * @param {string} [props.class]
 * @param {any} [props.before] what stands above the list
 * @param {any} [props.children] what stands below it
 */
export function KeysDialog({ title, rows, onClose, class: name = "", before, children }) {
  /** @type {import("preact").RefObject<HTMLDialogElement>} */
  const dialog = useRef(null);
  useEffect(() => {
    const node = /** @type {HTMLDialogElement} */ (dialog.current);
    node.showModal();
    return () => node.close();
  }, []);
  return (
    <dialog
      ref={dialog}
      class={`keys-dialog ${name}`}
      aria-label={title}
      onClose={onClose}
      // A click beside the dialog closes it.
      onClick={(event) => event.target === dialog.current && onClose()}
    >
      <CardTitle onClose={onClose}>{title}</CardTitle>
      {before}
      <dl class="key-list small">
        {rows.map(([keys, text]) => (
          <div key={text}>
            <dt>
              {keys.map((key) => (
                <kbd key={key}>{key}</kbd>
              ))}
            </dt>
            <dd>{text}</dd>
          </div>
        ))}
      </dl>
      {children}
    </dialog>
  );
}

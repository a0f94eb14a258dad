// A dialog that lists keys and what they do.

import { ModalDialog } from "./modal-dialog.js";
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
  return (
    <ModalDialog title={title} class={`keys-dialog ${name}`} onClose={onClose}>
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
    </ModalDialog>
  );
}

// A modal dialog with a title. Escape, its cross and a click beside it close it.

import { useEffect, useRef } from "preact/hooks";
import { CardTitle } from "./titled-popover.js";

/** @param {{title: string, class: string, onClose: () => void, children?: any}} props */
export function ModalDialog({ title, class: name, onClose, children }) {
  /** @type {import("preact").RefObject<HTMLDialogElement>} */
  const dialog = useRef(null);
  useEffect(() => {
    const node = /** @type {HTMLDialogElement} */ (dialog.current);
    node.showModal();
    return () => node.close();
  }, []);
  return (
    <dialog ref={dialog} class={name} aria-label={title} onClose={onClose} onClick={(event) => event.target === dialog.current && onClose()}>
      <CardTitle onClose={onClose}>{title}</CardTitle>
      {children}
    </dialog>
  );
}

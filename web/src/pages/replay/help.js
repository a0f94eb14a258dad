// The keys of a replay, in a dialog.

import { useEffect, useRef } from "preact/hooks";
import { t } from "../../catalogue/index.js";
import { CardTitle } from "../../parts/titled-popover.js";
import "../../style/replay-keys.css";

/** @param {{seats: number, onClose: () => void}} props */
export function HelpDialog({ seats, onClose }) {
  /** @type {import("preact").RefObject<HTMLDialogElement>} */
  const dialog = useRef(null);
  useEffect(() => {
    const node = /** @type {HTMLDialogElement} */ (dialog.current);
    node.showModal();
    return () => node.close();
  }, []);
  const rows = [
    [["←", "→"], "replay.key.step"],
    [["⇧ ←", "⇧ →"], "replay.key.round"],
    [["Home", "End"], "replay.key.ends"],
    [[t("replay.key.space_name")], "replay.key.play"],
    [["1", `${seats}`], "replay.key.seats"],
    [["0"], "replay.key.all"],
    [["S"], "replay.key.spectators"],
    [["?"], "replay.key.help"],
  ];
  return (
    <dialog
      ref={dialog}
      class="replay-dialog"
      aria-label={t("replay.keys")}
      onClose={onClose}
      // A click beside the dialog closes it.
      onClick={(event) => event.target === dialog.current && onClose()}
    >
      <CardTitle onClose={onClose}>{t("replay.keys")}</CardTitle>
      <dl class="key-list">
        {rows.map(([keys, text]) => (
          <div key={text}>
            <dt>
              {/** @type {string[]} */ (keys).map((key) => (
                <kbd key={key}>{key}</kbd>
              ))}
            </dt>
            <dd>{t(/** @type {string} */ (text))}</dd>
          </div>
        ))}
      </dl>
    </dialog>
  );
}

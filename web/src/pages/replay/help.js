// The keys of a replay, in a dialog.

import { t } from "../../catalogue/index.js";
import { KeysDialog } from "../../parts/keys-dialog.js";

/** @param {{seats: number, onClose: () => void}} props */
export function HelpDialog({ seats, onClose }) {
  return (
    <KeysDialog
      title={t("replay.keys")}
      onClose={onClose}
      rows={[
        [["←", "→"], t("replay.key.step")],
        [["⇧ ←", "⇧ →"], t("replay.key.round")],
        [[t("key.home"), t("key.end")], t("replay.key.ends")],
        [[t("key.space")], t("replay.key.play")],
        [["1", `${seats}`], t("replay.key.seats")],
        [["0"], t("replay.key.all")],
        [["S"], t("replay.key.spectators")],
        [["?"], t("replay.key.help")],
      ]}
    />
  );
}

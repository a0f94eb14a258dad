// Sharing a finished game: the address of its replay, by the browser's dialog or to copy. A game that only those who
// played may see gets a key first, by which everybody may see it.

import { useState } from "preact/hooks";
import { t } from "../catalogue/index.js";
import { momentPath, needsKey } from "../replay-address.js";
import { Icon } from "./art.js";
import { CopyField } from "./copy-field.js";
import { useRequest } from "./use-request.js";

/** @param {{model: import("../store.js").TableModel}} props */
export function ShareGame({ model }) {
  const { table, mine } = model.view.value;
  const isPrivate = needsKey(table.settings);
  const [link, setLink] = useState(/** @type {string | null} */ (null));
  const [run, { isBusy, refusal }] = useRequest();
  // Only those who sat at the table may open such a game to others.
  if (isPrivate && mine === null) return null;
  const share = () =>
    run(async () => {
      const key = isPrivate ? (await model.request("share_game", { share: true })).key : null;
      const address = location.origin + momentPath(table.id, {}, key);
      setLink(address);
      // Closing the browser's dialog rejects the promise; that is no error.
      await navigator.share?.({ text: t("end.share.text", { game: t(`game.${table.game}`) }), url: address }).catch(() => {});
    });
  return (
    <>
      <button type="button" disabled={isBusy} aria-expanded={link !== null} onClick={share}>
        <Icon name="share" />
        {t("end.share")}
      </button>
      {link && (
        <div class="share-link">
          {isPrivate && <p class="small muted">{t("end.share.private")}</p>}
          <CopyField label={t("end.share.link")} text={link} />
        </div>
      )}
      {refusal && (
        <p class="error" role="alert">
          {refusal}
        </p>
      )}
    </>
  );
}

// Sharing a moment: its address, a picture of it, and the code that embeds it in another page.

import { useState } from "preact/hooks";
import { t } from "../../catalogue/index.js";
import { Icon } from "../../parts/art.js";
import { CopyField } from "../../parts/copy-field.js";
import { useRequest } from "../../parts/use-request.js";
import { savePicture } from "../../picture.js";
import { momentPath, needsKey } from "../../replay-address.js";
import { sectionText } from "./controls.js";
import { MomentPopover } from "./moment-popover.js";

/** @typedef {import("../../replay-model.js").ReplayModel} ReplayModel */

/** @param {{model: ReplayModel}} props */
export function Share({ model }) {
  const isPrivate = needsKey(model.view.value.table.settings);
  const hasPlayed = model.me.value !== null;
  const key = isPrivate ? model.sharedKey : null;
  const isVisible = !isPrivate || key !== null;
  return (
    <MomentPopover model={model} label={t("replay.share")} icon="share">
      {isPrivate && hasPlayed && <PrivateLink model={model} isShared={isVisible} />}
      {isVisible && <Link model={model} shared={key} />}
      <Pictures model={model} />
      {isVisible && <EmbedCode model={model} shared={key} />}
    </MomentPopover>
  );
}

/** A private game becomes visible by a link, and stops being so. @param {{model: ReplayModel, isShared: boolean}} props */
function PrivateLink({ model, isShared }) {
  const [run, { isBusy, refusal }] = useRequest();
  const share = (/** @type {boolean} */ isOn) =>
    run(async () => {
      const { key = null } = await model.end.request("share_game", { share: isOn });
      const record = model.record.value ?? { game: null, access: "seat", shared: null };
      model.record.value = { ...record, shared: isOn ? key : null };
      if (!isOn) model.key = null;
    });
  return (
    <section class="share-part">
      <p class="small">
        <Icon name="lock" size={16} /> {t(isShared ? "replay.private.shared" : "replay.private")}
      </p>
      <button type="button" class={isShared ? "quiet" : "bay"} disabled={isBusy} onClick={() => share(!isShared)}>
        {t(isShared ? "replay.private.stop" : "replay.private.share")}
      </button>
      {refusal && (
        <p class="error" role="alert">
          {refusal}
        </p>
      )}
    </section>
  );
}

/** @param {ReplayModel} model @param {string | null} shared @param {boolean} [isEmbedded] */
function addressOf(model, shared, isEmbedded = false) {
  return location.origin + momentPath(model.id, { step: model.steps.target.value, eyes: model.steps.eyes.value, isEmbedded }, shared);
}

/** @param {{model: ReplayModel, shared: string | null}} props */
function Link({ model, shared }) {
  const link = addressOf(model, shared);
  const canShare = typeof navigator.share === "function";
  const text = t("replay.share_text", { game: t(`game.${model.view.value.table.game}`) });
  return (
    <section class="share-part">
      <h3 class="small">{t("replay.link")}</h3>
      <CopyField label={t("replay.link")} text={link} />
      {canShare && (
        // Closing the browser's dialog rejects the promise; that is no error.
        <button type="button" onClick={() => navigator.share({ text, url: link }).catch(() => {})}>
          <Icon name="share" />
          {t("invite.share")}
        </button>
      )}
    </section>
  );
}

/** @param {{model: ReplayModel}} props */
function Pictures({ model }) {
  const [run, { isBusy, refusal }] = useRequest();
  const [isSaved, setSaved] = useState(false);
  const view = model.view.value;
  const { shown } = model.steps;
  const save = (/** @type {"png" | "svg"} */ kind) =>
    run(async () => {
      const board = document.querySelector(".middle")?.firstElementChild;
      const names = view.seats.map((/** @type {any} */ { name }) => name ?? t("seat.bot"));
      const title = [t(`game.${view.table.game}`), sectionText(model, model.section)].filter(Boolean).join(" · ");
      const file = `san-francisco-${view.table.game}-${model.id}-${shown.value?.step}`;
      await savePicture(/** @type {HTMLElement} */ (board), { kind, file, title, names, site: location.host });
      setSaved(true);
    });
  return (
    <section class="share-part">
      <h3 class="small">{t("replay.picture")}</h3>
      <div class="share-row">
        {/** @type {("png" | "svg")[]} */ (["png", "svg"]).map((kind) => (
          <button key={kind} type="button" disabled={isBusy} onClick={() => save(kind)}>
            <Icon name="download" />
            {t(`replay.picture.${kind}`)}
          </button>
        ))}
      </div>
      {isSaved && (
        <p class="small muted" role="status">
          {t("replay.picture.saved")}
        </p>
      )}
      {refusal && (
        <p class="error" role="alert">
          {t("replay.picture.failed")}
        </p>
      )}
    </section>
  );
}

/** @param {{model: ReplayModel, shared: string | null}} props */
function EmbedCode({ model, shared }) {
  const title = t("replay.page_title", { game: t(`game.${model.view.value.table.game}`) });
  const code = `<iframe src="${addressOf(model, shared, true).replaceAll("&", "&amp;")}" width="800" height="600" title="${title}" loading="lazy"></iframe>`;
  return (
    <section class="share-part">
      <h3 class="small">{t("replay.embed")}</h3>
      <CopyField label={t("replay.embed")} text={code} />
    </section>
  );
}

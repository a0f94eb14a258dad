// The invitation to a table: a link to copy or share, and the same link as a QR code.

import qrcode from "qrcode-generator";
import { t } from "../catalogue/index.js";
import { Icon } from "./art.js";
import { Disclosure } from "./controls.js";
import { commentaryPath } from "../routes.js";
import { CopyField } from "./copy-field.js";
import "../style/invite.css";

/** Return the link to a table; that of a private table has its key. @param {import("../store.js").TableModel} model */
export function inviteLink(model) {
  const { table } = model.view.value;
  const key = table.key ?? (model.isDelayed ? null : model.key);
  return `${location.origin}/t/${table.id}${table.settings.private && key ? `#k=${key}` : ""}`;
}

/** Return the link to a table as an overlay for streams. @param {import("../store.js").TableModel} model */
export function overlayLink(model) {
  if (model.isDelayed && model.key) return `${location.origin}${commentaryPath(model.id, model.key).replace("#", "&overlay#")}`;
  return inviteLink(model).replace(/(?=#|$)/, "?overlay");
}

/** @param {{model: import("../store.js").TableModel, isCodeOpen?: boolean}} props */
export function Invite({ model, isCodeOpen = false }) {
  const link = inviteLink(model);
  const share = () => {
    const text = t("invite.share_text", { game: t(`game.${model.view.value.table.game}`) });
    // Closing the browser's dialog rejects the promise; that is no error.
    navigator.share({ text, url: link }).catch(() => {});
  };
  const canShare = typeof navigator.share === "function";
  return (
    <div class={`invite ${isCodeOpen ? "with-code" : ""}`}>
      {isCodeOpen && (
        <div class="invite-code">
          <Code text={link} />
          <div class="invite-beside">
            <p class="small muted">{t(model.view.value.table.settings.rated ? "rated.invite" : "invite.note")}</p>
            {canShare && <ShareButton onShare={share} />}
          </div>
        </div>
      )}
      {!isCodeOpen && <p class="small muted">{t("invite.title")}</p>}
      <CopyField label={t("invite.link")} text={link} />
      {!isCodeOpen && canShare && <ShareButton onShare={share} />}
      {!isCodeOpen && (
        <Disclosure summary={t("invite.code")}>
          <Code text={link} />
        </Disclosure>
      )}
    </div>
  );
}

/** @param {{onShare: () => void}} props */
function ShareButton({ onShare }) {
  return (
    <button class="invite-share" onClick={onShare}>
      <Icon name="share" />
      {t("invite.share")}
    </button>
  );
}

/** @param {{text: string}} props */
function Code({ text }) {
  const code = qrcode(0, "M");
  code.addData(text);
  code.make();
  const size = code.getModuleCount();
  let path = "";
  for (let row = 0; row < size; row += 1) {
    for (let column = 0; column < size; column += 1) if (code.isDark(row, column)) path += `M${column} ${row}h1v1h-1z`;
  }
  return (
    <svg class="qr" viewBox={`-2 -2 ${size + 4} ${size + 4}`} role="img" aria-label={t("invite.code_label")} shape-rendering="crispEdges">
      <rect x="-2" y="-2" width={size + 4} height={size + 4} fill="#fff" />
      <path d={path} fill="#000" />
    </svg>
  );
}

// The invitation to a table: a link to copy, and the same link as a QR code.

import { useState } from "preact/hooks";
import qrcode from "qrcode-generator";
import { t } from "../catalogue/index.js";
import { Icon } from "./art.js";

/** @param {{model: import("../store.js").TableModel}} props */
export function Invite({ model }) {
  const { table } = model.view.value;
  const [isCopied, setCopied] = useState(false);
  const key = table.settings.private && table.key ? `#k=${table.key}` : "";
  const link = `${location.origin}/t/${table.id}${key}`;
  const copy = async () => {
    await navigator.clipboard?.writeText(link);
    setCopied(true);
  };
  return (
    <div class="invite">
      <label class="small muted" for="invite-link">
        {t("invite.title")}
      </label>
      <div class="invite-row">
        <input id="invite-link" readOnly value={link} onFocus={(event) => event.currentTarget.select()} />
        <button onClick={copy}>
          <Icon name={isCopied ? "check" : "copy"} />
          {t(isCopied ? "invite.copied" : "invite.copy")}
        </button>
      </div>
      <details>
        <summary class="small">{t("invite.code")}</summary>
        <Code text={link} />
      </details>
    </div>
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
    <svg class="qr" viewBox={`-2 -2 ${size + 4} ${size + 4}`} role="img" aria-label={t("invite.code_label")}>
      <rect x="-2" y="-2" width={size + 4} height={size + 4} fill="#fff" />
      <path d={path} fill="#000" />
    </svg>
  );
}

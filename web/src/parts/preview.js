// The preview of the selected command: one card per effect.

import { t } from "../catalogue/index.js";
import "../style/preview.css";

/** @param {{children?: any}} props the cards; nothing while there is no preview */
export function Preview({ children }) {
  return (
    <div class="preview" aria-live="polite">
      {children && (
        <>
          <p class="small muted hand-title">{t("preview.title")}</p>
          <ul class="preview-cards">{children}</ul>
        </>
      )}
    </div>
  );
}

/**
 * @param {object} props
 * @param {any} props.icon
 * @param {string} props.title
 * @param {any} [props.gain] what a seat gains
 * @param {string} [props.more]
 * @param {boolean} [props.isMine] whether the viewer gains it
 */
export function PreviewCard({ icon, title, gain, more, isMine = false }) {
  return (
    <li class={`card ${isMine ? "gains" : ""}`}>
      {icon}
      <span>
        <b>{title}</b>
        {gain && <span class="small gain">{gain}</span>}
        {more && <span class="small muted">{more}</span>}
      </span>
    </li>
  );
}

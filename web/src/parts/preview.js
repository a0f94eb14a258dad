// What would happen if you confirmed what you have chosen: one card for each thing.

import { t } from "../catalogue/index.js";
import "../style/preview.css";

/** @param {{children?: any}} props cards, or nothing while there is nothing to foretell */
export function Preview({ children }) {
  return (
    <div class="preview">
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
 * @param {any} [props.gain] what somebody gets
 * @param {string} [props.more]
 * @param {boolean} [props.isMine] whether you get it
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

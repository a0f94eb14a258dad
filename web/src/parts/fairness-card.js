// The lock at a table, and what it says: what is committed, who contributed to the shuffle, and the fingerprint of what was
// shown. It is quiet unless somebody was shown another game.

import { t } from "../catalogue/index.js";
import { canHash, fingerprint } from "../fairness/commitments.js";
import { canKeep } from "../fairness/kept.js";
import { Icon } from "./art.js";
import { Disclosure } from "./controls.js";
import { formatNames, nameInSentence } from "./names.js";
import { originOf } from "./origin.js";
import { TitledPopover } from "./titled-popover.js";
import "../style/fairness.css";

/** @typedef {import("../store.js").TableModel} TableModel */

/** Return what the lock of a table says: nothing at a server that knows no verifiable tables. @param {TableModel} model @returns {"differs" | "locked" | "open" | null} */
export function lockState(model) {
  if (model.differs.value !== null) return "differs";
  const fairness = model.gameView.value?.table.fairness;
  if (fairness === undefined) return null;
  return fairness ? "locked" : "open";
}

const LABELS = { differs: "fair.lock.differs", locked: "fair.lock", open: "fair.lock.not" };
const ICONS = { differs: "warning", locked: "lock", open: "unlocked" };

/** The lock in the bar of a table. @param {{model: TableModel}} props */
export function Lock({ model }) {
  const state = lockState(model);
  if (!state) return null;
  return (
    <TitledPopover label={t(LABELS[state])} icon={ICONS[state]} buttonClass={`tool fair-lock fair-${state}`} hasLabel={false} align="start" class="fair-card">
      <FairnessCard model={model} />
    </TitledPopover>
  );
}

/** The lock where a bar has no room for a button: a sign beside the state of the turn. @param {{model: TableModel}} props */
export function LockSign({ model }) {
  const state = lockState(model);
  if (state !== "locked") return null;
  return (
    <span class="fair-sign" role="img" aria-label={t(LABELS[state])}>
      <Icon name="lock" size={16} />
    </span>
  );
}

/** The lock in the menu of a table, on a phone. @param {{model: TableModel}} props */
export function FairnessInMenu({ model }) {
  const state = lockState(model);
  if (!state) return null;
  return (
    <Disclosure summary={t(LABELS[state])} class="fair-card">
      <FairnessCard model={model} />
    </Disclosure>
  );
}

/** A link to the page that explains it, beside the game. */
export function FairnessLink() {
  return (
    <a href="/rules/fairness" target="_blank" rel="noopener">
      {t("fair.how")}
    </a>
  );
}

/** @param {{model: TableModel}} props */
export function FairnessCard({ model }) {
  const view = model.gameView.value;
  const { fairness } = view.table;
  const differs = model.differs.value;
  if (!fairness && differs === null) {
    return (
      <>
        <p>{t(originOf(view.table.origin) ? "fair.not.continued" : "fair.not.old")}</p>
        <FairnessLink />
      </>
    );
  }
  const isOver = view.table.phase === "over";
  return (
    <>
      {differs !== null && (
        <div class="fair-alert" role="alert">
          <p>{differs === -1 || differs === view.mine ? t("fair.differs.you") : t("fair.differs", { name: nameInSentence(view, differs) })}</p>
          <p>{t("fair.differs.do")}</p>
        </div>
      )}
      <dl class="fair-list">
        <dt>{t("fair.shuffle")}</dt>
        <dd>{shuffleText(view)}</dd>
        {!canHash() && <dd>{t("fair.insecure")}</dd>}
        <dt>{t("fair.sealed")}</dt>
        <dd>{t("fair.sealed.text")}</dd>
        {fairness && view.table.settings?.sealed_on_devices && canHash() && <dd>{t(canKeep() ? "fair.sealed.devices" : "fair.sealed.no_storage")}</dd>}
        <dt>{t("fair.chain")}</dt>
        <dd>
          {t("fair.chain.text")}
          <Fingerprint model={model} />
        </dd>
      </dl>
      {!isOver && <p class="small muted">{t("fair.end")}</p>}
      <FairnessLink />
    </>
  );
}

/** Return who has fixed the shuffle. @param {any} view */
export function shuffleText(view) {
  const { stage, opened } = view.table.fairness ?? { stage: "begun", opened: [] };
  if (stage !== "begun") return t("fair.shuffle.open");
  return opened.length ? t("fair.shuffle.by", { names: formatNames(view, opened) }) : t("fair.shuffle.alone");
}

/** Return the bytes of a text in base64url. @param {string} text */
function bytesOf(text) {
  return Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (letter) => letter.charCodeAt(0));
}

/** The fingerprint of all that was shown so far. @param {{model: TableModel}} props */
function Fingerprint({ model }) {
  const shown = model.head.value;
  if (!shown) return null;
  return (
    <p class="fair-print">
      <span class="small">{t("fair.line", { line: shown.line })}</span>
      <code>{fingerprint(bytesOf(shown.head))}</code>
    </p>
  );
}

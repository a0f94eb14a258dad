// The menu of a table: invite, pause, resign, propose to abandon, leave.

import { useState } from "preact/hooks";
import { t } from "../catalogue/index.js";
import { Icon } from "./art.js";
import { PreferenceButtons } from "./chrome.js";
import { useRequest } from "./use-request.js";
import { Invite } from "./invite.js";
import { narrow } from "./narrow.js";

/** @param {{model: import("../store.js").TableModel, navigate: (path: string) => void}} props */
export function TableMenu({ model, navigate }) {
  const [isOpen, setOpen] = useState(false);
  const [asks, setAsks] = useState(/** @type {string | null} */ (null));
  const [run, { refusal }] = useRequest();
  const view = model.view.value;
  const isPlaying = view.mine !== null && view.table.phase === "running" && !view.seats[view.mine].resigned;
  /** @param {string} name @param {() => Promise<any>} work */
  const sure = (name, work) =>
    asks === name ? (
      <button class="primary" onClick={() => run(work).then(() => setAsks(null))}>
        {t(`menu.${name}_sure`)}
      </button>
    ) : (
      <button class="quiet" onClick={() => setAsks(name)}>
        {t(`menu.${name}`)}
      </button>
    );
  return (
    <div class="menu" onKeyDown={(event) => event.key === "Escape" && setOpen(false)}>
      <button class="tool" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        <Icon name="leave" />
        <span class="tool-label">{t("menu.title")}</span>
      </button>
      {isOpen && (
        <div class="menu-card card">
          <button class="quiet" onClick={() => navigate("/")}>
            {t("table.to_lobby")}
          </button>
          <Invite model={model} />
          {narrow.value && (
            <div class="menu-preferences">
              <PreferenceButtons />
            </div>
          )}
          {isPlaying && !view.table.paused && (
            <button class="quiet" onClick={() => run(() => model.request("vote", { on: "pause", agree: true }))}>
              {t("menu.pause")}
            </button>
          )}
          {isPlaying && sure("abandon", () => model.request("vote", { on: "abandon", agree: true }))}
          {isPlaying && sure("resign", () => model.request("resign"))}
          {refusal && (
            <p class="error" role="alert">
              {refusal}
            </p>
          )}
        </div>
      )}
    </div>
  );
}

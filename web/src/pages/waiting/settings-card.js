// "At this table": the settings in words, and the dialog in which the host changes them.

import { useState } from "preact/hooks";
import { t } from "../../catalogue/index.js";
import { Disclosure } from "../../parts/controls.js";
import { narrow } from "../../parts/narrow.js";
import { Bold } from "../../parts/bold.js";
import { ChangeDialog } from "./change-dialog.js";
import { WaitingIcon } from "./icons.js";
import { settingSentences } from "./setting-sentences.js";

/** The settings that are worth knowing before one sits down. */
const BEFORE_SITTING = ["clock", "rated", "sealed_on_devices", "delayed_view"];

/** @param {{room: import("./room.js").Room}} props */
export function SettingsCard({ room }) {
  const [isChanging, setChanging] = useState(false);
  // A table that is not verifiable seals as any other.
  const settings = room.view.table.fairness ? room.settings : { ...room.settings, sealed_on_devices: false };
  const sentences = settingSentences(settings, room.game?.options ?? []);
  // A guest with a phone wants to sit down first, and reads what one has to know before.
  const isShort = narrow.value && room.view.mine === null;
  const isShown = (/** @type {import("./setting-sentences.js").Sentence} */ { key, isMain }) => (isShort ? BEFORE_SITTING.includes(key) : isMain);
  const rest = sentences.filter((sentence) => !isShown(sentence));
  return (
    <section class="card waiting-card settings-card" aria-labelledby="settings-title">
      <div class="card-head">
        <h2 id="settings-title">{t("waiting.settings")}</h2>
        {room.isHost && room.canChange && (
          <button class="quiet card-link" onClick={() => setChanging(true)}>
            {t("waiting.change")}
          </button>
        )}
      </div>
      <Sentences sentences={sentences.filter(isShown)} />
      {rest.length > 0 && (
        <Disclosure summary={t("waiting.all_options")} class="all-options">
          <Sentences sentences={rest} />
        </Disclosure>
      )}
      {isChanging && <ChangeDialog room={room} onClose={() => setChanging(false)} />}
    </section>
  );
}

/** @param {{sentences: import("./setting-sentences.js").Sentence[]}} props */
function Sentences({ sentences }) {
  return (
    <ul class="setting-list">
      {sentences.map(({ key, icon, text }) => (
        <li key={key} data-setting={key}>
          <WaitingIcon name={icon} />
          <span>
            <Bold text={text} />
          </span>
        </li>
      ))}
    </ul>
  );
}

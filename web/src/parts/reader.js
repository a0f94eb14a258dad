// Reads a table aloud: keys for the position, the standing, the options and the last events, and for the way to the board
// and to the decision. A dialog lists the keys, and has the same readings as buttons.

import { useEffect, useState } from "preact/hooks";
import { t } from "../catalogue/index.js";
import { Icon } from "./art.js";
import { KeysDialog } from "./keys-dialog.js";
import { itemsOf } from "./narration.js";
import { narrow } from "./narrow.js";
import { storedSignal } from "./preferences.js";
import { READER_KEYS, READINGS, readerAction } from "./reader-keys.js";
import { optionsText } from "./reader-options.js";
import { asSentences } from "./sentences.js";
import { turnText } from "./turn-status.js";
import "../style/reader.css";

/** @typedef {import("../store.js").TableModel} TableModel */
/** @typedef {import("../pages/table.js").Scene} Scene */
/** @typedef {import("./reader-keys.js").Reading} Reading */

const EVENTS = 5;

/** Whether letters are keys; a screen reader or another program may need them. */
const letters = storedSignal("reader-letters", "on");

/** Return what a key reads. @param {Reading} reading @param {TableModel} model @param {Scene} scene */
export function textOf(reading, model, scene) {
  const view = model.gameView.value;
  if (reading === "options") return optionsText();
  if (reading === "standing") return asSentences(scene.reading.standing(view));
  if (reading === "position") return asSentences([scene.heading(view), view.play?.decision ? turnText(view) : t("table.over"), ...scene.reading.position(view)]);
  const lines = itemsOf(model, scene).flatMap(({ line }) => (line ? [line.text] : []));
  return asSentences(lines.length ? lines.slice(-EVENTS) : [t("log.empty")]);
}

/** Move the focus to a part of the table. @param {"board" | "decision"} part */
function goTo(part) {
  const target = document.querySelector(part === "board" ? '.middle [role=gridcell][tabindex="0"]' : ".bottom .decision-title");
  if (target instanceof HTMLElement || target instanceof SVGElement) target.focus();
}

/** The button that opens the list of keys, the keys themselves, and what was read last. @param {{model: TableModel, scene: Scene}} props */
export function Reader({ model, scene }) {
  const [isOpen, setOpen] = useState(false);
  // The number makes a text that is read again a new one.
  const [read, setRead] = useState({ text: "", number: 0 });
  const say = (/** @type {Reading} */ reading) => setRead(({ number }) => ({ text: textOf(reading, model, scene), number: number + 1 }));
  useEffect(() => {
    const listen = (/** @type {KeyboardEvent} */ event) => {
      const action = readerAction(event, letters.value === "on");
      if (!action) return;
      event.preventDefault();
      if (action === "help") setOpen(true);
      else if (action === "board" || action === "decision") {
        setOpen(false);
        // A dialog that closes gives the focus back first.
        setTimeout(() => goTo(action));
      } else say(action);
    };
    addEventListener("keydown", listen);
    return () => removeEventListener("keydown", listen);
  }, [model, scene]);
  return (
    <>
      <button type="button" class={`tool reader-open ${narrow.value ? "hidden-visually" : ""}`} aria-haspopup="dialog" title={t("reader.title")} onClick={() => setOpen(true)}>
        <Icon name="keyboard" />
        <span class="hidden-visually">{t("reader.title")}</span>
      </button>
      {isOpen ? (
        <ReaderDialog read={read} onRead={say} onClose={() => setOpen(false)} />
      ) : (
        <Spoken class="hidden-visually" read={read} />
      )}
    </>
  );
}

/** What was read last. @param {{read: {text: string, number: number}, class: string}} props */
function Spoken({ read, class: name }) {
  return (
    <p class={name} role="status" aria-live="assertive" aria-label={t("reader.aloud")}>
      <span key={read.number}>{read.text}</span>
    </p>
  );
}

/** @param {{read: {text: string, number: number}, onRead: (reading: Reading) => void, onClose: () => void}} props */
function ReaderDialog({ read, onRead, onClose }) {
  const readings = (
    <>
      <div class="reader-readings">
        {READINGS.map((reading) => (
          <button key={reading} type="button" onClick={() => onRead(reading)}>
            <kbd>{Object.keys(READER_KEYS).find((key) => READER_KEYS[key] === reading)?.toUpperCase()}</kbd> {t(`reader.${reading}`)}
          </button>
        ))}
      </div>
      <Spoken class="reader-text" read={read} />
    </>
  );
  return (
    <KeysDialog title={t("reader.title")} rows={keyRows()} class="reader-dialog" onClose={onClose} before={readings}>
      <label class="reader-letters">
        <input type="checkbox" checked={letters.value === "on"} onChange={(event) => (letters.value = event.currentTarget.checked ? "on" : "off")} />
        <span>
          {t("reader.letters")} <span class="small muted">{t("reader.letters.more")}</span>
        </span>
      </label>
    </KeysDialog>
  );
}

/** Return the keys that read nothing. @returns {import("./keys-dialog.js").KeyRow[]} */
function keyRows() {
  const others = Object.entries(READER_KEYS).filter(([, action]) => !READINGS.includes(/** @type {any} */ (action)));
  return [
    ...others.map(([key, action]) => /** @type {import("./keys-dialog.js").KeyRow} */ ([[key.toUpperCase()], t(`reader.${action}`)])),
    [["←", "↑", "→", "↓"], t("reader.arrows")],
    [[t("key.home"), t("key.end")], t("reader.row_ends")],
    [[t("reader.page_up"), t("reader.page_down")], t("reader.choices")],
    [["↵", "Esc"], t("reader.pick")],
  ];
}

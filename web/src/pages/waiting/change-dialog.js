// The dialog in which the host changes the settings of the table.

import { useEffect, useRef, useState } from "preact/hooks";
import { t } from "../../catalogue/index.js";
import { Disclosure, Segmented, Select } from "../../parts/controls.js";
import { CLOCKS, OptionFields } from "../../parts/settings.js";
import { TABLE_LANGUAGES } from "../../parts/table-texts.js";
import { useRequest } from "../../parts/use-request.js";
import { boldParts } from "./bold.js";
import { clockSentence } from "./setting-sentences.js";

/** @typedef {import("./room.js").Room} Room */

const FLAGS = ["bots", "spectators", "show_decided"];
/** Further clocks, beside those of the form that opens a table. */
const MORE_CLOCKS = [
  { kind: "decision", seconds: 45 },
  { kind: "decision", seconds: 3 * 86_400 },
];

/** Return the name of a clock: "45 seconds a decision". @param {any} clock */
export function clockName(clock) {
  return boldParts(clockSentence({ clock }))[1].replace(/[,:]$/, "");
}

/** Return the clocks to choose from, with the current one. @param {any} current */
function clocks(current) {
  const all = [...Object.values(CLOCKS), ...MORE_CLOCKS];
  const known = all.some((clock) => JSON.stringify(clock) === JSON.stringify(current)) ? all : [current, ...all];
  return known.toSorted((one, other) => order(one) - order(other)).map((clock) => ({ value: JSON.stringify(clock), label: clockName(clock) }));
}

/** @param {any} clock */
function order(clock) {
  return { none: 0, decision: clock.seconds, bank: 3600 }[/** @type {string} */ (clock.kind)] ?? 0;
}

/** @param {{room: Room, onClose: () => void}} props */
export function ChangeDialog({ room, onClose }) {
  const { game, settings } = room;
  const [changed, setChanged] = useState(/** @type {any} */ (settings));
  const [run, { isBusy, refusal }] = useRequest();
  /** @type {import("preact").RefObject<HTMLDialogElement>} */
  const dialog = useRef(null);
  useEffect(() => {
    const node = /** @type {HTMLDialogElement} */ (dialog.current);
    node.showModal();
    return () => node.close();
  }, []);
  /** @param {Record<string, any>} fields */
  const change = (fields) => setChanged({ ...changed, ...fields });
  const save = (/** @type {Event} */ event) => {
    event.preventDefault();
    run(async () => {
      await room.model.request("change_settings", { settings: changed });
      onClose();
    });
  };
  const people = room.view.seats.filter((/** @type {any} */ chair) => chair.user).length;
  return (
    <dialog ref={dialog} class="change-dialog card" aria-labelledby="change-title" onClose={onClose}>
      <form onSubmit={save}>
        <h2 id="change-title">{t("waiting.change_title")}</h2>
        <div class="change-fields">
          <span class="small muted">{t("create.seats")}</span>
          <Segmented
            label={t("create.seats")}
            value={changed.seats}
            options={game.seats.map((/** @type {number} */ count) => ({ value: count, label: String(count) }))}
            onChange={(seats) => change({ seats })}
          />
          <span id="change-clock" class="small muted">
            {t("create.clock")}
          </span>
          <Select
            labelledBy="change-clock"
            icon="clock"
            value={JSON.stringify(changed.clock)}
            options={clocks(settings.clock)}
            onChange={(clock) => change({ clock: JSON.parse(clock) })}
          />
          {changed.clock.kind !== "none" && (
            <>
              <span id="change-time-up" class="small muted">
                {t("settings.time_up")}
              </span>
              <Select
                labelledBy="change-time-up"
                value={changed.time_up}
                options={["bot", "fallback"].map((value) => ({ value, label: t(`settings.time_up.${value}`) }))}
                onChange={(timeUp) => change({ time_up: timeUp })}
              />
            </>
          )}
          <span class="small muted">{t("create.who")}</span>
          <Segmented
            label={t("create.who")}
            value={changed.private}
            options={[
              { value: false, label: t("create.anyone") },
              { value: true, label: t("create.by_link") },
            ]}
            onChange={(isPrivate) => change({ private: isPrivate })}
          />
          <span id="change-language" class="small muted">
            {t("create.language")}
          </span>
          <Select
            labelledBy="change-language"
            icon="globe"
            value={changed.language ?? null}
            options={[
              { value: null, label: t("create.any_language") },
              ...Object.entries(TABLE_LANGUAGES).map(([value, label]) => ({ value, label })),
            ]}
            onChange={(language) => change({ language })}
          />
          <span id="change-hints" class="small muted">
            {t("settings.hints")}
          </span>
          <Select
            labelledBy="change-hints"
            value={changed.hints}
            options={["alone", "all", "none"].map((value) => ({ value, label: t(`settings.hints.${value}`) }))}
            onChange={(hints) => change({ hints })}
          />
        </div>
        <div>
          {FLAGS.map((name) => (
            <label key={name} class="option-flag">
              <input type="checkbox" checked={Boolean(changed[name])} onChange={(event) => change({ [name]: event.currentTarget.checked })} />
              <span>{t(`settings.${name}`)}</span>
            </label>
          ))}
        </div>
        {game.options.length > 0 && (
          <Disclosure summary={t("create.options", { game: t(`game.${game.name}`) })} isOpen>
            <OptionFields
              game={game.name}
              options={game.options}
              values={changed.options}
              onChange={(name, value) => change({ options: { ...changed.options, [name]: value } })}
            />
          </Disclosure>
        )}
        <div class="change-end">
          {refusal ? (
            <p class="error" role="alert">
              {refusal}
            </p>
          ) : (
            <p class="small muted">{people > 1 && t("waiting.change_note")}</p>
          )}
          <button type="button" onClick={onClose}>
            {t("waiting.cancel")}
          </button>
          <button class="bay" disabled={isBusy}>
            {t("waiting.save")}
          </button>
        </div>
      </form>
    </dialog>
  );
}

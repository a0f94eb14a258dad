// The dialog in which the host changes the settings of the table.

import { useEffect, useRef, useState } from "preact/hooks";
import { t } from "../../catalogue/index.js";
import { Disclosure, Select } from "../../parts/controls.js";
import { RatedField, ratedSettings } from "../../parts/rated.js";
import { DelayField, SpectatorsDelayedField } from "../../parts/delay-field.js";
import { isByTheDay, isDayClock } from "../../parts/pace.js";
import { CLOCKS, DAY_CLOCKS, OptionFields } from "../../parts/settings.js";
import { FlagFields, HintsField, HolidaysField, LanguageField, PrivacyField, SealedField, SeatsField, TimeUpField } from "../../parts/table-fields.js";
import { useRequest } from "../../parts/use-request.js";
import { boldParts } from "../../parts/bold.js";
import { clockSentence } from "./setting-sentences.js";

/** @typedef {import("./room.js").Room} Room */

/** Further clocks, beside those of the form that opens a table. */
const MORE_CLOCKS = [{ kind: "decision", seconds: 45 }];

/** The bank for absence of a live table, as the server proposes it. */
const USUAL_ABSENCE_SECONDS = 120;

/** Return the name of a clock: "45 seconds a decision". @param {any} clock */
export function clockName(clock) {
  return boldParts(clockSentence({ clock }))[1].replace(/[,:]$/, "");
}

/** Return the clocks to choose from, with the current one. @param {any} current */
function clocks(current) {
  const all = [...Object.values(CLOCKS), ...Object.values(DAY_CLOCKS), ...MORE_CLOCKS];
  const known = all.some((clock) => JSON.stringify(clock) === JSON.stringify(current)) ? all : [current, ...all];
  return known.toSorted((one, other) => order(one) - order(other)).map((clock) => ({ value: JSON.stringify(clock), label: clockName(clock) }));
}

/** @param {any} clock */
function order(clock) {
  return { none: 0, decision: clock.seconds, bank: isDayClock(clock) ? 2_000_000 : 3599 }[/** @type {string} */ (clock.kind)] ?? 0;
}

/** Return the settings that change with the clock: a table by the day has no bank for absence, a live one has. @param {any} settings @param {any} clock */
function withClock(settings, clock) {
  return isByTheDay(settings) && !isDayClock(clock) ? { clock, absence_seconds: USUAL_ABSENCE_SECONDS } : { clock };
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
  const fields = { settings: changed, change, labelClass: "small muted" };
  const people = room.view.seats.filter((/** @type {any} */ chair) => chair.user).length;
  return (
    <dialog ref={dialog} class="change-dialog card" aria-labelledby="change-title" onClose={onClose}>
      <form onSubmit={save}>
        <h2 id="change-title">{t("waiting.change_title")}</h2>
        <div class="change-fields">
          <SeatsField {...fields} counts={game.seats} />
          <span id="change-clock" class="small muted">
            {t("create.clock")}
          </span>
          <Select
            labelledBy="change-clock"
            icon="clock"
            value={JSON.stringify(changed.clock)}
            options={clocks(settings.clock)}
            onChange={(clock) => change(withClock(changed, JSON.parse(clock)))}
          />
          {changed.clock.kind !== "none" && <TimeUpField {...fields} />}
          {isDayClock(changed.clock) && <HolidaysField {...fields} />}
          <PrivacyField {...fields} />
          <LanguageField {...fields} />
          {!changed.rated && <HintsField {...fields} />}
          <DelayField {...fields} />
        </div>
        <RatedField
          isRated={Boolean(changed.rated)}
          hasAccount={Boolean(room.me?.handle)}
          onChange={(isRated) => setChanged(ratedSettings(changed, isRated, settings.rated ? "alone" : settings.hints))}
        />
        <div>
          <FlagFields {...fields} />
          {game.seals_answers && room.view.table.fairness && <SealedField {...fields} />}
          <SpectatorsDelayedField {...fields} />
        </div>
        {game.options.length > 0 && (
          <Disclosure summary={t("create.options", { game: t(`game.${game.name}`) })} isOpen>
            <OptionFields
              game={game.name}
              options={game.options}
              values={changed.options}
              onChange={(chosen) => change({ options: { ...changed.options, ...chosen } })}
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

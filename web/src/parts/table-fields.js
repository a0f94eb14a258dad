// The fields of a table's settings, which the form for a new table and the host's dialog share. Each field is a label
// and a control; the caller places them.

import { useId } from "preact/hooks";
import { t } from "../catalogue/index.js";
import { Segmented, Select } from "./controls.js";
import { TABLE_LANGUAGES } from "./table-texts.js";

const HOLIDAYS = [0, 7, 14, 28];

/**
 * @typedef {object} FieldProps
 * @property {any} settings of the table
 * @property {(fields: Record<string, any>) => void} change sets some of the settings
 * @property {string} [labelClass]
 */

/** @param {FieldProps & {counts: number[]}} props the numbers of seats that the game allows */
export function SeatsField({ settings, change, labelClass, counts }) {
  return (
    <>
      <span class={labelClass}>{t("create.seats")}</span>
      <Segmented
        label={t("create.seats")}
        value={settings.seats}
        options={counts.map((count) => ({ value: count, label: String(count) }))}
        onChange={(seats) => change({ seats })}
      />
    </>
  );
}

/** Who may come: anyone, or people with the link. @param {FieldProps} props */
export function PrivacyField({ settings, change, labelClass }) {
  return (
    <>
      <span class={labelClass}>{t("create.who")}</span>
      <Segmented
        label={t("create.who")}
        value={settings.private}
        options={[
          { value: false, label: t("create.anyone") },
          { value: true, label: t("create.by_link") },
        ]}
        onChange={(isPrivate) => change({ private: isPrivate })}
      />
    </>
  );
}

/** @param {FieldProps & {label: string, name: string, options: {value: any, label: string}[], icon?: "globe"}} props */
function SelectField({ settings, change, labelClass, label, name, options, icon }) {
  const id = useId();
  return (
    <>
      <span id={id} class={labelClass}>
        {label}
      </span>
      <Select labelledBy={id} icon={icon} value={settings[name] ?? null} options={options} onChange={(value) => change({ [name]: value })} />
    </>
  );
}

/** @param {FieldProps} props */
export function LanguageField(props) {
  const languages = Object.entries(TABLE_LANGUAGES).map(([value, label]) => ({ value, label }));
  return (
    <SelectField
      {...props}
      label={t("create.language")}
      name="language"
      icon="globe"
      options={[{ value: null, label: t("create.any_language") }, ...languages]}
    />
  );
}

/** What happens when the time of a player is up. @param {FieldProps} props */
export function TimeUpField(props) {
  const options = ["bot", "fallback"].map((value) => ({ value, label: t(`settings.time_up.${value}`) }));
  return <SelectField {...props} label={t("settings.time_up")} name="time_up" options={options} />;
}

/** The days for which each player may stop the clock. @param {FieldProps} props */
export function HolidaysField(props) {
  const options = HOLIDAYS.map((count) => ({ value: count, label: count ? t("create.holidays.days", { count }) : t("create.holidays.none") }));
  return <SelectField {...props} label={t("create.holidays")} name="holiday_days" options={options} />;
}

/** Who may ask for hints. @param {FieldProps} props */
export function HintsField(props) {
  const options = ["alone", "all", "none"].map((value) => ({ value, label: t(`settings.hints.${value}`) }));
  return <SelectField {...props} label={t("settings.hints")} name="hints" options={options} />;
}

/** Whether sealed answers stay on the devices; the sentence with its price always stands there. @param {FieldProps} props */
export function SealedField({ settings, change }) {
  return (
    <label class="option-flag">
      <input type="checkbox" checked={Boolean(settings.sealed_on_devices)} onChange={(event) => change({ sealed_on_devices: event.currentTarget.checked })} />
      <span>
        {t("settings.sealed_on_devices")}
        <span class="small muted block">{t("settings.sealed_on_devices.help")}</span>
      </span>
    </label>
  );
}

/** The settings that are on or off. @param {FieldProps & {hasHelp?: boolean}} props */
export function FlagFields({ settings, change, hasHelp = false }) {
  return ["bots", "spectators", "show_decided"].map((name) => (
    <label key={name} class="option-flag">
      <input type="checkbox" checked={Boolean(settings[name])} onChange={(event) => change({ [name]: event.currentTarget.checked })} />
      <span>
        {t(`settings.${name}`)}
        {hasHelp && <span class="small muted block">{t(`settings.${name}.help`)}</span>}
      </span>
    </label>
  ));
}

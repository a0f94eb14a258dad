// The setting of a table that lets commentators see all hands with a delay.

import { useId } from "preact/hooks";
import { t } from "../catalogue/index.js";
import { Select } from "./controls.js";

const DELAYS = [
  ...[5, 10, 15, 30, 60].map((minutes) => ({ kind: "minutes", minutes })),
  ...[2, 5, 10].map((decisions) => ({ kind: "decisions", decisions })),
];

/** @param {any} one @param {any} other */
const isSame = (one, other) => one?.kind === other?.kind && one?.[one.kind] === other?.[other.kind];

/** @param {import("./table-fields.js").FieldProps} props */
export function DelayField({ settings, change, labelClass }) {
  const id = useId();
  const { delayed_view: current = null } = settings;
  const known = !current || DELAYS.some((each) => isSame(each, current)) ? DELAYS : [current, ...DELAYS];
  const options = [
    { value: null, label: t("settings.delayed_view.none") },
    ...known.map((each) => ({ value: isSame(each, current) ? current : each, label: t(`settings.delayed_view.${each.kind}`, { count: each[each.kind] }) })),
  ];
  return (
    <>
      <span id={id} class={labelClass}>
        {t("settings.delayed_view")}
      </span>
      <Select
        labelledBy={id}
        icon="eye"
        value={current}
        options={options}
        onChange={(delay) => change({ delayed_view: delay, spectators_delayed: Boolean(delay) && Boolean(settings.spectators_delayed) })}
      />
    </>
  );
}

/** Whether spectators are late, too. @param {import("./table-fields.js").FieldProps} props */
export function SpectatorsDelayedField({ settings, change }) {
  if (!settings.delayed_view) return null;
  return (
    <label class="option-flag">
      <input type="checkbox" checked={Boolean(settings.spectators_delayed)} onChange={(event) => change({ spectators_delayed: event.currentTarget.checked })} />
      <span>
        {t("settings.spectators_delayed")}
        <span class="small muted block">{t("settings.spectators_delayed.help")}</span>
      </span>
    </label>
  );
}

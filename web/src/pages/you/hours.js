// Games by the day on the visitor's page: the hours in which their clock runs, and holidays.

import { useEffect, useId, useState } from "preact/hooks";
import { language, t } from "../../catalogue/index.js";
import { Segmented, Select } from "../../parts/controls.js";
import { formatDate, zoneHere } from "../../parts/figures.js";
import { isByTheDay } from "../../parts/pace.js";
import { RefusalLine, useWork } from "../../parts/use-work.js";
import { useNow } from "../../parts/waiting-time.js";
import "../../style/hours.css";

/** @typedef {{zone: string, start: number, end: number, days: number[]}} Rhythm as the server keeps it: minutes after midnight; Monday is 0 */

/** Hours that everybody has at least (`server/tables/rhythm.py`). */
export const MIN_HOURS = 14;
const DAY_MINUTES = 1440;
const WEEK = [0, 1, 2, 3, 4, 5, 6];
/** A Monday, to name the days of the week. */
const MONDAY = Date.UTC(2024, 0, 1, 12);

/** Return the hours that are proposed to somebody who has none. @returns {Rhythm} */
export const usualHours = () => ({ zone: zoneHere(), start: 480, end: 1320, days: WEEK });

/** Return the hours of a week. @param {Rhythm} rhythm */
export function weeklyHours({ start, end, days }) {
  return ((((end - start) % DAY_MINUTES) + DAY_MINUTES) % DAY_MINUTES || DAY_MINUTES) * days.length / 60;
}

/** "08:30" @param {number} minutes */
export function clockTime(minutes) {
  return `${String(Math.floor(minutes / 60)).padStart(2, "0")}:${String(minutes % 60).padStart(2, "0")}`;
}

/** Return the minutes after midnight; null while nothing is typed. @param {string} text */
export function minutesOf(text) {
  const found = /^(\d\d):(\d\d)/.exec(text);
  return found && Number(found[1]) * 60 + Number(found[2]);
}

/** Return all time zones, with that of this device and the chosen one. @param {string} chosen */
function zones(chosen) {
  const all = Intl.supportedValuesOf?.("timeZone") ?? [];
  return [...new Set([chosen, zoneHere(), "UTC", ...all])].toSorted();
}

/** The name of a day of the week, in short. @param {number} day */
function dayName(day) {
  return formatDate(MONDAY + day * 86_400_000, { weekday: "short", timeZone: "UTC" });
}

/** @param {import("./account.js").AccountProps} props */
export function HoursCard({ socket, account, again }) {
  /** What is edited, until it is stored: null for a clock that always runs. */
  const [edited, setEdited] = useState(/** @type {Rhythm | null | undefined} */ (undefined));
  const [isSaved, setSaved] = useState(false);
  const work = useWork();
  const id = useId();
  const stored = /** @type {Rhythm | null} */ (account.rhythm ?? null);
  const rhythm = edited === undefined ? stored : edited;
  useEffect(() => {
    if (isSaved) setEdited(undefined);
  }, [account]);
  const edit = (/** @type {Rhythm | null} */ changed) => {
    setSaved(false);
    work.forget();
    setEdited(changed);
  };
  const hours = rhythm && weeklyHours(rhythm);
  const isFew = hours !== null && hours < MIN_HOURS;
  const isChanged = JSON.stringify(rhythm) !== JSON.stringify(stored);
  const save = (/** @type {Event} */ event) => {
    event.preventDefault();
    if (!isChanged || isFew) return;
    work.run(async () => {
      await socket.request({ type: "set_rhythm", rhythm });
      setSaved(true);
      again();
    });
  };
  return (
    <section class="card you-card hours-card" aria-labelledby={`${id}-title`} id="hours">
      <h2 id={`${id}-title`}>{t("hours.title")}</h2>
      <p class="small muted">{t("hours.why")}</p>
      <form onSubmit={save} class="hours-form">
        <Segmented
          label={t("hours.choice")}
          value={rhythm !== null}
          options={[
            { value: false, label: t("hours.always") },
            { value: true, label: t("hours.chosen") },
          ]}
          onChange={(isChosen) => edit(isChosen ? (stored ?? usualHours()) : null)}
        />
        {rhythm && <HoursFields rhythm={rhythm} onChange={edit} />}
        {hours !== null && (
          <p class={`small ${isFew ? "error" : "muted"}`} aria-live="polite">
            {isFew ? t("hours.few", { count: MIN_HOURS }) : t("hours.weekly", { count: Math.floor(hours) })}
          </p>
        )}
        <div class="you-actions">
          <button class="bay" aria-disabled={work.isBusy || !isChanged || isFew}>
            {t("hours.save")}
          </button>
          <span role="status" class="small">
            {isSaved ? t("hours.saved") : ""}
          </span>
        </div>
        <p class="small muted">{t("hours.next")}</p>
        <RefusalLine work={work} />
      </form>
    </section>
  );
}

/** @param {{rhythm: Rhythm, onChange: (rhythm: Rhythm) => void}} props */
function HoursFields({ rhythm, onChange }) {
  const id = useId();
  void language.value;
  const change = (/** @type {Partial<Rhythm>} */ fields) => onChange({ ...rhythm, ...fields });
  const here = zoneHere();
  return (
    <>
      <div class="hours-window">
        {/** @type {const} */ (["start", "end"]).map((end) => (
          <label key={end}>
            {t(end === "start" ? "hours.from" : "hours.to")}
            <input
              type="time"
              required
              value={clockTime(rhythm[end])}
              onInput={({ currentTarget }) => {
                const minutes = minutesOf(currentTarget.value);
                if (minutes !== null) change({ [end]: minutes });
              }}
            />
          </label>
        ))}
      </div>
      <fieldset>
        <legend>{t("hours.days")}</legend>
        <div class="check-row">
          {WEEK.map((day) => (
            <label key={day} class="check">
              <input
                type="checkbox"
                checked={rhythm.days.includes(day)}
                onChange={() => change({ days: WEEK.filter((each) => rhythm.days.includes(each) !== (each === day)) })}
              />
              {dayName(day)}
            </label>
          ))}
        </div>
      </fieldset>
      <div class="hours-zone">
        <span id={`${id}-zone`}>{t("hours.zone")}</span>
        <Select
          labelledBy={`${id}-zone`}
          icon="globe"
          value={rhythm.zone}
          options={zones(rhythm.zone).map((zone) => ({ value: zone, label: zone === here ? t("hours.here", { zone }) : zone.replaceAll("_", " ") }))}
          onChange={(zone) => change({ zone })}
        />
      </div>
    </>
  );
}

/**
 * Return the visitor's running games that have days of holiday, and those where a holiday lasts.
 * @param {any[]} tables entries of `your_tables` @param {number} now
 */
export function holidayGames(tables, now) {
  const games = tables.filter(({ phase, settings }) => phase === "running" && isByTheDay(settings) && settings.holiday_days > 0);
  const away = games.filter(({ holiday }) => holiday && now < holiday);
  // Who has been away until the end of the days has none left.
  return { away, able: games.filter(({ holiday }) => !holiday) };
}

/** One holiday for all games; nothing is shown to somebody whose games have none. @param {{store: import("../../store.js").Store, socket: import("../../socket.js").Socket}} props */
export function HolidayCard({ store, socket }) {
  const now = useNow();
  const work = useWork();
  const id = useId();
  const { away, able } = holidayGames(store.yourTables.value, now);
  if (!away.length && !able.length) return null;
  /** @param {any[]} games @param {boolean} on */
  const take = (games, on) =>
    work.run(async () => {
      const taken = await Promise.allSettled(games.map(({ table }) => socket.request({ type: "take_holiday", table, on })));
      // A game whose days are used does not keep the others from pausing.
      const failed = taken.find((each) => each.status === "rejected");
      if (failed && taken.every((each) => each.status === "rejected")) throw failed.reason;
    });
  return (
    <section class="card you-card" aria-labelledby={`${id}-title`}>
      <h2 id={`${id}-title`}>{t("holiday.title")}</h2>
      <p class="small" role="status">
        {away.length > 0 ? t("holiday.now", { count: away.length }) : t("holiday.why", { count: able.length })}
      </p>
      <div class="you-actions">
        {able.length > 0 && (
          <button type="button" class={away.length ? "" : "bay"} aria-disabled={work.isBusy} onClick={() => take(able, true)}>
            {t("holiday.begin")}
          </button>
        )}
        {away.length > 0 && (
          <button type="button" class="bay" aria-disabled={work.isBusy} onClick={() => take(away, false)}>
            {t("holiday.end")}
          </button>
        )}
      </div>
      <RefusalLine work={work} />
    </section>
  );
}

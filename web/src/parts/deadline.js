// Times of games that are played by the day, in the language and the zone of the visitor: until when somebody has time,
// sleeps, or is on holiday. Nothing here ticks by the second; the texts change a few times a minute at most.

import { language, t } from "../catalogue/index.js";
import { Icon } from "./art.js";
import { daysBetween, formatDate } from "./figures.js";
import { narrow } from "./narrow.js";
import { useNow } from "./waiting-time.js";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
/** From so many hours on, the time that is left is named in days. */
const LONG_HOURS = 48;

/** "18:00", "tomorrow 18:00", "Saturday 18:00", "3 Dec 18:00". @param {number} moment milliseconds since 1970 @param {number} now */
export function whenText(moment, now) {
  const time = formatDate(moment, { hour: "2-digit", minute: "2-digit" });
  const days = daysBetween(now, moment);
  if (days <= 0) return time;
  if (days === 1) return `${new Intl.RelativeTimeFormat(language.value, { numeric: "auto" }).format(1, "day")} ${time}`;
  return `${formatDate(moment, days < 7 ? { weekday: "long" } : { day: "numeric", month: "short" })} ${time}`;
}

/** "18:00", "Sat 18:00", "3 Dec", where there is little room. @param {number} moment @param {number} now */
export function shortWhenText(moment, now) {
  const days = daysBetween(now, moment);
  if (days >= 7) return formatDate(moment, { day: "numeric", month: "short" });
  const time = formatDate(moment, { hour: "2-digit", minute: "2-digit" });
  return days <= 0 ? time : `${formatDate(moment, { weekday: "short" })} ${time}`;
}

/** "in 21 h", "in 3 days". @param {number} milliseconds */
export function leftText(milliseconds) {
  if (milliseconds < HOUR) return t("deadline.minutes", { count: Math.max(1, Math.floor(milliseconds / MINUTE)) });
  if (milliseconds < LONG_HOURS * HOUR) return t("deadline.hours", { count: Math.floor(milliseconds / HOUR) });
  return t("deadline.days", { count: Math.floor(milliseconds / DAY) });
}

/** "tomorrow 18:00 (in 21 h)". @param {number} moment @param {number} now */
export function deadlineText(moment, now) {
  if (moment <= now) return t("deadline.over");
  return t("deadline.whole", { when: whenText(moment, now), left: leftText(moment - now) });
}

/** @typedef {{kind: "runs" | "asleep" | "holiday", until: number}} DayState what the clock of a seat does, and until when */

/**
 * Return what the clock of a seat does at a table that is played by the day; null if nobody waits for the seat.
 * @param {any} view @param {number} seat @param {number} now
 * @returns {DayState | null}
 */
export function dayState(view, seat, now) {
  const clock = view.clock.days?.[seat];
  if (!clock || view.seats[seat].stand_in) return null;
  if (clock.holiday !== null && now < clock.holiday) return { kind: "holiday", until: clock.holiday };
  // In a replay, and on a page that has lost its connection, deadlines are of the past.
  if (clock.deadline === null || view.table.paused || now - clock.deadline > MINUTE) return null;
  const pause = clock.pauses.find((/** @type {number[]} */ [from, until]) => from <= now && now < until);
  return pause ? { kind: "asleep", until: pause[1] } : { kind: "runs", until: clock.deadline };
}

/** @type {Record<DayState["kind"], "clock" | "moon" | "sun">} */
const ICONS = { runs: "clock", asleep: "moon", holiday: "sun" };

/** The clock on the card of a seat: until when there is time, or the person sleeps or is on holiday. @param {{view: any, seat: number}} props */
export function SeatDayClock({ view, seat }) {
  const now = useNow();
  const state = dayState(view, seat, now);
  if (!state) return null;
  const deadline = view.clock.days[seat].deadline;
  const text = t(`deadline.${state.kind === "runs" ? "until" : state.kind}`, { when: shortWhenText(state.until, now) });
  return (
    <span class="small day-clock" title={deadline === null ? text : t("deadline.label", { when: deadlineText(deadline, now) })}>
      <Icon name={ICONS[state.kind]} size={16} />
      <span>{text}</span>
    </span>
  );
}

/** The end of the time of the seat that must decide, beside what it decides. @param {{view: any, seat: number}} props */
export function DayClock({ view, seat }) {
  const now = useNow();
  const deadline = view.clock.days[seat]?.deadline ?? null;
  if (deadline === null || !dayState(view, seat, now)) return null;
  return (
    <span class="clock day-clock" role="timer" title={t("deadline.label", { when: deadlineText(deadline, now) })}>
      {!narrow.value && <Icon name="clock" size={16} />}
      <span>{deadline <= now ? t("deadline.over") : narrow.value ? shortWhenText(deadline, now) : whenText(deadline, now)}</span>
      {deadline > now && <span class="day-left">({leftText(deadline - now)})</span>}
    </span>
  );
}

/** Until when the visitor has time in a game of the list. @param {{deadline: number}} props */
export function Deadline({ deadline }) {
  const now = useNow();
  return (
    <time dateTime={new Date(deadline).toISOString()} title={t("deadline.label", { when: deadlineText(deadline, now) })}>
      {deadline <= now ? t("deadline.over") : whenText(deadline, now)}
    </time>
  );
}

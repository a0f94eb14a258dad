// Times of games that are played by the day, in the language and the zone of the visitor: until when somebody has time,
// sleeps, or is on holiday. Nothing here ticks by the second; the texts change a few times a minute at most.

import { language, t } from "../catalogue/index.js";
import { Icon } from "./art.js";
import { daysBetween, formatDate } from "./figures.js";
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

/**
 * The clock of a seat at a table that is played by the day.
 * @param {{view: any, seat: number, isWhole?: boolean}} props `isWhole`: there is room for the time that is left
 */
export function DayClock({ view, seat, isWhole = false }) {
  const now = useNow();
  const state = dayState(view, seat, now);
  if (!state) return null;
  const deadline = view.clock.days[seat].deadline;
  const isMine = seat === view.mine;
  // The visitor wants to know until when there is time, also in the night.
  const runs = state.kind === "runs" || (isMine && isWhole && deadline !== null);
  const when = whenText(runs ? (deadline ?? state.until) : state.until, now);
  const text = runs ? (isWhole ? deadlineText(deadline, now) : t("deadline.until", { when })) : t(`deadline.${state.kind}`, { when });
  const title = deadline === null ? text : t("deadline.label", { when: deadlineText(deadline, now) });
  return (
    <span class="clock day-clock" role="timer" title={title}>
      <Icon name={runs ? "clock" : state.kind === "asleep" ? "moon" : "sun"} size={16} />
      <span>{text}</span>
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

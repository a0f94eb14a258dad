// How long something has lasted, in short words that stay right while the page is open.

import { signal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { t } from "../catalogue/index.js";

const now = signal(Date.now());
let users = 0;
/** @type {ReturnType<typeof setInterval> | undefined} */
let timer;

/** "4 min", "2 h", "3 days". @param {number} milliseconds */
export function durationText(milliseconds) {
  const minutes = Math.floor(milliseconds / 60_000);
  if (minutes < 1) return t("since.now");
  if (minutes < 60) return t("since.minutes", { count: minutes });
  if (minutes < 48 * 60) return t("since.hours", { count: Math.floor(minutes / 60) });
  return t("since.days", { count: Math.floor(minutes / 1440) });
}

/** Return the present time, which changes a few times a minute while a component uses it. */
export function useNow() {
  useEffect(() => {
    users += 1;
    now.value = Date.now();
    timer ??= setInterval(() => (now.value = Date.now()), 20_000);
    return () => {
      users -= 1;
      if (users) return;
      clearInterval(timer);
      timer = undefined;
    };
  }, []);
  return now.value;
}

/** The time since a moment. @param {{since: number}} props milliseconds since the epoch */
export function WaitingTime({ since }) {
  return <time dateTime={new Date(since).toISOString()}>{durationText(useNow() - since)}</time>;
}

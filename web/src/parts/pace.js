// The pace of a table: live, or by the day, where people come back when it is their move. The server decides which it is
// by the same numbers (`server/tables/pace.py`).

import { t } from "../catalogue/index.js";
import "../style/pace.css";

const DAY_DECISION_SECONDS = 3600;
const DAY_BANK_SECONDS = 43_200;

/** Return whether a clock gives people hours or days for a decision. @param {any} clock */
export function isDayClock(clock) {
  if (clock?.kind === "decision") return clock.seconds >= DAY_DECISION_SECONDS;
  return clock?.kind === "bank" && (clock.seconds >= DAY_BANK_SECONDS || clock.increment >= DAY_DECISION_SECONDS);
}

/** Return whether a table is played by the day. @param {any} settings */
export function isByTheDay(settings) {
  return isDayClock(settings?.clock) && settings.absence_seconds === null;
}

/** "By the day", on rows of such tables. @param {{settings: any}} props */
export function PaceBadge({ settings }) {
  if (!isByTheDay(settings)) return null;
  return (
    <span class="pace-badge" title={t("pace.days.why")}>
      {t("pace.days")}
    </span>
  );
}

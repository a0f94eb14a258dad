// A fair summary for a seat: how many decisions were good, and what decisions and luck did to its chance to win.

import { t } from "../../catalogue/index.js";
import { numberText } from "../../parts/figures.js";
import { balanceText } from "./texts.js";

/** How decisions were judged, the best first. @type {("good" | "close" | "poor")[]} */
const KINDS = ["good", "close", "poor"];

/** @param {{view: any, findings: import("../../coach-model.js").Findings, seat: number}} props */
export function Summary({ view, findings, seat }) {
  const own = findings.seats[seat];
  const { decisions, summary } = own;
  const { bids, bids_won: won } = summary;
  return (
    <section class="coach-summary card" aria-labelledby="summary-title">
      <h2 id="summary-title">{t("coach.summary")}</h2>
      <p>{t("coach.judged", { count: decisions.judged })}</p>
      <div class="coach-shares" aria-hidden="true">
        {KINDS.map((kind) => decisions[kind] > 0 && <i key={kind} class={kind} style={{ flexGrow: decisions[kind] }} />)}
      </div>
      <ul class="coach-kinds">
        {KINDS.map((kind) => (
          <li key={kind} class={kind}>
            <b>{numberText(decisions[kind])}</b> {t(`coach.judged.${kind}`, { count: decisions[kind] })}
          </li>
        ))}
      </ul>
      {bids !== null && won !== null && bids > 0 && <p>{t("coach.bids", { count: bids, won })}</p>}
      <p>{balanceText(findings, seat)}</p>
      {decisions.poor === 0 && <p class="small muted">{t(seat === view.mine ? "coach.no_blame.you" : "coach.no_blame")}</p>}
    </section>
  );
}

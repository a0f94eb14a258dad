// How far an analysis is, or why there is none.

import { t } from "../../catalogue/index.js";
import { Symbol } from "../../parts/art.js";

/** @typedef {import("../../coach-model.js").CoachModel} CoachModel */

/** Refusals that asking again does not change. */
const FINAL = ["not_analysable", "unknown_request"];

/** @param {{model: CoachModel}} props */
export function Progress({ model }) {
  const refusal = model.refusal.value;
  const analysis = model.analysis.value;
  if (refusal) {
    // A server that is older than this page does not know the request.
    const sentence = refusal.code === "unknown_request" ? t("coach.unknown_request") : refusal.message;
    return <Stopped model={model} sentence={sentence} canTryAgain={!FINAL.includes(refusal.code)} />;
  }
  if (analysis?.state === "failed") return <Stopped model={model} sentence={t("coach.failed")} canTryAgain />;
  return <Working analysis={analysis} />;
}

/** @param {{model: CoachModel, sentence: string, canTryAgain: boolean}} props */
function Stopped({ model, sentence, canTryAgain }) {
  return (
    <section class="coach-progress card">
      <Symbol name="hall-ruin" width={64} />
      <p role="alert">{sentence}</p>
      {canTryAgain && (
        <button type="button" class="bay" onClick={() => model.analyse()}>
          {t("log.again")}
        </button>
      )}
    </section>
  );
}

/** @param {import("../../coach-model.js").Analysis | null} analysis */
function waitingText(analysis) {
  if (!analysis) return t("coach.asking");
  return analysis.ahead ? t("coach.waiting", { count: analysis.ahead }) : t("coach.waiting.next");
}

/** @param {{analysis: import("../../coach-model.js").Analysis | null}} props */
function Working({ analysis }) {
  const isRunning = analysis?.state === "running";
  const [done, of] = isRunning ? [analysis.done, Math.max(1, analysis.of)] : [0, 1];
  const sentence = isRunning ? t("coach.running", { count: done, of }) : waitingText(analysis);
  return (
    <section class="coach-progress card" aria-busy="true">
      <Symbol name={isRunning ? "hall-built" : "hall-ruin"} width={64} />
      {/* Read aloud when it begins to wait or to run, not with every number. */}
      <h2 role="status">{t(isRunning ? "coach.title.running" : "coach.title.waiting")}</h2>
      <div class="coach-bar" role="progressbar" aria-label={t("coach.progress")} aria-valuemin={0} aria-valuemax={of} aria-valuenow={done} aria-valuetext={sentence}>
        <i style={{ transform: `scaleX(${done / of})` }} />
      </div>
      <p class="muted">{sentence}</p>
      <p class="small muted">{t("coach.leave")}</p>
    </section>
  );
}

// The result of a game: who won, where the points came from, and the final board.

import { t } from "../catalogue/index.js";
import { capitalize, formatNames, nameOf } from "./names.js";
import { pointsText } from "./points.js";
import "../style/result.css";

/**
 * Return the headline of the result. The catalogue has the name of a game's points at `points.<game>`.
 * @param {any} view
 */
function headline(view) {
  const outcome = view.play?.outcome;
  if (!outcome) return t("end.title.abandoned");
  const [first] = outcome.winners;
  const text = pointsText(outcome.scores[first], outcome.per_point);
  const points = t(`points.${view.table.game}`, { count: text === "1" ? 1 : text });
  if (outcome.winners.length > 1) return t("end.title.shared", { names: capitalize(formatNames(view, outcome.winners)), points });
  return first === view.mine ? t("end.title.win.you", { points }) : t("end.title.win", { name: nameOf(view, first), points });
}

/** @param {{view: any, scene: import("../pages/table.js").Scene, before?: any, after?: any}} props what stands before and after the points */
export function ResultFrame({ view, scene, before, after }) {
  return (
    <div class="result">
      <section class="result-card card">
        <h2 class="result-title">{headline(view)}</h2>
        {before}
        <scene.End view={view} />
        {after}
      </section>
      {view.play && scene.EndBoard && (
        <section class="result-board card" aria-label={t("end.board")}>
          <scene.EndBoard view={view} />
        </section>
      )}
    </div>
  );
}

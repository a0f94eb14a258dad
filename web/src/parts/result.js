// The result of a finished game: the points, the next actions, and the replay.

import { useEffect, useRef, useState } from "preact/hooks";
import { t } from "../catalogue/index.js";
import { useRequest } from "./use-request.js";
import { playAgain } from "./rematch.js";
import { Replay } from "./replay.js";
import { capitalize, formatNames, nameOf } from "./names.js";
import { pointsText } from "./points.js";
import "../style/result.css";

/** @typedef {import("../store.js").TableModel} TableModel */
/** @typedef {import("../pages/table.js").Scene} Scene */

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

/**
 * @param {object} props
 * @param {TableModel} props.model
 * @param {Scene} props.scene
 * @param {(path: string) => void} props.navigate
 * @param {(past: TableModel | null) => void} props.onShow called with the table at the replayed step
 */
export function Result({ model, scene, navigate, onShow }) {
  const view = model.gameView.value;
  const [isReplaying, setReplaying] = useState(false);
  /** @type {import("preact").RefObject<HTMLButtonElement>} */
  const opener = useRef(null);
  const hasReplayed = useRef(false);
  useEffect(() => {
    // Closing the replay returns the focus to the button that opened it.
    if (!isReplaying && hasReplayed.current) opener.current?.focus();
    hasReplayed.current = isReplaying;
  }, [isReplaying]);
  if (isReplaying) return <Replay model={model} scene={scene} onShow={onShow} onClose={() => setReplaying(false)} />;
  return (
    <div class="result">
      <section class="result-card card">
        <h2 class="result-title">{headline(view)}</h2>
        <scene.End view={view} />
        <Next model={model} navigate={navigate}>
          {view.play && (
            <button type="button" ref={opener} onClick={() => setReplaying(true)}>
              {t("replay.open")}
            </button>
          )}
        </Next>
      </section>
      {view.play && scene.EndBoard && (
        <section class="result-board card" aria-label={t("end.board")}>
          <scene.EndBoard view={view} />
        </section>
      )}
    </div>
  );
}

/** The actions after a game. @param {{model: TableModel, navigate: (path: string) => void, children: any}} props */
function Next({ model, navigate, children }) {
  const view = model.gameView.value;
  const [run, { isBusy, refusal }] = useRequest();
  const again = async () => navigate(await playAgain(model));
  return (
    <div class="result-actions">
      {view.mine !== null && (
        <button type="button" class="primary" disabled={isBusy} onClick={() => run(again)}>
          {t(view.table.next ? "end.again_there" : "end.again")}
        </button>
      )}
      {children}
      <button type="button" onClick={() => navigate("/")}>
        {t("end.lobby")}
      </button>
      {refusal && (
        <p class="error" role="alert">
          {refusal}
        </p>
      )}
    </div>
  );
}

// The result of a finished game: the points, what it did to the ratings, the next actions, and the way to the replay.

import { t } from "../catalogue/index.js";
import { momentPath } from "../replay-address.js";
import { Icon } from "./art.js";
import { useGameRecord } from "./game-record.js";
import { Link } from "./link.js";
import { useRequest } from "./use-request.js";
import { playAgain } from "./rematch.js";
import { capitalize, formatNames, nameOf } from "./names.js";
import { pointsText } from "./points.js";
import { RatingChanges } from "./rating-changes.js";
import { ShareGame } from "./share-game.js";
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
 */
export function Result({ model, scene, navigate }) {
  const view = model.gameView.value;
  const record = useGameRecord(model, Boolean(view.table.settings.rated));
  return (
    <div class="result">
      <section class="result-card card">
        <h2 class="result-title">{headline(view)}</h2>
        <RatingChanges view={view} record={record} />
        <scene.End view={view} />
        <Next model={model} navigate={navigate} />
      </section>
      {view.play && scene.EndBoard && (
        <section class="result-board card" aria-label={t("end.board")}>
          <scene.EndBoard view={view} />
        </section>
      )}
    </div>
  );
}

/** The actions after a game. @param {{model: TableModel, navigate: (path: string) => void}} props */
function Next({ model, navigate }) {
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
      {view.play && (
        <>
          <Link to={momentPath(model.id, {}, view.mine === null ? model.key : null)} class="button">
            <Icon name="play" />
            {t("end.replay")}
          </Link>
          <ShareGame model={model} />
        </>
      )}
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

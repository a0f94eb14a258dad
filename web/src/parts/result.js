// The result of a finished game: the points, what it did to the ratings, the next actions, and the way to the replay.

import { t } from "../catalogue/index.js";
import { momentPath } from "../replay-address.js";
import { Icon } from "./art.js";
import { useGameRecord } from "./game-record.js";
import { Link } from "./link.js";
import { useRequest } from "./use-request.js";
import { playAgain } from "./rematch.js";
import { RatingChanges } from "./rating-changes.js";
import { ResultFrame } from "./result-frame.js";
import { ShareGame } from "./share-game.js";

/** @typedef {import("../store.js").TableModel} TableModel */
/** @typedef {import("../pages/table.js").Scene} Scene */

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
    <ResultFrame view={view} scene={scene} before={<RatingChanges view={view} record={record} />} after={<Next model={model} navigate={navigate} />} />
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

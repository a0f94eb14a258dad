// The result of a finished game for everybody who may see it: `/g/ID/result`. Those who played have it at their table.

import { useEffect, useMemo, useState } from "preact/hooks";
import { t } from "../catalogue/index.js";
import { Icon } from "../parts/art.js";
import { endModel, GameHeader } from "../parts/game-header.js";
import { useGameRecord } from "../parts/game-record.js";
import { lazy, Loading } from "../parts/lazy.js";
import { Link } from "../parts/link.js";
import { RatingChanges } from "../parts/rating-changes.js";
import { ResultFrame } from "../parts/result-frame.js";
import { ShareGame } from "../parts/share-game.js";
import { finishedGame } from "../finished-game.js";
import { gamePath, momentPath } from "../replay-address.js";
import { seatOfUser } from "../replay-model.js";
import { socketSource } from "../replay-source.js";
import { RefusedGame } from "./refused-game.js";
import { SCENES } from "./scenes.js";
import "../style/table.css";
import "../style/result-page.css";

/** @param {import("../main.js").PageProps} props */
export function Page(props) {
  const { store, socket, route } = props;
  const { id, key } = /** @type {{id: string, key: string | null}} */ (route);
  const [end, setEnd] = useState(/** @type {any} */ (null));
  const [error, setError] = useState(/** @type {import("../refusal.js").Refusal | null} */ (null));
  const [round, setRound] = useState(0);
  const user = store.me.value?.id;
  useEffect(() => {
    if (user === undefined) return undefined;
    let isShown = true;
    setError(null);
    finishedGame(socketSource(socket, id, key)).then(
      ({ view }) => isShown && setEnd({ ...view, mine: seatOfUser(view, user) }),
      (refusal) => isShown && setError(refusal),
    );
    return () => {
      isShown = false;
    };
  }, [id, key, user, round]);
  if (error) return <RefusedGame store={store} game={{ id, key }} error={error} onAgain={() => setRound(round + 1)} />;
  const scene = end && lazy(SCENES[end.table.game])?.scene;
  return scene ? <FinishedResult {...props} view={end} scene={scene} /> : <Loading />;
}

/** @param {import("../main.js").PageProps & {view: any, scene: import("./table.js").Scene}} props */
function FinishedResult({ store, socket, navigate, route, view, scene }) {
  const { id, key } = /** @type {{id: string, key: string | null}} */ (route);
  const model = useMemo(() => endModel({ id, key, view, socket }), [view]);
  const record = useGameRecord(model, true);
  const after = (
    <div class="result-actions">
      <Link to={momentPath(id, {}, key)} class="button">
        <Icon name="play" />
        {t("end.replay")}
      </Link>
      <Link to={gamePath(id, "coach", { key })} class="button">
        <Icon name="bulb" />
        {t("end.analyse")}
      </Link>
      <ShareGame model={model} />
    </div>
  );
  return (
    <div class="game-page result-page" data-game={view.table.game}>
      <GameHeader store={store} socket={socket} navigate={navigate} id={id} accessKey={key} view={view} ended={record.game?.ended ?? null} active="result" />
      <main>
        <ResultFrame view={view} scene={scene} before={<RatingChanges view={view} record={record} />} after={after} />
      </main>
    </div>
  );
}

// The result of a finished game: the points, what it did to the ratings, the next actions, and the way to the replay.

import { t, withTexts } from "../catalogue/index.js";
import { gamePath, LAST_STEP, momentPath } from "../replay-address.js";
import { Icon } from "./art.js";
import { MenuButton } from "./controls.js";
import { useGameRecord } from "./game-record.js";
import { lazy } from "./lazy.js";
import { Link } from "./link.js";
import { nameOf } from "./names.js";
import { useRequest } from "./use-request.js";
import { playAgain } from "./rematch.js";
import { RatingChanges } from "./rating-changes.js";
import { ResultFrame } from "./result-frame.js";
import { ShareGame } from "./share-game.js";
import { WatchNext } from "./watch-next.js";

/** @typedef {import("../store.js").TableModel} TableModel */
/** @typedef {import("../pages/table.js").Scene} Scene */

/** Fetched on its own, since nobody needs it before the end. */
const VERIFIED = withTexts(() => import("./verified.js"), "fairness");

/**
 * @param {object} props
 * @param {import("../store.js").Store} props.store
 * @param {TableModel} props.model
 * @param {Scene} props.scene
 * @param {(path: string) => void} props.navigate
 */
export function Result({ store, model, scene, navigate }) {
  const view = model.gameView.value;
  const record = useGameRecord(model, Boolean(view.table.settings.rated));
  const after = (
    <>
      <Record model={model} />
      <Next store={store} model={model} navigate={navigate} />
    </>
  );
  return <ResultFrame view={view} scene={scene} before={<RatingChanges view={view} record={record} />} after={after} />;
}

/** What the page has found in the record of the game. @param {{model: TableModel}} props */
function Record({ model }) {
  const view = model.gameView.value;
  // An older server has no record to check.
  if (view.table.fairness === undefined || !view.play) return null;
  const module = lazy(VERIFIED);
  const evidence = async () => (await model.fairPart)?.kept.evidence() ?? {};
  if (!module) return <div class="verified-place" />;
  return <module.Verified id={model.id} accessKey={view.mine === null ? model.key : null} view={view} evidence={evidence} />;
}

/**
 * The same moment with other eyes, for those who watched: where they looked back last, else the end.
 * @param {{model: TableModel, view: any, navigate: (path: string) => void}} props
 */
function EyesMenu({ model, view, navigate }) {
  const see = (/** @type {import("../replay-address.js").Eyes} */ eyes) => navigate(momentPath(model.id, { step: model.lookedBackAt.value ?? LAST_STEP, eyes }, model.key));
  const items = [
    { label: t("end.eyes.all"), icon: "eye", onSelect: () => see("all") },
    ...view.seats.map((/** @type {any} */ _, /** @type {number} */ seat) => ({ label: nameOf(view, seat), icon: "people", onSelect: () => see(seat) })),
  ];
  return (
    <MenuButton
      label={t("end.eyes")}
      button={
        <>
          <Icon name="eye" />
          {t("end.eyes")}
        </>
      }
      items={items}
    />
  );
}

/** The actions after a game. @param {{store: import("../store.js").Store, model: TableModel, navigate: (path: string) => void}} props */
function Next({ store, model, navigate }) {
  const view = model.gameView.value;
  const [run, { isBusy, refusal }] = useRequest();
  const again = async () => navigate(await playAgain(store, model));
  return (
    <div class="result-actions">
      {view.mine !== null && (
        <button type="button" class="primary" disabled={isBusy} onClick={() => run(again)}>
          {t(view.table.next ? "end.again_there" : "end.again")}
        </button>
      )}
      {view.play && (
        <>
          <Link to={momentPath(model.id, { step: model.lookedBackAt.value }, view.mine === null ? model.key : null)} class="button">
            <Icon name="play" />
            {t("end.replay")}
          </Link>
          {view.mine === null && <EyesMenu model={model} view={view} navigate={navigate} />}
          <Link to={gamePath(model.id, "coach", { key: view.mine === null ? model.key : null })} class="button">
            <Icon name="bulb" />
            {t("end.analyse")}
          </Link>
          <ShareGame model={model} />
        </>
      )}
      {view.mine === null && <WatchNext store={store} model={model} />}
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

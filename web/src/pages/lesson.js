// An interactive lesson: `/learn/GAME`. The table of the lesson is the real one, played by the real rules; the guide
// stands over it.

import { useEffect, useMemo } from "preact/hooks";
import { t } from "../catalogue/index.js";
import { LessonModel } from "../lessons/lesson-model.js";
import { LessonProgress } from "../lessons/progress.js";
import { GAME_TARGETS } from "../lessons/targets.js";
import { Symbol } from "../parts/art.js";
import { ConnectionBanner } from "../parts/banner.js";
import { lazy, Loading } from "../parts/lazy.js";
import { Link } from "../parts/link.js";
import { NotFound } from "../parts/not-found.js";
import { LessonFrame } from "./lesson/frame.js";
import { SCENES } from "./scenes.js";
import "../style/table.css";
import "../style/panels.css";
import "../style/lesson.css";
import "../style/lesson-sizes.css";

/** @param {import("../main.js").PageProps} props */
export function Page(props) {
  const { game } = props.route;
  if (!game || !(game in GAME_TARGETS)) return <NotFound store={props.store} title={t("learn.unknown")} sentence={t("learn.unknown_why")} />;
  return <Lesson key={game} {...props} game={game} />;
}

/** @param {import("../main.js").PageProps & {game: string}} props */
function Lesson({ store, socket, navigate, game }) {
  const progress = useMemo(() => new LessonProgress(socket), []);
  const model = useMemo(() => new LessonModel(game, socket, progress), []);
  const isConnected = store.me.value !== null;
  useEffect(() => {
    if (isConnected) model.load();
  }, [model, isConnected]);
  useEffect(
    () => () => {
      model.close();
      progress.flush();
    },
    [model],
  );
  const failure = model.failure.value;
  if (failure) return <Failed store={store} model={model} failure={failure} />;
  const scene = lazy(SCENES[game])?.scene;
  const kinds = lazy(GAME_TARGETS[game])?.default;
  if (!scene || !kinds || !model.view.value) {
    return (
      <main class="loading" aria-busy="true">
        <ConnectionBanner store={store} />
        <Symbol name="hall-ruin" width={72} />
        {scene && kinds ? <p class="muted">{t("guide.loading")}</p> : <Loading />}
      </main>
    );
  }
  return <LessonFrame store={store} navigate={navigate} model={model} scene={scene} kinds={kinds} />;
}

/** Why there is nothing to see. @param {{store: import("../store.js").Store, model: LessonModel, failure: {code: string, sentence: string}}} props */
function Failed({ store, model, failure: { code, sentence } }) {
  const isMissing = code === "no_such_lesson";
  return (
    <NotFound store={store} title={t(isMissing ? "learn.unknown" : "learn.failed")} sentence={isMissing ? t("learn.unknown_why") : sentence}>
      {!isMissing && (
        <button type="button" class="bay" onClick={() => model.load()}>
          {t("log.again")}
        </button>
      )}
      <Link to="/learn" class="button">
        {t("learn.all")}
      </Link>
    </NotFound>
  );
}

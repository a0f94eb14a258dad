// The end of a lesson: what was learned, and what comes next.

import { useEffect, useRef } from "preact/hooks";
import { t } from "../../catalogue/index.js";
import { Icon, Symbol } from "../../parts/art.js";
import { strengthsOf } from "../../parts/bots.js";
import { Link } from "../../parts/link.js";
import { playNow } from "../../parts/play-now.js";
import { useRequest } from "../../parts/use-request.js";
import { GAME_TARGETS } from "../../lessons/targets.js";

/** How many sentences say what was learned. */
const LEARNED = [1, 2, 3, 4, 5];

/** Return the game whose lesson comes after another one. @param {string} game */
export function nextLesson(game) {
  const games = Object.keys(GAME_TARGETS);
  return games[(games.indexOf(game) + 1) % games.length];
}

/**
 * @param {object} props
 * @param {import("../../store.js").Store} props.store
 * @param {(path: string) => void} props.navigate
 * @param {import("../../lessons/lesson-model.js").LessonModel} props.model
 * @param {"done" | "skipped"} props.how
 */
export function LessonEnd({ store, navigate, model, how }) {
  const { game } = model;
  const name = t(`game.${game}`);
  const [run, { isBusy, refusal }] = useRequest();
  const described = store.games.value.find((each) => each.name === game);
  /** @type {import("preact").RefObject<HTMLHeadingElement>} */
  const title = useRef(null);
  useEffect(() => title.current?.focus({ preventScroll: true }), []);
  // The fewest seats and the weakest bots: a first game is short and forgiving.
  const play = () => run(async () => navigate(`/t/${await playNow(store, model.socket, described, { seats: Math.min(...described.seats), strength: strengthsOf(described)[0] })}`));
  const next = nextLesson(game);
  return (
    <>
      <div class="guide-veil whole" aria-hidden="true" />
      <section class="lesson-end" aria-labelledby="lesson-end-title">
        <header>
          <Symbol name="influence-6" width={72} />
          <h2 id="lesson-end-title" class="serif" tabIndex={-1} ref={title}>
            {t(how === "done" ? "guide.end.title" : "guide.end.skipped", { game: name })}
          </h2>
        </header>
        {how === "done" ? (
          <>
            <p>{t("guide.end.learned")}</p>
            <ul class="lesson-learned">
              {LEARNED.map((number) => (
                <li key={number}>
                  <Icon name="check" />
                  <span>{t(`guide.learned.${game}.${number}`)}</span>
                </li>
              ))}
            </ul>
          </>
        ) : (
          <p>{t("guide.end.skipped_why")}</p>
        )}
        {refusal && (
          <p class="error" role="alert">
            {refusal}
          </p>
        )}
        <div class="lesson-end-actions">
          <button type="button" class="bay" disabled={isBusy || !described} onClick={play}>
            <Icon name="play" size={16} />
            {t(isBusy ? "lobby.setting_up" : "guide.end.play")}
          </button>
          <Link to={`/rules/${game}`} class="button">
            <Icon name="book" />
            {t("guide.end.rules")}
          </Link>
          <Link to={`/learn/${next}`} class="button">
            <Icon name="next" size={16} />
            {t("guide.end.next", { game: t(`game.${next}`) })}
          </Link>
          <button type="button" class="quiet" onClick={() => (how === "done" ? model.restart() : model.resume())}>
            <Icon name="undo" />
            {t(how === "done" ? "guide.end.again" : "guide.end.resume")}
          </button>
        </div>
      </section>
    </>
  );
}

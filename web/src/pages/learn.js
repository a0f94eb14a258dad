// Learn: the lesson of each game with the visitor's progress, and the rules to read.

import { t } from "../catalogue/index.js";
import { LESSON_MINUTES } from "../lessons/facts.js";
import { partDone } from "../lessons/progress.js";
import { Icon } from "../parts/art.js";
import { Link } from "../parts/link.js";
import { Scene } from "../parts/scenes.js";
import { SitePage } from "../parts/site-bar.js";
import { useAnswer } from "../parts/use-answer.js";
import "../style/lists.css";
import "../style/learn.css";

/** @param {import("../main.js").PageProps} props */
export function Page({ store, socket }) {
  const { reply } = useAnswer(socket, store.me.value ? { type: "get_lessons" } : null);
  return (
    <SitePage store={store} active="learn">
      <main class="site-wrap learn-page">
        <h1 class="page-title">{t("learn.title")}</h1>
        <p class="muted learn-about">{t("learn.about")}</p>
        <div class="learn-cards">
          {Object.keys(LESSON_MINUTES).map((game) => (
            <LessonCard key={game} game={game} known={reply?.lessons[game]} />
          ))}
        </div>
      </main>
    </SitePage>
  );
}

/** @param {{game: string, known: import("../lessons/progress.js").Known | undefined}} props */
function LessonCard({ game, known }) {
  const name = t(`game.${game}`);
  const part = partDone(known);
  const state = known?.done ? "done" : known?.step ? "begun" : "new";
  return (
    <article class="learn-card card" data-game={game} data-state={state}>
      <Scene game={game} />
      <div class="learn-body">
        <h2>{name}</h2>
        <p>{t(`learn.about.${game}`)}</p>
        <div class="learn-progress">
          <progress class="learn-bar" value={part} max={1} aria-label={t("learn.progress", { game: name })} />
          <span class="small muted">
            {known && state === "begun" ? t("learn.at", { step: known.step + 1, steps: known.steps }) : state === "done" ? t("learn.is_done") : t("learn.minutes", { count: LESSON_MINUTES[game] })}
          </span>
        </div>
        <div class="learn-actions">
          <Link to={`/learn/${game}`} class="button bay" aria-label={t(`learn.${state}_game`, { game: name })}>
            <Icon name={state === "done" ? "undo" : "play"} size={16} />
            {t(`learn.${state}`)}
          </Link>
          <Link to={`/rules/${game}`} class="button" aria-label={t("learn.rules_of", { game: name })}>
            <Icon name="book" />
            {t("table.rules")}
          </Link>
        </div>
      </div>
    </article>
  );
}

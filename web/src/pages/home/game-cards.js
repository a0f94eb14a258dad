// The three games: a drawn scene, one sentence, the facts, and a button that starts a game against bots at once.

import { useState } from "preact/hooks";
import { t } from "../../catalogue/index.js";
import { Icon } from "../../parts/art.js";
import { preferredStrength, strengthsOf } from "../../parts/bots.js";
import { Disclosure, Popover, Segmented } from "../../parts/controls.js";
import { Link } from "../../parts/link.js";
import { LESSON_MINUTES } from "../../lessons/facts.js";
import { playNow, usualSeats } from "../../parts/play-now.js";
import { strength as preferred } from "../../parts/preferences.js";
import { Scene } from "../../parts/scenes.js";
import { OptionFields } from "../../parts/settings.js";
import { useAnswer } from "../../parts/use-answer.js";
import { useRequest } from "../../parts/use-request.js";

/** @typedef {import("../../main.js").PageProps} PageProps */

/**
 * What each game takes. The weight is a judgement. The minutes are those of a whole game of four seats, alone against
 * bots and with four people. Counted in games of easy bots: 69, 70 and 139 decisions of one player; for all players 213
 * turns with 17 further steps (Investors), 107 with 188 (Planners), 150 with 410 (Builders). Assumed: 12 seconds for
 * the beginning of a turn, 5 for each further step of the same player, none for bots.
 * @type {Record<string, {seats: string, minutes: [number, number], weight: 1 | 2 | 3}>}
 */
const FACTS = {
  investors: { seats: "3–5", minutes: [15, 45], weight: 3 },
  planners: { seats: "2–4", minutes: [10, 35], weight: 1 },
  builders: { seats: "2–4", minutes: [15, 60], weight: 2 },
};
const GAMES = Object.keys(FACTS);
const WEIGHTS = ["light", "medium", "deep"];

/** @param {PageProps} props */
export function GameCards(props) {
  const { store, socket } = props;
  const { reply } = useAnswer(socket, store.me.value ? { type: "get_lessons" } : null);
  return (
    <section aria-labelledby="games-title">
      <header class="games-head">
        <h1 id="games-title">{t("lobby.title")}</h1>
        <p class="muted">{t("home.subtitle")}</p>
      </header>
      <div class="game-cards">
        {GAMES.map((game) => (
          <GameCard key={game} {...props} game={game} lesson={reply?.lessons[game]} />
        ))}
      </div>
    </section>
  );
}

/** @param {PageProps & {game: string, lesson: import("../../lessons/progress.js").Known | undefined}} props */
function GameCard({ store, socket, navigate, game, lesson }) {
  const [run, { isBusy, refusal }] = useRequest();
  const described = store.games.value.find(({ name }) => name === game);
  const name = t(`game.${game}`);
  /** @param {{seats?: number, options?: Record<string, any>}} [choices] */
  const play = (choices) => run(async () => navigate(`/t/${await playNow(store, socket, described, choices)}`));
  return (
    <article class="game-card card" data-game={game}>
      <Scene game={game} />
      <div class="game-card-body">
        <div class="game-card-head">
          <h2>{name}</h2>
          <Facts game={game} />
        </div>
        <p>{t(`home.about.${game}`)}</p>
        <div class="game-card-actions">
          <span class="split" data-anchor>
            <button class="bay split-main" disabled={isBusy || !described} aria-label={t("home.play_game", { game: name })} onClick={() => play()}>
              <Icon name="play" size={16} />
              {t(isBusy ? "lobby.setting_up" : "home.play")}
            </button>
            <Popover
              label={t("home.play_options", { game: name })}
              button={<Icon name="chevron" size={16} />}
              buttonClass="bay split-more"
              isSheet
            >
              {(close) => described && <PlayOptions game={described} isBusy={isBusy} onPlay={(choices) => play(choices).then(close)} />}
            </Popover>
          </span>
          <LearnLink game={game} lesson={lesson} />
        </div>
        {refusal && (
          <p class="error" role="alert">
            {refusal}
          </p>
        )}
      </div>
    </article>
  );
}

/** The way to the lesson, with how far the visitor has come. @param {{game: string, lesson: import("../../lessons/progress.js").Known | undefined}} props */
function LearnLink({ game, lesson }) {
  const name = t(`game.${game}`);
  const isBegun = lesson && !lesson.done && lesson.step > 0;
  const text = lesson?.done ? t("home.learned") : isBegun ? t("home.learn_on", { step: lesson.step + 1, steps: lesson.steps }) : t("home.learn", { count: LESSON_MINUTES[game] });
  const short = lesson?.done ? t("home.learned_short") : isBegun ? `${lesson.step + 1}/${lesson.steps}` : t("nav.learn");
  return (
    <Link to={`/learn/${game}`} class={`button learn-link ${lesson?.done ? "learned" : ""}`}>
      <Icon name={lesson?.done ? "check" : "book"} />
      <span class="hidden-visually">{name}: </span>
      <span class="learn-long">{text}</span>
      <span class="learn-short">{short}</span>
      {isBegun && <progress class="learn-line" value={lesson.step} max={lesson.steps} aria-hidden="true" />}
    </Link>
  );
}

/** Players, minutes and weight. @param {{game: string}} props */
export function Facts({ game }) {
  const { seats, minutes, weight } = FACTS[game];
  const [alone, together] = minutes;
  return (
    <ul class="facts small muted">
      <li title={t("home.seats_long", { seats })}>
        <Icon name="people" size={16} />
        <span class="hidden-visually">{t("home.players")}</span>
        {seats}
      </li>
      <li title={t("home.minutes_long", { alone, together })}>
        <Icon name="clock" size={16} />
        {t("home.minutes", { alone, together })}
      </li>
      <li>
        <svg width="30" height="14" viewBox="0 0 30 14" aria-hidden="true">
          {WEIGHTS.map((name, index) => (
            <rect
              key={name}
              x={index * 10 + 0.7}
              y="3.200"
              width="8.200"
              height="8"
              rx="1.500"
              fill={index < weight ? "currentColor" : "none"}
              stroke="currentColor"
              stroke-width="1.200"
            />
          ))}
        </svg>
        {t(`home.weight.${WEIGHTS[weight - 1]}`)}
      </li>
    </ul>
  );
}

/**
 * Seats, strength and options of a game against bots.
 * @param {{game: any, isBusy: boolean, onPlay: (choices: {seats: number, options: Record<string, any>}) => void}} props
 */
function PlayOptions({ game, isBusy, onPlay }) {
  const [seats, setSeats] = useState(usualSeats(game));
  const [options, setOptions] = useState(/** @type {Record<string, any>} */ ({}));
  const strengths = strengthsOf(game);
  return (
    <form
      class="play-options"
      onSubmit={(event) => {
        event.preventDefault();
        onPlay({ seats, options });
      }}
    >
      <h3>{t("home.play_options", { game: t(`game.${game.name}`) })}</h3>
      <div class="field">
        <span>{t("home.players")}</span>
        <Segmented
          label={t("home.players")}
          value={seats}
          options={game.seats.map((/** @type {number} */ count) => ({ value: count, label: String(count) }))}
          onChange={setSeats}
        />
      </div>
      {strengths.length > 1 && (
        <div class="field">
          <span>{t("bot.play")}</span>
          <Segmented
            label={t("bot.play")}
            value={preferredStrength(game)}
            options={strengths.map((strength) => ({ value: strength, label: t(`strength.${strength}`) }))}
            onChange={(strength) => (preferred.value = strength)}
          />
        </div>
      )}
      <Disclosure summary={t("create.options", { game: t(`game.${game.name}`) })}>
        <OptionFields game={game.name} options={game.options} values={options} onChange={(changed) => setOptions({ ...options, ...changed })} />
      </Disclosure>
      <button type="submit" class="bay" disabled={isBusy}>
        <Icon name="play" size={16} />
        {t("home.play_with_these")}
      </button>
    </form>
  );
}

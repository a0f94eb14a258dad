// The form that creates a table, with an explanation for every setting.

import { useState } from "preact/hooks";
import { t } from "../../catalogue/index.js";
import { Icon } from "../../parts/art.js";
import { useRequest } from "../../parts/use-request.js";
import { CLOCKS, OptionFields, clockSettingText } from "../../parts/settings.js";

/** @typedef {import("../../main.js").PageProps} PageProps */

/** @param {PageProps & {game: string, setGame: (game: string) => void}} props */
export function CreateTable({ store, socket, navigate, game, setGame }) {
  const [run, { isBusy, refusal }] = useRequest();
  const [wantedSeats, setSeats] = useState(4);
  const [clock, setClock] = useState(/** @type {keyof typeof CLOCKS} */ ("none"));
  /** The chosen options of each game, so that switching games keeps them. */
  const [allOptions, setOptions] = useState(/** @type {Record<string, Record<string, any>>} */ ({}));
  const [rest, setRest] = useState({ private: false, bots: true, spectators: true, show_decided: true, time_up: "bot", hints: "alone" });
  const chosen = store.games.value.find((each) => each.name === game);
  if (!chosen) return null;
  const options = allOptions[game] ?? {};
  const seats = chosen.seats.includes(wantedSeats) ? wantedSeats : chosen.seats.at(-1);
  const create = (/** @type {Event} */ event) => {
    event.preventDefault();
    run(async () => {
      const settings = { game, seats, options, clock: CLOCKS[clock], ...rest };
      navigate(`/t/${(await socket.request({ type: "create_table", settings })).table}`);
    });
  };
  /** @param {keyof typeof rest} name */
  const flag = (name) => (
    <label class="option-flag">
      <input
        type="checkbox"
        checked={Boolean(rest[name])}
        onChange={(event) => setRest({ ...rest, [name]: event.currentTarget.checked })}
      />
      <span>
        {t(`settings.${name}`)}
        <span class="small muted block">{t(`settings.${name}.help`)}</span>
      </span>
    </label>
  );
  return (
    <section class="card panel" aria-labelledby="create-title">
      <h2 id="create-title">{t("create.title")}</h2>
      <form onSubmit={create} class="create">
        <label for="create-game">{t("lobby.game")}</label>
        <select id="create-game" value={game} onChange={(event) => setGame(event.currentTarget.value)}>
          {store.games.value.map(({ name }) => (
            <option key={name} value={name}>
              {t(`game.${name}`)}
            </option>
          ))}
        </select>
        <span>{t("create.seats")}</span>
        <div class="segmented" role="group" aria-label={t("create.seats")}>
          {chosen.seats.map((/** @type {number} */ count) => (
            <button key={count} type="button" aria-pressed={count === seats} onClick={() => setSeats(count)}>
              {count}
            </button>
          ))}
        </div>
        <label for="create-clock">{t("create.clock")}</label>
        <select
          id="create-clock"
          value={clock}
          onChange={(event) => setClock(/** @type {keyof typeof CLOCKS} */ (event.currentTarget.value))}
        >
          {Object.entries(CLOCKS).map(([name, each]) => (
            <option key={name} value={name}>
              {clockSettingText(each)}
            </option>
          ))}
        </select>
        <span>{t("create.who")}</span>
        <div class="segmented" role="group" aria-label={t("create.who")}>
          {[false, true].map((isPrivate) => (
            <button
              key={String(isPrivate)}
              type="button"
              aria-pressed={rest.private === isPrivate}
              onClick={() => setRest({ ...rest, private: isPrivate })}
            >
              {t(isPrivate ? "create.by_link" : "create.anyone")}
            </button>
          ))}
        </div>
        <details class="wide">
          <summary>{t("create.more")}</summary>
          <div class="option">
            <label for="create-time-up">{t("settings.time_up")}</label>
            <select id="create-time-up" value={rest.time_up} onChange={(event) => setRest({ ...rest, time_up: event.currentTarget.value })}>
              <option value="bot">{t("settings.time_up.bot")}</option>
              <option value="fallback">{t("settings.time_up.fallback")}</option>
            </select>
            <p class="small muted">{t("settings.time_up.help")}</p>
          </div>
          <div class="option">
            <label for="create-hints">{t("settings.hints")}</label>
            <select id="create-hints" value={rest.hints} onChange={(event) => setRest({ ...rest, hints: event.currentTarget.value })}>
              {["alone", "all", "none"].map((who) => (
                <option key={who} value={who}>
                  {t(`settings.hints.${who}`)}
                </option>
              ))}
            </select>
            <p class="small muted">{t("settings.hints.help")}</p>
          </div>
          {flag("bots")}
          {flag("spectators")}
          {flag("show_decided")}
        </details>
        <details class="wide">
          <summary>{t("create.options", { game: t(`game.${game}`) })}</summary>
          <OptionFields
            game={game}
            options={chosen.options}
            values={options}
            onChange={(name, value) => setOptions({ ...allOptions, [game]: { ...options, [name]: value } })}
          />
        </details>
        {refusal && (
          <p class="error wide" role="alert">
            {refusal}
          </p>
        )}
        <button class="bay wide" disabled={isBusy}>
          <Icon name="plus" />
          {t("create.button")}
        </button>
      </form>
    </section>
  );
}

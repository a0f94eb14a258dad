// A new table: the game, who may come, the clock and the options, with an explanation for every setting.

import { useState } from "preact/hooks";
import { t } from "../catalogue/index.js";
import { Icon } from "../parts/art.js";
import { Disclosure, Segmented, Select } from "../parts/controls.js";
import { CLOCKS, clockSettingText, OptionFields } from "../parts/settings.js";
import { GameBadge } from "../parts/site-art.js";
import { SitePage } from "../parts/site-bar.js";
import { TABLE_LANGUAGES } from "../parts/table-texts.js";
import { useRequest } from "../parts/use-request.js";
import "../style/lists.css";
import "../style/new-table.css";

/** @typedef {import("../main.js").PageProps} PageProps */

/** @param {PageProps} props */
export function Page(props) {
  return (
    <SitePage store={props.store} active="home">
      <main class="site-wrap new-table">
        <h1 class="page-title">{t("create.title")}</h1>
        <NewTable {...props} />
      </main>
    </SitePage>
  );
}

/** @param {PageProps} props */
function NewTable({ store, socket, navigate, route }) {
  const [run, { isBusy, refusal }] = useRequest();
  const games = store.games.value;
  const [game, setGame] = useState(route.game ?? "investors");
  const [wantedSeats, setSeats] = useState(4);
  const [clock, setClock] = useState(/** @type {keyof typeof CLOCKS} */ ("none"));
  const [name, setName] = useState("");
  const [language, setLanguage] = useState("");
  /** The chosen options of each game, so that switching games keeps them. */
  const [allOptions, setOptions] = useState(/** @type {Record<string, Record<string, any>>} */ ({}));
  const [rest, setRest] = useState({ private: false, bots: true, spectators: true, show_decided: true, time_up: "bot", hints: "alone" });
  const chosen = games.find((each) => each.name === game) ?? games[0];
  if (!chosen) return null;
  const options = allOptions[chosen.name] ?? {};
  const seats = chosen.seats.includes(wantedSeats) ? wantedSeats : chosen.seats.at(-1);
  const create = (/** @type {Event} */ event) => {
    event.preventDefault();
    run(async () => {
      const named = { ...(name.trim() ? { name: name.trim() } : {}), ...(language ? { language } : {}) };
      const settings = { game: chosen.name, seats, options, clock: CLOCKS[clock], ...rest, ...named };
      navigate(`/t/${(await socket.request({ type: "create_table", settings })).table}`);
    });
  };
  /** @param {"bots" | "spectators" | "show_decided"} flag */
  const flag = (flag) => (
    <label class="option-flag">
      <input type="checkbox" checked={rest[flag]} onChange={(event) => setRest({ ...rest, [flag]: event.currentTarget.checked })} />
      <span>
        {t(`settings.${flag}`)}
        <span class="small muted block">{t(`settings.${flag}.help`)}</span>
      </span>
    </label>
  );
  return (
    <form onSubmit={create} class="create card">
      <div class="field">
        <span>{t("lobby.game")}</span>
        <Segmented
          class="create-games"
          label={t("lobby.game")}
          value={chosen.name}
          options={games.map((each) => ({ value: each.name, label: t(`game.${each.name}`), picture: <GameBadge game={each.name} size={32} /> }))}
          onChange={setGame}
        />
      </div>
      <div class="field">
        <span>{t("create.seats")}</span>
        <Segmented
          label={t("create.seats")}
          value={seats}
          options={chosen.seats.map((/** @type {number} */ count) => ({ value: count, label: String(count) }))}
          onChange={setSeats}
        />
      </div>
      <div class="field">
        <span id="create-clock">{t("create.clock")}</span>
        <Select
          labelledBy="create-clock"
          icon="clock"
          value={clock}
          options={Object.entries(CLOCKS).map(([value, each]) => ({ value, label: clockSettingText(each), note: t(`create.clock.${value}`) }))}
          onChange={setClock}
        />
      </div>
      <div class="field">
        <span>{t("create.who")}</span>
        <Segmented
          label={t("create.who")}
          value={rest.private}
          options={[
            { value: false, label: t("create.anyone") },
            { value: true, label: t("create.by_link") },
          ]}
          onChange={(isPrivate) => setRest({ ...rest, private: isPrivate })}
        />
      </div>
      <div class="field">
        <label for="create-name">{t("create.name")}</label>
        <input
          id="create-name"
          value={name}
          maxLength={40}
          placeholder={t("create.name_example")}
          autoComplete="off"
          onInput={(event) => setName(event.currentTarget.value)}
        />
      </div>
      <div class="field">
        <span id="create-language">{t("create.language")}</span>
        <Select
          labelledBy="create-language"
          icon="globe"
          value={language}
          options={[{ value: "", label: t("create.any_language") }, ...Object.entries(TABLE_LANGUAGES).map(([value, label]) => ({ value, label }))]}
          onChange={setLanguage}
        />
      </div>
      <Disclosure summary={t("create.options", { game: t(`game.${chosen.name}`) })}>
        <OptionFields
          game={chosen.name}
          options={chosen.options}
          values={options}
          onChange={(option, value) => setOptions({ ...allOptions, [chosen.name]: { ...options, [option]: value } })}
        />
      </Disclosure>
      <Disclosure summary={t("create.more")}>
        <div class="option">
          <span id="create-time-up">{t("settings.time_up")}</span>
          <Select
            labelledBy="create-time-up"
            value={rest.time_up}
            options={["bot", "fallback"].map((value) => ({ value, label: t(`settings.time_up.${value}`) }))}
            onChange={(value) => setRest({ ...rest, time_up: value })}
          />
          <p class="small muted">{t("settings.time_up.help")}</p>
        </div>
        <div class="option">
          <span id="create-hints">{t("settings.hints")}</span>
          <Select
            labelledBy="create-hints"
            value={rest.hints}
            options={["alone", "all", "none"].map((value) => ({ value, label: t(`settings.hints.${value}`) }))}
            onChange={(value) => setRest({ ...rest, hints: value })}
          />
          <p class="small muted">{t("settings.hints.help")}</p>
        </div>
        {flag("bots")}
        {flag("spectators")}
        {flag("show_decided")}
      </Disclosure>
      {refusal && (
        <p class="error" role="alert">
          {refusal}
        </p>
      )}
      <button class="bay create-button" disabled={isBusy}>
        <Icon name="plus" />
        {t("create.button")}
      </button>
    </form>
  );
}

// A new table: the game, who may come, the clock and the options, with an explanation for every setting.

import { useState } from "preact/hooks";
import { t } from "../catalogue/index.js";
import { Icon } from "../parts/art.js";
import { Disclosure, Segmented, Select } from "../parts/controls.js";
import { CLOCKS, clockSettingText, DAY_CLOCKS, OptionFields } from "../parts/settings.js";
import { GameBadge } from "../parts/site-art.js";
import { RatedField, ratedSettings } from "../parts/rated.js";
import { DelayField, SpectatorsDelayedField } from "../parts/delay-field.js";
import { SitePage } from "../parts/site-bar.js";
import { FlagFields, HintsField, HolidaysField, LanguageField, PrivacyField, SealedField, SeatsField, TimeUpField } from "../parts/table-fields.js";
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

/** The settings of a table until somebody changes them. */
const DEFAULTS = {
  seats: 4,
  name: "",
  language: null,
  private: false,
  bots: true,
  spectators: true,
  show_decided: true,
  orders: true,
  sealed_on_devices: false,
  time_up: "bot",
  holiday_days: 7,
  hints: "alone",
  rated: false,
  delayed_view: null,
  spectators_delayed: false,
};

/** @param {PageProps} props */
function NewTable({ store, socket, navigate, route }) {
  const [run, { isBusy, refusal }] = useRequest();
  const games = store.games.value;
  const [game, setGame] = useState(route.game ?? "investors");
  const [isByDay, setByDay] = useState(false);
  /** The chosen clock of each pace. */
  const [liveClock, setLiveClock] = useState(/** @type {keyof typeof CLOCKS} */ ("none"));
  const [dayClock, setDayClock] = useState(/** @type {keyof typeof DAY_CLOCKS} */ ("days"));
  /** The chosen options of each game, so that switching games keeps them. */
  const [allOptions, setOptions] = useState(/** @type {Record<string, Record<string, any>>} */ ({}));
  // The rankings lead to a new rated table.
  const [wanted, setWanted] = useState(() => ratedSettings(DEFAULTS, new URLSearchParams(location.search).has("rated"), DEFAULTS.hints));
  const chosen = games.find((each) => each.name === game) ?? games[0];
  if (!chosen) return null;
  const options = allOptions[chosen.name] ?? {};
  const settings = { ...wanted, sealed_on_devices: Boolean(chosen.seals_answers) && wanted.sealed_on_devices, seats: chosen.seats.includes(wanted.seats) ? wanted.seats : chosen.seats.at(-1) };
  const fields = { settings, change: (/** @type {Partial<typeof DEFAULTS>} */ changed) => setWanted({ ...wanted, ...changed }) };
  const create = (/** @type {Event} */ event) => {
    event.preventDefault();
    run(async () => {
      // By the day nobody waits for the host: the game begins when the last seat is taken.
      const pace = isByDay ? { clock: DAY_CLOCKS[dayClock], begin: "full" } : { clock: CLOCKS[liveClock], holiday_days: 0 };
      const asked = { ...settings, name: settings.name.trim() || null, game: chosen.name, options, ...pace };
      navigate(`/t/${(await socket.request({ type: "create_table", settings: asked })).table}`);
    });
  };
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
        <SeatsField {...fields} counts={chosen.seats} />
      </div>
      <div class="field">
        <span>{t("pace.label")}</span>
        <Segmented
          label={t("pace.label")}
          value={isByDay}
          options={[
            { value: false, label: t("pace.live") },
            { value: true, label: t("pace.days") },
          ]}
          onChange={setByDay}
        />
        <p class="small muted">{t(isByDay ? "pace.days.why" : "pace.live.why")}</p>
      </div>
      <div class="field">
        <span id="create-clock">{t("create.clock")}</span>
        <Select
          labelledBy="create-clock"
          icon="clock"
          value={isByDay ? dayClock : liveClock}
          options={Object.entries(isByDay ? DAY_CLOCKS : CLOCKS).map(([value, each]) => ({ value, label: clockSettingText(each), note: t(`create.clock.${value}`) }))}
          onChange={isByDay ? setDayClock : setLiveClock}
        />
        {isByDay && <p class="small muted">{t("create.time_up_days", { then: t(`settings.time_up.${settings.time_up}`) })}</p>}
      </div>
      {isByDay && (
        <div class="field">
          <HolidaysField {...fields} />
          <p class="small muted">{t("create.holidays.help")}</p>
        </div>
      )}
      <div class="field">
        <PrivacyField {...fields} />
      </div>
      <RatedField
        isRated={settings.rated}
        hasAccount={Boolean(store.me.value?.handle)}
        onChange={(isRated) => setWanted(ratedSettings(wanted, isRated, DEFAULTS.hints))}
      />
      <div class="field">
        <label for="create-name">{t("create.name")}</label>
        <input
          id="create-name"
          value={settings.name}
          maxLength={40}
          placeholder={t("create.name_example")}
          autoComplete="off"
          onInput={(event) => fields.change({ name: event.currentTarget.value })}
        />
      </div>
      <div class="field">
        <LanguageField {...fields} />
      </div>
      <Disclosure summary={t("create.options", { game: t(`game.${chosen.name}`) })}>
        <OptionFields
          game={chosen.name}
          options={chosen.options}
          values={options}
          onChange={(changed) => setOptions({ ...allOptions, [chosen.name]: { ...options, ...changed } })}
        />
      </Disclosure>
      <Disclosure summary={t("create.more")}>
        <div class="option">
          <TimeUpField {...fields} />
          {!isByDay && <p class="small muted">{t("settings.time_up.help")}</p>}
        </div>
        <div class="option">
          {!settings.rated && <HintsField {...fields} />}
          <p class="small muted">{t(settings.rated ? "rated.hints" : "settings.hints.help")}</p>
        </div>
        <FlagFields {...fields} hasHelp />
        {chosen.seals_answers && <SealedField {...fields} />}
        <div class="option">
          <DelayField {...fields} />
          <p class="small muted">{t("settings.delayed_view.help")}</p>
        </div>
        <SpectatorsDelayedField {...fields} />
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

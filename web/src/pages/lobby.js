// The first page: play at once, find people, open a table, come back to a game.

import { useState } from "preact/hooks";
import { t } from "../catalogue/index.js";
import { Chip, Icon, SEAT_COLOURS, Symbol } from "../parts/art.js";
import { ConnectionBanner, connectionWord } from "../parts/banner.js";
import { sitterWords, StrengthChoice, strengthsOf, wanted } from "../parts/bots.js";
import { LanguageChoice, ThemeSwitch } from "../parts/chrome.js";
import { useErrand } from "../parts/errand.js";
import { Face } from "../parts/face.js";
import { colour, strength as preferred } from "../parts/preferences.js";
import { CLOCKS, OptionFields } from "../parts/settings.js";
import "../style/lobby.css";

/** @typedef {import("../store.js").Store} Store */
/** @typedef {import("../socket.js").Socket} Socket */
/** @typedef {{store: Store, socket: Socket, go: (path: string) => void}} PageProps */

/** @param {PageProps} props */
export function LobbyPage(props) {
  const { store } = props;
  const [game, setGame] = useState("investors");
  return (
    <div class="lobby">
      <header class="lobby-bar">
        <Symbol name="hall-built" width={32} />
        <span class="serif brand">San Francisco Tables</span>
        <span class="spread" />
        <span class={`small live live-${store.connection.value}`}>{t(connectionWord(store))}</span>
        <LanguageChoice />
        <ThemeSwitch />
      </header>
      <ConnectionBanner store={store} />
      <main class="lobby-columns">
        <div>
          <Hero {...props} game={game} setGame={setGame} />
          <OpenTables {...props} />
          <RunningTables {...props} />
        </div>
        <div>
          <You {...props} />
          <YourGames {...props} />
          <CreateTable {...props} game={game} setGame={setGame} />
        </div>
      </main>
      <footer class="small muted">{t("lobby.credits")}</footer>
    </div>
  );
}

/**
 * Open a table, fill it with bots and begin.
 * @param {Socket} socket @param {any} game @returns {Promise<string>}
 */
async function playNow(socket, game) {
  const seats = game.seats.includes(4) ? 4 : game.seats.at(-1);
  const { table } = await socket.request({
    type: "create_table",
    settings: { game: game.name, seats, private: true, absence_seconds: null },
  });
  const strength = wanted(game);
  await socket.request({ type: "fill_with_bots", table, ...(strength ? { strength } : {}) });
  await socket.request({ type: "start", table });
  return table;
}

/** @param {PageProps & {game: string, setGame: (game: string) => void}} props */
function Hero({ store, socket, go, game, setGame }) {
  const [run, { isBusy, refusal }] = useErrand();
  const chosen = store.games.value.find((each) => each.name === game) ?? store.games.value[0];
  return (
    <section class="hero card" aria-labelledby="hero-title">
      <div class="hero-words">
        <h1 id="hero-title">{t("lobby.title")}</h1>
        <p class="muted">{t("lobby.subtitle")}</p>
        <GameChoice games={store.games.value} game={game} setGame={setGame} />
        <div class="hero-actions">
          <button
            class="primary big"
            disabled={isBusy || !chosen}
            onClick={() => run(async () => go(`/t/${await playNow(socket, chosen)}`))}
          >
            <Icon name="play" />
            {t(isBusy ? "lobby.setting_up" : "lobby.play_now")}
          </button>
          <button
            class="big"
            disabled={isBusy || !chosen}
            onClick={() =>
              run(async () => go(`/t/${(await socket.request({ type: "quick_match", game: chosen.name })).table}`))
            }
          >
            <Icon name="bolt" />
            {t("lobby.quick_match")}
          </button>
        </div>
        <StrengthChoice
          strengths={strengthsOf(chosen)}
          value={wanted(chosen)}
          onChange={(strength) => (preferred.value = strength)}
          label={t("bot.play")}
        />
        {refusal && (
          <p class="error" role="alert">
            {refusal}
          </p>
        )}
      </div>
      <Skyline />
    </section>
  );
}

/** The houses of the skyline from west to east: name, place and size. @type {[string, number, number][]} */
const HOUSES = [
  ["office-ruin", 446, 64],
  ["villa-built", 514, 66],
  ["hall-built", 582, 106],
  ["office-built", 690, 78],
  ["leisure-ruin", 768, 62],
];

function Skyline() {
  return (
    <svg class="skyline" viewBox="0 0 832 254" preserveAspectRatio="xMaxYMax slice" aria-hidden="true">
      <circle cx="752" cy="76" r="40" class="sun" />
      <path class="hill hill-far" d="M420 240C500 140 600 130 680 160S780 150 832 152V254H420z" />
      <path class="hill" d="M330 240C400 190 470 206 560 198S760 186 832 204V254H330z" />
      <g class="skyline-houses">
        {HOUSES.map(([name, x, size]) => (
          <Placed key={name} name={name} x={x} y={239 - size} size={size} />
        ))}
      </g>
      <path class="sea" d="M0 240c140-8 280 6 420 0s280-6 412 0v14H0z" />
      <path class="waves" d="M420 247c8-4 8 4 16 0s8 4 12 0M520 249c8-4 8 4 16 0s8 4 12 0M640 247c8-4 8 4 16 0s8 4 12 0" />
    </svg>
  );
}

/** @param {{name: string, x: number, y: number, size: number}} props */
function Placed({ name, x, y, size }) {
  return (
    <svg x={x} y={y} width={size} height={size}>
      <Symbol name={name} width={size} />
    </svg>
  );
}

/** @param {{games: any[], game: string, setGame: (game: string) => void}} props */
function GameChoice({ games, game, setGame }) {
  return (
    <div class="segmented" role="group" aria-label={t("lobby.game")}>
      {games.map(({ name }) => (
        <button key={name} type="button" aria-pressed={name === game} onClick={() => setGame(name)}>
          {t(`game.${name}`)}
        </button>
      ))}
    </div>
  );
}

/** The seats of a table in a list: chips for those taken, gaps for the others. @param {{seats: any[]}} props */
function SeatRow({ seats }) {
  const taken = seats.filter(({ user, bot }) => user || bot).length;
  return (
    <span class="seat-row" role="img" aria-label={t("lobby.seats_taken", { count: taken, seats: seats.length })}>
      {seats.map(({ user, bot, name }, seat) =>
        user ? <Chip key={seat} seat={seat} /> : bot ? <Face key={seat} name={name} size={24} /> : <span key={seat} class="seat-gap" />,
      )}
    </span>
  );
}

/** @param {any} clock */
function clockWords(clock) {
  if (clock.kind === "decision") return t("clock.decision", { seconds: clock.seconds });
  if (clock.kind === "bank") return t("clock.bank", { minutes: Math.round(clock.seconds / 60), increment: clock.increment });
  return t("clock.none");
}

/** @param {any} table */
function hostOf(table) {
  return table.seats.find((/** @type {any} */ seat) => seat.user === table.host)?.name ?? t("lobby.somebody");
}

/** @param {PageProps} props */
function OpenTables({ store, socket, go }) {
  const [seats, setSeats] = useState(0);
  const [withoutClock, setWithoutClock] = useState(false);
  const [run, { refusal }] = useErrand();
  const all = [...(store.tables.value?.values() ?? [])].filter((table) => table.phase === "open");
  const shown = all.filter(
    (table) =>
      (!seats || table.seats.length === seats) && (!withoutClock || table.settings.clock.kind === "none"),
  );
  const counts = [...new Set(store.games.value.flatMap((game) => game.seats))].sort();
  /** @param {any} table */
  const join = (table) =>
    run(async () => {
      const wanted = Number(colour.value);
      const isFree = table.seats[wanted] && !table.seats[wanted].user && !table.seats[wanted].bot;
      await socket.request({ type: "take_seat", table: table.table, ...(isFree ? { seat: wanted } : {}) });
      go(`/t/${table.table}`);
    });
  return (
    <section class="card list" aria-labelledby="open-title">
      <header>
        <h2 id="open-title">{t("lobby.open_tables")}</h2>
        <select aria-label={t("lobby.filter_seats")} value={seats} onChange={(event) => setSeats(Number(event.currentTarget.value))}>
          <option value={0}>{t("lobby.any_seats")}</option>
          {counts.map((count) => (
            <option key={count} value={count}>
              {t("lobby.seats", { count })}
            </option>
          ))}
        </select>
        <label class="small filter">
          <input type="checkbox" checked={withoutClock} onChange={(event) => setWithoutClock(event.currentTarget.checked)} />
          {t("clock.none")}
        </label>
        <span class="small muted spread-left">{t("lobby.waiting", { count: all.length })}</span>
      </header>
      {refusal && (
        <p class="error" role="alert">
          {refusal}
        </p>
      )}
      {!shown.length && <p class="empty muted">{t(all.length ? "lobby.none_fits" : "lobby.none_open")}</p>}
      <ul>
        {shown.map((table) => (
          <li key={table.table}>
            <div>
              <strong>{t(`game.${table.game}`)}</strong>
              <span class="small muted">{t("lobby.hosted_by", { name: hostOf(table) })}</span>
            </div>
            <SeatRow seats={table.seats} />
            <span class="small muted">{clockWords(table.settings.clock)}</span>
            {table.seats.some((/** @type {any} */ seat) => seat.user === store.me.value?.id) ? (
              <button onClick={() => go(`/t/${table.table}`)}>{t("lobby.return")}</button>
            ) : (
              <button onClick={() => join(table)}>{t("lobby.join")}</button>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}

/** @param {PageProps} props */
function RunningTables({ store, go }) {
  const running = [...(store.tables.value?.values() ?? [])].filter((table) => table.phase === "running");
  return (
    <section class="list" aria-labelledby="running-title">
      <header>
        <h2 id="running-title">{t("lobby.running_tables")}</h2>
      </header>
      {!running.length && <p class="empty muted">{t("lobby.none_running")}</p>}
      <ul class="tiles">
        {running.map((table) => (
          <li key={table.table} class="card">
            <button class="plain" onClick={() => go(`/t/${table.table}`)}>
              <strong>{t(`game.${table.game}`)}</strong>
              <span class="small muted">{table.seats.map(sitterWords).join(", ")}</span>
              <span class="tile-foot">
                <SeatRow seats={table.seats} />
                <span class="small watching">
                  <Icon name="eye" />
                  {t("lobby.watching", { count: table.spectators })}
                </span>
              </span>
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** @param {PageProps} props */
function You({ store, socket }) {
  const me = store.me.value;
  const [draft, setDraft] = useState(/** @type {string | null} */ (null));
  const [code, setCode] = useState(/** @type {string | null} */ (null));
  const [run, { isBusy, refusal }] = useErrand();
  const rename = (/** @type {Event} */ event) => {
    event.preventDefault();
    run(async () => {
      const { name } = await socket.request({ type: "set_name", name: draft });
      if (me) store.me.value = { ...me, name: name ?? draft };
      setDraft(null);
    });
  };
  return (
    <section class="card panel" aria-labelledby="you-title">
      <h2 id="you-title">{t("you.title")}</h2>
      <form onSubmit={rename} class="name-form">
        <label for="name" class="small muted">
          {t("you.name")}
        </label>
        <input id="name" value={draft ?? me?.name ?? ""} maxLength={24} onInput={(event) => setDraft(event.currentTarget.value)} />
        {draft !== null && draft !== me?.name && (
          <button class="bay" disabled={isBusy}>
            {t("you.save")}
          </button>
        )}
      </form>
      {refusal && (
        <p class="error" role="alert">
          {refusal}
        </p>
      )}
      <div class="colours" role="radiogroup" aria-label={t("you.colour")}>
        <span class="small muted">{t("you.colour")}</span>
        {SEAT_COLOURS.map((name, seat) => (
          <button
            key={name}
            class="plain colour"
            role="radio"
            aria-checked={colour.value === String(seat)}
            aria-label={t(`colour.${name}`)}
            onClick={() => (colour.value = String(seat))}
          >
            <Chip seat={seat} size={32} />
          </button>
        ))}
      </div>
      <p class="small muted">
        {code ? (
          <output>{t("you.code", { code })}</output>
        ) : (
          <button
            class="plain link"
            onClick={() => run(async () => setCode((await socket.request({ type: "make_code" })).code))}
          >
            {t("you.second_device")}
          </button>
        )}
      </p>
      <RedeemCode />
    </section>
  );
}

/** Becoming, on this device, the user that one is on another. */
function RedeemCode() {
  const [run, { refusal }] = useErrand();
  const [code, setCode] = useState("");
  const redeem = (/** @type {Event} */ event) => {
    event.preventDefault();
    run(async () => {
      const answer = await fetch("/api/session/code", {
        method: "POST",
        headers: { "Content-Type": "application/json" },
        body: JSON.stringify({ code: code.trim() }),
      });
      if (!answer.ok) throw new Error(t("you.bad_code"));
      location.reload();
    });
  };
  return (
    <details class="small">
      <summary>{t("you.have_code")}</summary>
      <form onSubmit={redeem} class="name-form">
        <input aria-label={t("you.code_field")} value={code} onInput={(event) => setCode(event.currentTarget.value)} />
        <button>{t("you.use_code")}</button>
      </form>
      {refusal && (
        <p class="error" role="alert">
          {refusal}
        </p>
      )}
    </details>
  );
}

/** @param {PageProps} props */
function YourGames({ store, go }) {
  const yours = store.yours.value;
  return (
    <section class="card panel" aria-labelledby="yours-title">
      <h2 id="yours-title">{t("yours.title")}</h2>
      {!yours.length && <p class="muted small">{t("yours.none")}</p>}
      <ul class="yours">
        {yours.map((table) => (
          <li key={table.table}>
            <button class="plain" onClick={() => go(`/t/${table.table}`)}>
              <strong>{t(`game.${table.game}`)}</strong>
              <span class="small muted">
                {table.seats
                  .filter((/** @type {any} */ seat) => seat.user !== store.me.value?.id)
                  .map(sitterWords)
                  .join(", ")}
              </span>
              <span class="small return">{t(`yours.${table.phase}`)}</span>
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** @param {PageProps & {game: string, setGame: (game: string) => void}} props */
function CreateTable({ store, socket, go, game, setGame }) {
  const [run, { isBusy, refusal }] = useErrand();
  const [seats, setSeats] = useState(4);
  const [clock, setClock] = useState(/** @type {keyof typeof CLOCKS} */ ("none"));
  const [options, setOptions] = useState(/** @type {Record<string, any>} */ ({}));
  const [rest, setRest] = useState({ private: false, bots: true, spectators: true, show_decided: true, time_up: "bot", hints: "alone" });
  const chosen = store.games.value.find((each) => each.name === game);
  if (!chosen) return null;
  const create = (/** @type {Event} */ event) => {
    event.preventDefault();
    run(async () => {
      const settings = { game, seats, options, clock: CLOCKS[clock], ...rest };
      go(`/t/${(await socket.request({ type: "create_table", settings })).table}`);
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
              {clockWords(each)}
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
            onChange={(name, value) => setOptions({ ...options, [name]: value })}
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

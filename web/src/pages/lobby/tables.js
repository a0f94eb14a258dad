// The lists of other people's tables: open ones to join, running ones to watch.

import { useState } from "preact/hooks";
import { t } from "../../catalogue/index.js";
import { Chip, Icon } from "../../parts/art.js";
import { sitterText } from "../../parts/bots.js";
import { useRequest } from "../../parts/use-request.js";
import { BotFace } from "../../parts/bot-portrait.js";
import { colour } from "../../parts/preferences.js";
import { clockSettingText } from "../../parts/settings.js";

/** @typedef {import("../../main.js").PageProps} PageProps */

/** The seats of a table in a list: a chip for each taken seat, a gap for each free one. @param {{seats: any[]}} props */
function SeatRow({ seats }) {
  const taken = seats.filter(({ user, bot }) => user || bot).length;
  return (
    <span class="seat-row" role="img" aria-label={t("lobby.seats_taken", { count: taken, seats: seats.length })}>
      {seats.map(({ user, bot, name }, seat) =>
        user ? <Chip key={seat} seat={seat} /> : bot ? <BotFace key={seat} name={name} size={24} /> : <span key={seat} class="seat-gap" />,
      )}
    </span>
  );
}

/** @param {any} table */
function hostOf(table) {
  return table.seats.find((/** @type {any} */ seat) => seat.user === table.host)?.name ?? t("lobby.somebody");
}

/** @param {PageProps} props */
export function OpenTables({ store, socket, navigate }) {
  const [seats, setSeats] = useState(0);
  const [withoutClock, setWithoutClock] = useState(false);
  const [run, { refusal }] = useRequest();
  const all = [...(store.tables.value?.values() ?? [])].filter((table) => table.phase === "open");
  const shown = all.filter(
    (table) =>
      (!seats || table.seats.length === seats) && (!withoutClock || table.settings.clock.kind === "none"),
  );
  const counts = [...new Set(store.games.value.flatMap((game) => game.seats))].sort();
  /** @param {any} table */
  const join = (table) =>
    run(async () => {
      const preferred = Number(colour.value);
      const isFree = table.seats[preferred] && !table.seats[preferred].user && !table.seats[preferred].bot;
      await socket.request({ type: "take_seat", table: table.table, ...(isFree ? { seat: preferred } : {}) });
      navigate(`/t/${table.table}`);
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
            <span class="small muted">{clockSettingText(table.settings.clock)}</span>
            {table.seats.some((/** @type {any} */ seat) => seat.user === store.me.value?.id) ? (
              <button onClick={() => navigate(`/t/${table.table}`)}>{t("lobby.return")}</button>
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
export function RunningTables({ store, navigate }) {
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
            <button class="plain" onClick={() => navigate(`/t/${table.table}`)}>
              <strong>{t(`game.${table.game}`)}</strong>
              <span class="small muted">{table.seats.map(sitterText).join(", ")}</span>
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

// The open tables, with filters, and the two other ways to a game with people: quick match and a new table.

import { useState } from "preact/hooks";
import { t } from "../../catalogue/index.js";
import { Icon } from "../../parts/art.js";
import { MenuButton, Select } from "../../parts/controls.js";
import { FaceRow } from "../../parts/face.js";
import { Link } from "../../parts/link.js";
import { colour } from "../../parts/preferences.js";
import { clockSettingText } from "../../parts/settings.js";
import { GameBadge } from "../../parts/site-art.js";
import { changedOptions, hostName, TABLE_LANGUAGES, tableName } from "../../parts/table-texts.js";
import { useRequest } from "../../parts/use-request.js";

/** @typedef {import("../../main.js").PageProps} PageProps */

/** Tables that are listed before "All tables" is pressed. */
const SHOWN = 6;
/** Filters appear when there are more tables than one sees at a glance. */
const FILTERED_FROM = 4;

/** Return the people at some tables. @param {any[]} tables */
function peopleAt(tables) {
  return tables.flatMap((table) => table.seats).filter((seat) => seat.user).length;
}

/** @param {PageProps} props */
export function OpenTables(props) {
  const { store, socket, navigate } = props;
  const [game, setGame] = useState("");
  const [seats, setSeats] = useState(0);
  const [withoutClock, setWithoutClock] = useState(false);
  const [isWhole, setWhole] = useState(false);
  const [run, { refusal }] = useRequest();
  const all = [...(store.tables.value?.values() ?? [])].filter((table) => table.phase === "open");
  const fitting = all.filter(
    (table) =>
      (!game || table.game === game) &&
      (!seats || table.seats.length === seats) &&
      (!withoutClock || table.settings.clock.kind === "none"),
  );
  const shown = isWhole ? fitting : fitting.slice(0, SHOWN);
  const counts = [...new Set(store.games.value.flatMap((each) => each.seats))].sort();
  /** @param {any} table */
  const join = (table) =>
    run(async () => {
      const preferred = Number(colour.value);
      const isFree = table.seats[preferred] && !table.seats[preferred].user && !table.seats[preferred].bot;
      await socket.request({ type: "take_seat", table: table.table, ...(isFree ? { seat: preferred } : {}) });
      navigate(`/t/${table.table}`);
    });
  return (
    <section class="open-tables card" aria-labelledby="open-title">
      <header>
        <h2 id="open-title">{t("lobby.open_tables")}</h2>
        <span class="small muted open-count">{all.length > 0 && t("home.looking", { count: peopleAt(all) })}</span>
        <span class="open-actions">
          <QuickMatch {...props} run={run} open={all} />
          <Link to="/new" class="button">
            <Icon name="plus" />
            {t("home.new_table")}
          </Link>
        </span>
      </header>
      {(all.length >= FILTERED_FROM || game || seats || withoutClock) && (
        <div class="filters">
          <Select
            class="tool"
            label={t("home.filter_game")}
            value={game}
            options={[{ value: "", label: t("home.any_game") }, ...store.games.value.map(({ name }) => ({ value: name, label: t(`game.${name}`) }))]}
            onChange={setGame}
          />
          <Select
            class="tool"
            label={t("lobby.filter_seats")}
            value={seats}
            options={[{ value: 0, label: t("lobby.any_seats") }, ...counts.map((count) => ({ value: count, label: t("lobby.seats", { count }) }))]}
            onChange={setSeats}
          />
          <label class="small filter">
            <input type="checkbox" checked={withoutClock} onChange={(event) => setWithoutClock(event.currentTarget.checked)} />
            {t("clock.none")}
          </label>
        </div>
      )}
      {refusal && (
        <p class="error" role="alert">
          {refusal}
        </p>
      )}
      {store.tables.value && !shown.length && <p class="empty muted">{t(all.length ? "lobby.none_fits" : "lobby.none_open")}</p>}
      <ul class="open-list">
        {shown.map((table) => (
          <OpenTable key={table.table} table={table} store={store} onJoin={() => join(table)} />
        ))}
      </ul>
      {fitting.length > SHOWN && (
        <button class="quiet open-more" aria-expanded={isWhole} onClick={() => setWhole(!isWhole)}>
          {isWhole ? t("home.tables_fewer") : t("home.tables_all", { count: fitting.length })}
        </button>
      )}
    </section>
  );
}

/** @param {{table: any, store: import("../../store.js").Store, onJoin: () => void}} props */
function OpenTable({ table, store, onJoin }) {
  const isMine = table.seats.some((/** @type {any} */ seat) => seat.user === store.me.value?.id);
  const taken = table.seats.filter((/** @type {any} */ seat) => seat.user || seat.bot).length;
  const details = [t("home.hosts", { name: hostName(table) }), ...changedOptions(table, store.games.value)];
  // A table with a name of its own says which game it is; its badge alone does not.
  if (table.settings.name) details.unshift(t(`game.${table.game}`));
  return (
    <li class="open-table">
      <GameBadge game={table.game} size={40} />
      <div class="open-name">
        <strong class="cut">{tableName(table)}</strong>
        <span class="small muted cut">{details.join(" · ")}</span>
      </div>
      <FaceRow seats={table.seats} label={t("lobby.seats_taken", { count: taken, seats: table.seats.length })} />
      <span class="small muted open-clock">{clockSettingText(table.settings.clock)}</span>
      <span class="small muted open-language">{TABLE_LANGUAGES[table.settings.language] ?? ""}</span>
      {isMine ? (
        <Link to={`/t/${table.table}`} class="button">
          {t("lobby.return")}
        </Link>
      ) : (
        <button class="open-join" onClick={onJoin}>
          {t("lobby.join")}
        </button>
      )}
    </li>
  );
}

/**
 * A seat at any open table of a game, or at a new one. The menu says who is there already.
 * @param {PageProps & {run: (work: () => Promise<any>) => Promise<void>, open: any[]}} props
 */
function QuickMatch({ store, socket, navigate, run, open }) {
  const items = store.games.value.map(({ name }) => {
    const people = peopleAt(open.filter((table) => table.game === name && table.seats.some((/** @type {any} */ seat) => !seat.user && !seat.bot)));
    return {
      label: t(`game.${name}`),
      note: people ? t("home.quick_people", { count: people }) : t("home.quick_nobody"),
      onSelect: () => run(async () => navigate(`/t/${(await socket.request({ type: "quick_match", game: name })).table}`)),
    };
  });
  return (
    <MenuButton
      label={t("lobby.quick_match")}
      button={
        <>
          <Icon name="bolt" />
          {t("lobby.quick_match")}
          <Icon name="chevron" size={16} />
        </>
      }
      items={items}
    />
  );
}

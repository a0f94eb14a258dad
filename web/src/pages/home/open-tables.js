// The open tables, with filters and pages, and the two other ways to a game with people: quick match and a new table.

import { useState } from "preact/hooks";
import { t } from "../../catalogue/index.js";
import { Icon } from "../../parts/art.js";
import { MenuButton } from "../../parts/controls.js";
import { FaceRow } from "../../parts/face.js";
import { Link } from "../../parts/link.js";
import { conditionsOf, FilterBar, GoneNote, hasFilters, PAGE_SIZE, Pager, useCalmRows, useFilters, useListQuery, usePageStart } from "../../parts/list-query.js";
import { colour } from "../../parts/preferences.js";
import { narrow } from "../../parts/narrow.js";
import { PaceBadge } from "../../parts/pace.js";
import { PersonName } from "../../parts/person-name.js";
import { RatedBadge } from "../../parts/rated.js";
import { clockSettingText } from "../../parts/settings.js";
import { GameBadge } from "../../parts/site-art.js";
import { changedOptions, hostName, TABLE_LANGUAGES, tableName } from "../../parts/table-texts.js";
import { useRequest } from "../../parts/use-request.js";

/** @typedef {import("../../main.js").PageProps} PageProps */

/** Tables that are listed before "All tables" is pressed. */
const SHOWN = 6;
/** One row is enough to know whether any game runs; the server chooses the big table. */
const ANY_RUNNING = { spectators: true, limit: 1 };

/** @param {PageProps} props */
export function OpenTables(props) {
  const { store, socket, navigate } = props;
  const { lists } = store;
  const list = useFilters();
  const [isWhole, setWhole] = useState(false);
  const [run, { refusal }] = useRequest();
  const open = { ...conditionsOf(list.filters), limit: isWhole ? PAGE_SIZE : SHOWN, ...(list.after ? { after: list.after } : {}) };
  useListQuery(store, { open, running: ANY_RUNNING });
  const place = lists.places.value.open;
  const isPending = lists.isPending.value;
  const current = lists.rows("open");
  const [rows, handlers] = useCalmRows(current, `${JSON.stringify(open)} ${isPending}`);
  const start = usePageStart(list.after, isPending);
  const people = lists.people.value;
  const isFiltered = hasFilters(list.filters);
  /** @param {any} table */
  const join = (table) =>
    run(async () => {
      const preferred = Number(colour.value);
      const isFree = table.seats[preferred] && !table.seats[preferred].user && !table.seats[preferred].bot;
      // What one agrees to by sitting down is read before, in the waiting room.
      if (!table.settings.sealed_on_devices && !table.settings.delayed_view) await socket.request({ type: "take_seat", table: table.table, ...(isFree ? { seat: preferred } : {}) });
      navigate(`/t/${table.table}`);
    });
  const toggle = () => {
    list.reset();
    setWhole(!isWhole);
  };
  return (
    <section class="open-tables card" aria-labelledby="open-title">
      <header>
        <h2 id="open-title">{t("lobby.open_tables")}</h2>
        <span class="small muted open-count">{people > 0 && t("home.looking", { count: people })}</span>
        <span class="open-actions">
          <QuickMatch {...props} run={run} />
          <Link to="/new" class="button">
            <Icon name="plus" />
            {t("home.new_table")}
          </Link>
        </span>
      </header>
      <FilterBar store={store} list={list} total={place?.total ?? 0} fields={["seats", "pace", "language", "clock"]} />
      {refusal && (
        <p class="error" role="alert">
          {refusal}
        </p>
      )}
      {place && !rows.length && !isPending && <p class="empty muted">{t(isFiltered ? "lobby.none_fits" : "lobby.none_open")}</p>}
      <ul class="open-list" ref={start} tabIndex={-1} aria-busy={isPending} {...handlers}>
        {rows.map(({ table, isGone }) => (
          <OpenTable key={table.table} table={table} isGone={isGone} store={store} onJoin={() => join(table)} />
        ))}
      </ul>
      <Pager list={list} place={place} count={current.length} isPending={isPending} isPaged={isWhole}>
        {(place?.total ?? 0) > SHOWN && (
          <button class="quiet open-more" aria-expanded={isWhole} onClick={toggle}>
            {isWhole ? t("home.tables_fewer") : t("home.tables_all", { count: place?.total ?? 0 })}
          </button>
        )}
      </Pager>
    </section>
  );
}

/** @param {{table: any, isGone: boolean, store: import("../../store.js").Store, onJoin: () => void}} props */
function OpenTable({ table, isGone, store, onJoin }) {
  const isMine = table.seats.some((/** @type {any} */ seat) => seat.user === store.me.value?.id);
  const taken = table.seats.filter((/** @type {any} */ seat) => seat.user || seat.bot).length;
  const host = table.seats.find((/** @type {any} */ seat) => seat.user === table.host);
  const hosts = t("home.hosts", { name: hostName(table) });
  // A table with a name of its own says which game it is; its badge alone does not.
  const game = table.settings.name ? `${t(`game.${table.game}`)} · ` : "";
  const options = changedOptions(table, store.games.value).map((/** @type {string} */ each) => ` · ${each}`);
  return (
    <li class={`open-table ${isGone ? "gone" : ""}`}>
      <GameBadge game={table.game} size={40} />
      <div class="open-name">
        <span class="open-title">
          <strong class="cut">{tableName(table)}</strong>
          {table.settings.rated && <RatedBadge />}
          <PaceBadge settings={table.settings} />
        </span>
        <span class="small muted cut">
          {game}
          {host && !narrow.value ? <PersonName person={host}>{hosts}</PersonName> : hosts}
          {options}
        </span>
      </div>
      <FaceRow seats={table.seats} label={t("lobby.seats_taken", { count: taken, seats: table.seats.length })} />
      <span class="small muted open-clock">{clockSettingText(table.settings.clock)}</span>
      <span class="small muted open-language">{TABLE_LANGUAGES[table.settings.language] ?? ""}</span>
      {isMine ? (
        <Link to={`/t/${table.table}`} class="button">
          {t("lobby.return")}
        </Link>
      ) : isGone ? (
        <GoneNote />
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
 * @param {PageProps & {run: (work: () => Promise<any>) => Promise<void>}} props
 */
function QuickMatch({ store, socket, navigate, run }) {
  const match = (/** @type {string} */ game, fields = {}) =>
    run(async () => navigate(`/t/${(await socket.request({ type: "quick_match", game, ...fields })).table}`));
  const items = store.games.value.map(({ name }) => {
    const people = store.lists.waiting.value[name] ?? 0;
    return {
      label: t(`game.${name}`),
      note: people ? t("home.quick_people", { count: people }) : t("home.quick_nobody"),
      onSelect: () => match(name),
    };
  });
  // Guests have no ratings.
  const rated = (store.me.value?.handle ? store.games.value : []).map(({ name }) => ({
    label: t("home.quick_rated", { game: t(`game.${name}`) }),
    note: t("home.quick_rated.note"),
    onSelect: () => match(name, { rated: true }),
  }));
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
      items={[...items, ...rated]}
    />
  );
}

// The running public tables, to watch, with filters and pages.

import { t } from "../catalogue/index.js";
import { Icon } from "../parts/art.js";
import { sitterText } from "../parts/bots.js";
import { FaceRow } from "../parts/face.js";
import { Link } from "../parts/link.js";
import { conditionsOf, FilterBar, GoneNote, hasFilters, PAGE_SIZE, Pager, useCalmRows, useFilters, useListQuery, usePageStart } from "../parts/list-query.js";
import { formatList } from "../parts/names.js";
import { PaceBadge } from "../parts/pace.js";
import { NameList } from "../parts/person-name.js";
import { RatedBadge } from "../parts/rated.js";
import { GameBadge } from "../parts/site-art.js";
import { SitePage } from "../parts/site-bar.js";
import { tableName } from "../parts/table-texts.js";
import "../style/lists.css";

/** @param {import("../main.js").PageProps} props */
export function Page({ store }) {
  const { lists } = store;
  const list = useFilters();
  const running = { ...conditionsOf(list.filters), spectators: true, limit: PAGE_SIZE, ...(list.after ? { after: list.after } : {}) };
  useListQuery(store, { open: null, running });
  const place = lists.places.value.running;
  const isPending = lists.isPending.value;
  const current = lists.rows("running");
  const [rows, handlers] = useCalmRows(current, `${JSON.stringify(running)} ${isPending}`);
  const start = usePageStart(list.after, isPending);
  return (
    <SitePage store={store} active="watch">
      <main class="site-wrap">
        <h1 class="page-title">
          {t("watch.title")}
          {place && place.total > 0 && <span class="small muted page-count">{place.total}</span>}
        </h1>
        <FilterBar store={store} list={list} total={place?.total ?? 0} fields={["pace"]} />
        {place && !rows.length && !isPending && <p class="muted">{t(hasFilters(list.filters) ? "watch.none_fits" : "watch.none")}</p>}
        <ul class="watch-list" ref={start} tabIndex={-1} aria-busy={isPending} {...handlers}>
          {rows.map(({ table, isGone }) => (
            <WatchTable key={table.table} table={table} isGone={isGone} me={store.me.value?.id} />
          ))}
        </ul>
        <Pager list={list} place={place} count={current.length} isPending={isPending} isPaged />
      </main>
    </SitePage>
  );
}

/** @param {{table: any, isGone: boolean, me: string | undefined}} props */
function WatchTable({ table, isGone, me }) {
  const names = formatList(table.seats.map(sitterText));
  const isMine = table.seats.some((/** @type {any} */ seat) => seat.user && seat.user === me);
  return (
    <li class={`card watch-table ${isGone ? "gone" : ""}`}>
      <GameBadge game={table.game} size={44} />
      <div class="watch-text">
        <span class="open-title">
          <strong class="cut">{tableName(table)}</strong>
          {table.settings?.rated && <RatedBadge />}
          <PaceBadge settings={table.settings} />
        </span>
        <span class="small muted cut">
          <NameList people={table.seats} nameOf={sitterText} />
        </span>
      </div>
      <FaceRow seats={table.seats} label={names} />
      <span class="small watching">
        {table.spectators > 0 && (
          <>
            <Icon name="eye" size={16} />
            {t("lobby.watching", { count: table.spectators })}
          </>
        )}
      </span>
      {isGone ? (
        <GoneNote />
      ) : (
        <Link to={`/t/${table.table}`} class="button">
          {t(isMine ? "lobby.return" : "home.watch")}
        </Link>
      )}
    </li>
  );
}

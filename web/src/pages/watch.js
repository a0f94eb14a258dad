// The running public tables, to watch.

import { t } from "../catalogue/index.js";
import { Icon } from "../parts/art.js";
import { sitterText } from "../parts/bots.js";
import { FaceRow } from "../parts/face.js";
import { Link } from "../parts/link.js";
import { formatList } from "../parts/names.js";
import { GameBadge } from "../parts/site-art.js";
import { SitePage } from "../parts/site-bar.js";
import { tableName } from "../parts/table-texts.js";
import "../style/lists.css";

/** @param {import("../main.js").PageProps} props */
export function Page({ store }) {
  const me = store.me.value?.id;
  const running = [...(store.tables.value?.values() ?? [])]
    .filter((table) => table.phase === "running" && table.settings?.spectators !== false)
    .sort((one, other) => other.spectators - one.spectators);
  return (
    <SitePage store={store} active="watch">
      <main class="site-wrap">
        <h1 class="page-title">{t("watch.title")}</h1>
        {store.tables.value && !running.length && <p class="muted">{t("watch.none")}</p>}
        <ul class="watch-list">
          {running.map((table) => {
            const names = formatList(table.seats.map(sitterText));
            const isMine = table.seats.some((/** @type {any} */ seat) => seat.user && seat.user === me);
            return (
              <li key={table.table} class="card watch-table">
                <GameBadge game={table.game} size={44} />
                <div class="watch-text">
                  <strong class="cut">{tableName(table)}</strong>
                  <span class="small muted cut">{names}</span>
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
                <Link to={`/t/${table.table}`} class="button">
                  {t(isMine ? "lobby.return" : "home.watch")}
                </Link>
              </li>
            );
          })}
        </ul>
      </main>
    </SitePage>
  );
}

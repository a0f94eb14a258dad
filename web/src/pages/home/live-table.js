// One running table in small: the most watched one, followed as an ordinary spectator.

import { useEffect, useRef, useState } from "preact/hooks";
import { t } from "../../catalogue/index.js";
import { Icon } from "../../parts/art.js";
import { Link } from "../../parts/link.js";
import { MINIATURES } from "../../parts/miniature.js";
import { formatList, nameOf } from "../../parts/names.js";
import { SeatChip } from "../../parts/site-art.js";
import { aboutText, tableName } from "../../parts/table-texts.js";
import { TableModel } from "../../store.js";

/** @typedef {import("../../main.js").PageProps} PageProps */

/**
 * Return the table to show: the one shown before while it goes on, so that the picture does not jump from table to table;
 * else the most watched one.
 * @param {any[]} tables @param {string | null} me @param {string | null} before
 */
export function chooseLiveTable(tables, me, before) {
  const running = tables.filter(
    (table) =>
      table.phase === "running" &&
      table.settings?.spectators !== false &&
      table.game in MINIATURES &&
      !table.seats.some((/** @type {any} */ seat) => seat.user && seat.user === me),
  );
  const same = running.find((table) => table.table === before);
  return same ?? running.sort((one, other) => other.spectators - one.spectators)[0] ?? null;
}

/** @param {PageProps} props */
export function LiveTable({ store, socket }) {
  const [model, setModel] = useState(/** @type {TableModel | null} */ (null));
  const shown = useRef(/** @type {any} */ (null));
  const found = chooseLiveTable(store.lists.rows("running"), store.me.value?.id ?? null, model?.id ?? null);
  // The list holds a few tables only; the shown one stays while its game goes on, whether it is among them or not.
  const goesOn = shown.current && model?.id === shown.current.table && model?.view.value?.table.phase === "running" && !model?.error.value;
  const chosen = goesOn && found?.table !== shown.current.table ? shown.current : found;
  shown.current = chosen;
  const id = chosen?.table ?? null;
  useEffect(() => {
    if (!id) return undefined;
    const followed = new TableModel(id, null, socket, { hasLog: false });
    setModel(followed);
    return store.watch(followed);
  }, [id]);
  const view = model?.id === id ? model?.view.value : null;
  const spectators = model?.presence.value?.spectators ?? chosen?.spectators ?? 0;
  return (
    <section class="live-table card" aria-labelledby="live-title">
      <header>
        <h2 id="live-title">{t("home.live")}</h2>
        {chosen && spectators > 0 && (
          <span class="small live-watching">
            <Icon name="eye" size={16} />
            {t("lobby.watching", { count: spectators })}
          </span>
        )}
      </header>
      {chosen && view?.play && !model?.error.value ? (
        <Shown table={chosen} view={view} />
      ) : (
        <p class="empty muted">{store.lists.places.value.running && !chosen ? t("home.live_none") : ""}</p>
      )}
    </section>
  );
}

/** @param {{table: any, view: any}} props */
function Shown({ table, view }) {
  const { Map, progress, points } = MINIATURES[table.game];
  const { game } = view.play;
  const seats = view.seats.map((/** @type {any} */ _, /** @type {number} */ seat) => seat);
  const known = points(game);
  if (known) seats.sort((/** @type {number} */ one, /** @type {number} */ other) => known[other].value - known[one].value);
  return (
    <>
      <div class="live-body">
        <Map game={game} label={t("home.live_map", { game: t(`game.${table.game}`) })} />
        <div class="live-side">
          <p class="small muted">
            <strong>{tableName(table)}</strong> {progress(game)}
          </p>
          <ol class="live-standings">
            {seats.map((/** @type {number} */ seat) => (
              <li key={seat}>
                <SeatChip seat={seat} />
                <span class="cut">{nameOf(view, seat)}</span>
                {known && <b class="serif">{known[seat].text}</b>}
              </li>
            ))}
          </ol>
          <Link to={`/t/${table.table}`} class="button">
            {t("home.watch")}
          </Link>
        </div>
      </div>
      <p class="small live-now">{sentenceOf(table, view)}</p>
    </>
  );
}

/** "Wanda and Nils: seal a card" @param {any} table @param {any} view */
function sentenceOf(table, view) {
  const decision = view.play.decision;
  if (view.table.paused || !decision) return t(view.table.paused ? "table.paused" : "table.over");
  const isEverybody = decision.awaited.length === view.seats.length;
  const names = isEverybody ? t("home.live_everybody") : formatList(decision.awaited.map((/** @type {number} */ seat) => nameOf(view, seat)));
  const what = aboutText(table.game, decision.about);
  return what ? t("home.live_asked", { names, what }) : t("home.live_choosing", { names });
}

// The big table of the home page: the real scene of a running game, drawn small, which follows the game as an ordinary
// spectator. The server chooses the table.

import { useEffect, useMemo, useState } from "preact/hooks";
import { t, withTexts } from "../catalogue/index.js";
import { Icon } from "../parts/art.js";
import { lazy } from "../parts/lazy.js";
import { Link } from "../parts/link.js";
import { formatList, nameOf } from "../parts/names.js";
import { SeatChip } from "../parts/site-art.js";
import { aboutText, tableName } from "../parts/table-texts.js";
import { useAnswer } from "../parts/use-answer.js";
import { TableModel } from "../store.js";
import "../style/big-table.css";

/** @typedef {{value: number, text: string}} Score */
/**
 * @typedef {object} SmallScene
 * @property {(props: {view: any}) => any} City the city as the scene of the game draws it
 * @property {(game: any) => string} progress the round or year
 * @property {(game: any) => Score[] | null} points by seat; null while nobody can have any
 */

/** Milliseconds after which the page asks which table is the most interesting one. */
const ASK_EVERY = 60_000;
/** Milliseconds for which the end of a game is shown. */
const SHOW_END = 8_000;

/** Fetched with the texts of the game, because its drawings have labels. @type {Record<string, () => Promise<{scene: SmallScene}>>} */
const SCENES = {
  investors: withTexts(() => import("./big-table/investors.js"), "investors", "reader"),
  planners: withTexts(() => import("./big-table/planners.js"), "planners", "reader"),
  builders: withTexts(() => import("./big-table/builders.js"), "builders", "reader"),
};

/**
 * Return the table to show: the one that the visitor has chosen while its game goes on, else the server's choice.
 * @param {any[]} tables as the server has ordered them @param {any | null} chosen @param {Set<string>} ended tables whose game is over, or that cannot be watched
 */
export function tableToShow(tables, chosen, ended) {
  const going = tables.filter(({ table, game }) => !ended.has(table) && game in SCENES);
  return (chosen && !ended.has(chosen.table) ? chosen : going[0]) ?? null;
}

/** Return the table after the shown one, the first after the last; null if there is no other. @param {any[]} tables @param {any | null} shown @param {Set<string>} ended */
export function tableAfter(tables, shown, ended) {
  const going = tables.filter(({ table, game }) => !ended.has(table) && game in SCENES);
  const place = going.findIndex(({ table }) => table === shown?.table);
  const next = going[(place + 1) % Math.max(1, going.length)];
  return next && next.table !== shown?.table ? next : null;
}

/** @param {{store: import("../store.js").Store, socket: import("../socket.js").Socket, isSeen: boolean}} props */
export function BigTable({ store, socket, isSeen }) {
  const { tables, again } = useBigTables(store, socket, isSeen);
  const [chosen, setChosen] = useState(/** @type {any | null} */ (null));
  const [ended, setEnded] = useState(/** @type {Set<string>} */ (new Set()));
  const shown = tableToShow(tables ?? [], chosen, ended);
  const id = shown?.table ?? null;
  const model = useMemo(() => (id ? new TableModel(id, null, socket, { hasLog: false }) : null), [id]);
  // Out of sight nothing is sent; then the table resumes where it was.
  useEffect(() => (model && isSeen ? store.watch(model) : undefined), [model, isSeen]);
  const view = model?.view.value ?? null;
  const isOver = view?.table.phase === "over";
  const isRefused = Boolean(model?.error.value);
  useEffect(() => {
    if (!isOver && !isRefused) return undefined;
    const timer = setTimeout(() => {
      setEnded(new Set([...ended, /** @type {string} */ (id)]));
      again();
    }, isOver ? SHOW_END : 0);
    return () => clearTimeout(timer);
  }, [isOver, isRefused, id]);
  const next = tableAfter(tables ?? [], shown, ended);
  const spectators = model?.presence.value?.spectators ?? shown?.spectators ?? 0;
  return (
    <>
      <header>
        <h2 id="live-title">{t("home.live")}</h2>
        {view?.play && spectators > 0 && (
          <span class="small live-watching">
            <Icon name="eye" size={16} />
            {t("lobby.watching", { count: spectators })}
          </span>
        )}
      </header>
      {view?.play && !isRefused ? (
        <Shown table={shown} view={view}>
          {next && (
            <button type="button" class="live-next" aria-label={`${t("big.next")}: ${tableName(next)}`} onClick={() => setChosen(next)}>
              {t("big.next")}
            </button>
          )}
        </Shown>
      ) : (
        <p class="empty muted">{tables && !shown ? t("home.live_none") : ""}</p>
      )}
    </>
  );
}

/**
 * Return the most interesting tables, as the server has ordered them; null until it has answered.
 * @param {import("../store.js").Store} store @param {import("../socket.js").Socket} socket @param {boolean} isSeen
 */
function useBigTables(store, socket, isSeen) {
  const [hasBegun, setBegun] = useState(isSeen);
  const { reply, isPending, again } = useAnswer(socket, hasBegun ? { type: "get_big_table" } : null);
  const tables = reply?.tables ?? null;
  const isEmpty = tables?.length === 0;
  const running = store.lists.places.value.running?.total ?? 0;
  useEffect(() => {
    if (isSeen) setBegun(true);
    if (!isSeen || isPending) return undefined;
    // When a first game begins, nobody should wait for a minute.
    const timer = setTimeout(again, isEmpty && running ? 2_000 : ASK_EVERY);
    return () => clearTimeout(timer);
  }, [isSeen, isPending, isEmpty && running > 0]);
  return { tables, again };
}

/** @param {{table: any, view: any, children: any}} props */
function Shown({ table, view, children }) {
  const scene = lazy(SCENES[table.game])?.scene;
  const { game } = view.play;
  const seats = view.seats.map((/** @type {any} */ _, /** @type {number} */ seat) => seat);
  const known = scene?.points(game);
  if (known) seats.sort((/** @type {number} */ one, /** @type {number} */ other) => known[other].value - known[one].value);
  return (
    <>
      <div class="live-body">
        {/* The caption says what is to be seen; nothing in the drawing can be used. */}
        <div class={`live-city live-${table.game}`} inert aria-hidden="true">
          {scene && <scene.City view={view} />}
        </div>
        <div class="live-side">
          <p class="small muted">
            <strong>{tableName(table)}</strong> {scene?.progress(game)}
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
          <div class="live-actions">
            <Link to={`/t/${table.table}`} class="button">
              {t("home.watch")}
            </Link>
            {children}
          </div>
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

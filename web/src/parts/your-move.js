// Your move, wherever you are: the title of the document, its icon, a bell, and on request a notification of the browser
// when the page is hidden. The list of the visitor's games says where it is the visitor's move; the open table's own
// view is newer than the list, so it counts for that table.

import { computed, effect, signal } from "@preact/signals";
import moveIcon from "../art/favicon-move.svg";
import { language, t } from "../catalogue/index.js";
import { deviceStorage } from "../storage.js";
import { storedSignal } from "./preferences.js";
import { play } from "./sounds.js";
import { isAwaited } from "./time-left.js";
import { sortYourGames } from "./your-games.js";

/** @typedef {{table: string, game: string, since: number | null}} Waiting a game that waits for the visitor */
/** @typedef {import("../store.js").Store} Store */

/** Return whether a view's viewer must decide. @param {any} view */
export function isMyMove(view) {
  return view.mine !== null && !view.table?.paused && isAwaited(view, view.mine);
}

/**
 * Return the games that wait for the visitor, the longest wait first.
 * @param {any[]} yourTables @param {{id: string, view: any} | null} open the table that the page shows
 * @returns {Waiting[]}
 */
export function waitingGames(yourTables, open) {
  const own = open?.view;
  const listed = yourTables.map((table) => (own && table.table === open.id ? { ...table, awaited: isMyMove(own) } : table));
  if (own && isMyMove(own) && !listed.some(({ table }) => table === open.id)) {
    listed.push({ table: open.id, awaited: true, since: null, settings: { game: own.table.game } });
  }
  return sortYourGames(listed)
    .filter(({ awaited }) => awaited)
    .map((table) => ({ table: table.table, game: table.game ?? table.settings?.game, since: table.since ?? null }));
}

/** Return the next waiting game after a table, going round; null if no other game waits. @param {Waiting[]} waiting @param {string | null} open */
export function nextGame(waiting, open) {
  const next = waiting[(waiting.findIndex(({ table }) => table === open) + 1) % waiting.length];
  return next && next.table !== open ? next : null;
}

/** Return the title of the document. @param {Waiting[]} waiting @param {{id: string, game: string} | null} open */
export function titleOf(waiting, open) {
  const site = "San Francisco Tables";
  if (!waiting.length) return open ? `${t(`game.${open.game}`)} · ${site}` : site;
  const first = waiting.find(({ table }) => table === open?.id) ?? waiting[0];
  const move = waiting.length > 1 ? t("move.title_many", { count: waiting.length }) : t("move.title");
  return `● ${move} · ${t(`game.${first.game}`)}`;
}

/** Finds out which waiting games are new. The games that wait when the page opens are not, nor those of a table just opened. */
export class NewMoves {
  constructor() {
    /** When each waiting game began to wait, by table; null before the first list. @type {Map<string, number | null> | null} */
    this.before = null;
    this.open = /** @type {string | null} */ (null);
  }

  /**
   * Return the games that wait since the last call, and those that wait for another decision now.
   * @param {Waiting[]} waiting @param {string | null} open the table whose view counts
   */
  update(waiting, open) {
    const { before } = this;
    const isJustOpened = open !== this.open;
    this.open = open;
    this.before = new Map(waiting.map(({ table, since }) => [table, since]));
    if (!before) return [];
    return waiting.filter(({ table, since }) => {
      if (isJustOpened && table === open) return false;
      const earlier = before.get(table);
      return earlier === undefined || (earlier !== null && since !== null && since > earlier && table !== open);
    });
  }
}

/** Whether the visitor asked for notifications: "on" or "off". */
export const notifications = storedSignal("notifications", "off");

/** What the browser allows: "granted", "denied", "default", or "unsupported". */
export const permission = signal(/** @type {NotificationPermission | "unsupported"} */ (globalThis.Notification?.permission ?? "unsupported"));

/** Ask the browser for permission, after a click that said why, and switch notifications on if it is given. */
export async function allowNotifications() {
  permission.value = await Notification.requestPermission();
  notifications.value = permission.value === "granted" ? "on" : "off";
}

const CLAIMS = "notified";
const MAX_CLAIMS = 20;
/** Milliseconds that a hidden page waits, so that a visible page of the same browser claims the move first. */
const CLAIM_DELAY = 400;

/** Return whether no other page of this browser has shown a move yet, and claim it. @param {string} move */
function claim(move) {
  const claimed = JSON.parse(deviceStorage.get(CLAIMS) ?? "[]");
  if (claimed.includes(move)) return false;
  deviceStorage.set(CLAIMS, JSON.stringify([...claimed, move].slice(-MAX_CLAIMS)));
  return true;
}

/** @param {Waiting} game @param {(path: string) => void} navigate */
function notify({ table, game, since }, navigate) {
  if (notifications.value !== "on" || permission.value !== "granted") return;
  const move = `${table}/${since}`;
  if (!document.hidden) {
    claim(move);
    return;
  }
  setTimeout(() => {
    if (!document.hidden || (since !== null && !claim(move))) return;
    const title = `${t("move.title")} · ${t(`game.${game}`)}`;
    const options = { body: t("move.notification"), tag: table, icon: "/favicon.svg" };
    if (deviceStorage.get("push") && navigator.serviceWorker?.controller) {
      // A later message of the server then replaces this one.
      navigator.serviceWorker.ready.then((worker) => worker.showNotification(title, { ...options, data: { path: `/t/${table}` } })).catch(() => {});
      return;
    }
    try {
      const shown = new Notification(title, options);
      shown.onclick = () => {
        window.focus();
        navigate(`/t/${table}`);
        shown.close();
      };
    } catch {
      // Browsers of phones offer notifications to installed pages only.
    }
  }, CLAIM_DELAY);
}

/**
 * Keep the title and the icon of the document up to date, ring, and notify. Returns the waiting games as a signal.
 * @param {Store} store @param {(path: string) => void} navigate
 */
export function followYourMoves(store, navigate) {
  const open = computed(() => {
    const model = store.table.value;
    return model?.view.value ? { id: model.id, view: model.view.value } : null;
  });
  const waiting = computed(() => waitingGames(store.yourTables.value, open.value));
  const first = store.yourTables.peek();
  const moves = new NewMoves();
  effect(() => {
    if (store.yourTables.value === first && !open.value) return;
    const news = moves.update(waiting.value, open.value?.id ?? null);
    if (news.length) play("bell");
    for (const game of news) notify(game, navigate);
  });
  effect(() => {
    const shown = open.value;
    void language.value;
    document.title = titleOf(waiting.value, shown && { id: shown.id, game: shown.view.table.game });
  });
  const link = /** @type {HTMLLinkElement | null} */ (document.querySelector("link[rel=icon]"));
  const icon = link?.href ?? "";
  effect(() => {
    const href = waiting.value.length ? moveIcon : icon;
    if (link && link.href !== href) link.href = href;
  });
  return waiting;
}

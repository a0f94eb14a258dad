// What a page shows of the games that wait for the visitor: the way to the next one, and the switch for notifications.

import { t } from "../catalogue/index.js";
import "../style/next-game.css";
import { Icon } from "./art.js";
import { allowNotifications, nextGame, notifications, permission, waitingGames } from "./your-move.js";

/** The button that leads to the next game that waits for the visitor. @param {{store: import("../store.js").Store, navigate: (path: string) => void}} props */
export function NextGame({ store, navigate }) {
  const model = store.table.value;
  const waiting = waitingGames(store.yourTables.value, model?.view.value ? { id: model.id, view: model.view.value } : null);
  const next = nextGame(waiting, model?.id ?? null);
  if (!next) return null;
  const count = waiting.filter(({ table }) => table !== model?.id).length;
  const label = t("move.next", { count, game: t(`game.${next.game}`) });
  return (
    <button class="tool next-game" title={label} onClick={() => navigate(`/t/${next.table}`)}>
      <Icon name="last" />
      <span class="tool-label">{t("move.next_short")}</span>
      <b class="count-badge">{count}</b>
    </button>
  );
}

/**
 * The switch for notifications. It says why before the browser asks for permission.
 * @param {{isShort?: boolean}} props whether there is room for the button alone
 */
export function NotificationSwitch({ isShort = false }) {
  if (permission.value === "unsupported") return null;
  if (permission.value === "denied") return isShort ? null : <p class="small muted">{t("move.blocked")}</p>;
  const isOn = notifications.value === "on" && permission.value === "granted";
  return (
    <div class="notification-switch">
      <button class="quiet" aria-pressed={isOn} title={isShort ? t("move.notify_why") : undefined} onClick={() => (isOn ? (notifications.value = "off") : allowNotifications())}>
        <Icon name="bell" />
        {t(isOn ? "move.stop_notifying" : "move.notify")}
      </button>
      {!isOn && !isShort && <p class="small muted">{t("move.notify_why")}</p>}
    </div>
  );
}

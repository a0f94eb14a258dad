// The tabs of a finished game: its result, what the coach found, and the replay.

import { t } from "../catalogue/index.js";
import { gamePath, momentPath } from "../replay-address.js";
import { Link } from "./link.js";
import "../style/game-tabs.css";

/** @typedef {"result" | "coach" | "replay"} Tab */

/**
 * Return where each tab leads. The table has the result for those who played; for others it may be closed.
 * @param {string} id @param {string | null} key of a game that is not open to everybody @param {boolean} hasPlayed
 * @returns {[Tab, string][]}
 */
export function tabsOf(id, key, hasPlayed) {
  return [
    ["result", hasPlayed ? `/t/${id}` : gamePath(id, "result", { key })],
    ["coach", gamePath(id, "coach", { key })],
    ["replay", momentPath(id, {}, key)],
  ];
}

/** @param {{id: string, accessKey: string | null, hasPlayed: boolean, active: Tab}} props */
export function GameTabs({ id, accessKey, hasPlayed, active }) {
  return (
    <nav class="game-tabs" aria-label={t("after.label")}>
      {tabsOf(id, accessKey, hasPlayed).map(([name, path]) => (
        <Link key={name} to={path} aria-current={name === active ? "page" : undefined}>
          {t(`after.${name}`)}
        </Link>
      ))}
    </nav>
  );
}

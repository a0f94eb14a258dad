// The header of the pages about a finished game that are not played through: its name, the tabs, and what comes next.

import { t } from "../catalogue/index.js";
import { TableModel } from "../store.js";
import { Icon, Symbol } from "./art.js";
import { ConnectionBanner } from "./banner.js";
import { formatDate } from "./figures.js";
import { GameTabs } from "./game-tabs.js";
import { Link } from "./link.js";
import { playAgain } from "./rematch.js";
import { useRequest } from "./use-request.js";
import "../style/game-header.css";

/** Return a model of the table of a finished game, which is not subscribed to. @param {{id: string, key: string | null, view: any, socket: import("../socket.js").Socket}} game */
export function endModel({ id, key, view, socket }) {
  const model = new TableModel(id, key, socket);
  model.view.value = view;
  return model;
}

/**
 * @param {object} props
 * @param {import("../store.js").Store} props.store
 * @param {import("../socket.js").Socket} props.socket
 * @param {(path: string) => void} props.navigate
 * @param {string} props.id
 * @param {string | null} props.accessKey
 * @param {any} props.view at the end of the game; `mine` is the seat of the visitor
 * @param {number | null} [props.ended] when the game ended
 * @param {import("./game-tabs.js").Tab} props.active
 */
export function GameHeader({ store, socket, navigate, id, accessKey, view, ended = null, active }) {
  const hasPlayed = view.mine !== null;
  const [run, { isBusy, refusal }] = useRequest();
  const again = async () => navigate(await playAgain(store, endModel({ id, key: accessKey, view, socket })));
  const when = ended === null ? null : formatDate(ended, { day: "numeric", month: "long" });
  return (
    <>
      <header class="bar game-header">
        <div class="bar-start">
          <button class="plain home" onClick={() => navigate("/")} aria-label={t("table.to_lobby")}>
            <Symbol name="hall-built" width={30} />
          </button>
          <h1 class="serif">{t(`game.${view.table.game}`)}</h1>
          <span class="small muted heading">{[t("after.label"), when].filter(Boolean).join(" · ")}</span>
        </div>
        <GameTabs id={id} accessKey={accessKey} hasPlayed={hasPlayed} active={active} />
        <div class="bar-end">
          <Link to="/" class="button game-header-lobby">
            <Icon name="leave" />
            {t("end.lobby")}
          </Link>
          {hasPlayed && (
            <button type="button" class="primary" disabled={isBusy} onClick={() => run(again)}>
              {t("end.again")}
            </button>
          )}
        </div>
      </header>
      <ConnectionBanner store={store} />
      {refusal && (
        <p class="banner" role="alert">
          {refusal}
        </p>
      )}
    </>
  );
}

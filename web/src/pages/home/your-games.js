// The visitor's games: those that wait for the visitor first. On a phone they are a strip that goes on to the right.

import { useEffect, useState } from "preact/hooks";
import { t } from "../../catalogue/index.js";
import { Icon } from "../../parts/art.js";
import { sitterText } from "../../parts/bots.js";
import { Deadline } from "../../parts/deadline.js";
import { FaceRow } from "../../parts/face.js";
import { Link } from "../../parts/link.js";
import { formatList } from "../../parts/names.js";
import { narrow } from "../../parts/narrow.js";
import { NotificationSwitch } from "../../parts/next-game.js";
import { PaceBadge } from "../../parts/pace.js";
import { RatedBadge } from "../../parts/rated.js";
import { GameBadge } from "../../parts/site-art.js";
import { WaitingBadge } from "../../parts/site-bar.js";
import { aboutText, progressText, tableName } from "../../parts/table-texts.js";
import { WaitingTime } from "../../parts/waiting-time.js";
import { awaitedGames, sortYourGames } from "../../parts/your-games.js";
import { deviceStorage } from "../../storage.js";

const HAD_GAMES = "hadGames";
/** Games on a wide page before "All games" is pressed; more of them if they wait for the visitor. */
const SHOWN = 3;
const MOST_SHOWN = 9;

/** @param {{store: import("../../store.js").Store}} props */
export function YourGames({ store }) {
  const [isWhole, setWhole] = useState(false);
  const games = sortYourGames(store.yourTables.value);
  const isKnown = games.length > 0 || store.lists.tables.value !== null;
  useEffect(() => {
    if (isKnown) deviceStorage.set(HAD_GAMES, games.length ? "yes" : "no");
  }, [isKnown, games.length > 0]);
  // A visitor who had games last time most likely has some now: their place is kept, so that the page does not jump.
  if (!isKnown && deviceStorage.get(HAD_GAMES) === "yes") return <div class="your-games your-games-place" />;
  if (!games.length) return null;
  const shown = Math.max(SHOWN, Math.min(MOST_SHOWN, awaitedGames(games).length));
  const isCut = !narrow.value && games.length > shown;
  return (
    <section class="your-games" aria-labelledby="yours-title">
      <header class="section-head">
        <h2 id="yours-title">{t("home.yours")}</h2>
        {narrow.value && <WaitingBadge waiting={awaitedGames(games)} />}
        {isCut && (
          <button class="plain link-button" aria-expanded={isWhole} onClick={() => setWhole(!isWhole)}>
            {isWhole ? t("home.yours_fewer") : t("home.yours_all", { count: games.length })}
          </button>
        )}
      </header>
      <ul class="your-games-list">
        {(isCut && !isWhole ? games.slice(0, shown) : games).map((table) => (
          <li key={table.table}>
            <YourGame table={table} me={store.me.value?.id ?? null} />
          </li>
        ))}
      </ul>
      <NotificationSwitch isShort />
    </section>
  );
}

/** @param {{table: any, me: string | null}} props */
function YourGame({ table, me }) {
  const others = table.seats.filter((/** @type {any} */ seat) => seat.user !== me && (seat.user || seat.bot));
  const progress = progressText(table);
  const asked = table.awaited ? aboutText(table.game, table.about) : null;
  // In a narrow card the round stands in the second row, so that it does not cut the name.
  const below = progress && <span class="your-game-below muted"> · {progress}</span>;
  return (
    <Link to={`/t/${table.table}`} class={`your-game card ${table.awaited ? "your-move" : ""}`}>
      <GameBadge game={table.game} size={44} />
      <span class="your-game-text">
        <span class="your-game-row">
          <strong class="cut">{tableName(table)}</strong>
          {table.settings?.rated && <RatedBadge />}
          <PaceBadge settings={table.settings} />
          {progress && <span class="small muted your-game-progress">{progress}</span>}
          {others.length > 0 && <FaceRow seats={others.slice(0, 4)} size={24} label={t("home.against", { names: formatList(others.map(sitterText)) })} />}
        </span>
        <span class="your-game-row your-game-state small">
          {table.awaited ? (
            <>
              <span class="pill pill-go">{t("home.your_move")}</span>
              <span class="your-game-asked">
                <strong>{asked}</strong>
                {below}
              </span>
            </>
          ) : (
            <span class="muted">
              {t(`yours.${table.phase === "running" ? "others" : table.phase}`)}
              {below}
            </span>
          )}
          {table.awaited && table.deadline ? (
            <span class="your-game-since muted">
              <Icon name="clock" size={16} />
              <Deadline deadline={table.deadline} />
            </span>
          ) : table.awaited && table.since ? (
            <span class="your-game-since muted">
              <Icon name="hourglass" size={16} />
              <span class="hidden-visually">{t("home.waits_since")}</span>
              <WaitingTime since={table.since} />
            </span>
          ) : null}
        </span>
      </span>
    </Link>
  );
}

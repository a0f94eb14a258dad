// The latest games of a person, with a filter by game.

import { useState } from "preact/hooks";
import { t } from "../../catalogue/index.js";
import { Segmented } from "../../parts/controls.js";
import { FinishedGame } from "../../parts/finished-game.js";
import { Link } from "../../parts/link.js";

/** @param {{games: any[], person: any, me: string | null, names: string[]}} props `names` of the games of this server */
export function RecentGames({ games, person, me, names }) {
  const [chosen, setChosen] = useState("");
  const shown = games.filter(({ game }) => !chosen || game === chosen);
  const none = chosen ? t("profile.recent_none.game", { game: t(`game.${chosen}`) }) : t(person.is_you ? "profile.recent_none.you" : "profile.recent_none");
  return (
    <section class="card profile-recent" aria-labelledby="recent-title">
      <header>
        <h2 id="recent-title">{t("profile.recent")}</h2>
        {games.length > 0 && (
          <Segmented
            class="segmented-small"
            label={t("profile.recent_filter")}
            value={chosen}
            options={[{ value: "", label: t("profile.recent_all") }, ...names.map((value) => ({ value, label: t(`game.${value}`) }))]}
            onChange={setChosen}
          />
        )}
      </header>
      {shown.length ? (
        <ul class="played-list">
          {shown.map((game) => (
            <FinishedGame key={game.table} game={game} subject={person.id} me={me} isShort />
          ))}
        </ul>
      ) : (
        <p class="muted profile-empty">{none}</p>
      )}
      {games.length > 0 && (
        <footer>
          <Link to={person.is_you ? "/games" : `/games?of=${person.handle}`} class="button profile-all">
            {t("profile.all_games")}
          </Link>
        </footer>
      )}
    </section>
  );
}

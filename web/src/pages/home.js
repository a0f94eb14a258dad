// The home page: the visitor's games first, then the three games, open tables, and the big table.

import { t } from "../catalogue/index.js";
import { SitePage } from "../parts/site-bar.js";
import { GameCards } from "./home/game-cards.js";
import { LivePlace } from "./home/live-place.js";
import { OpenTables } from "./home/open-tables.js";
import { YourGames } from "./home/your-games.js";
import "../style/home.css";
import "../style/home-sizes.css";

/** @typedef {import("../main.js").PageProps} PageProps */

/** @param {PageProps} props */
export function Page(props) {
  const { store } = props;
  const circle = store.circle.value;
  return (
    <SitePage store={store} active="home" class="home">
      <main class="site-wrap">
        {circle && <circle.HomeCircle {...props} />}
        <YourGames store={store} />
        <GameCards {...props} />
        <div class="home-tables">
          <OpenTables {...props} />
          <LivePlace {...props} />
        </div>
      </main>
      <footer class="site-wrap home-footer small muted">{t("lobby.credits")}</footer>
    </SitePage>
  );
}

// How to play: the rules of each game, as they stand in the drawer of its table.

import { keys, t, withTexts } from "../catalogue/index.js";
import { Icon } from "../parts/art.js";
import { lazy } from "../parts/lazy.js";
import { Link } from "../parts/link.js";
import { GameBadge } from "../parts/site-art.js";
import { SitePage } from "../parts/site-bar.js";
import "../style/lists.css";
import "../style/rules-page.css";

/** The texts of each game, which its rules are part of. @type {Record<string, () => Promise<any>>} */
const TEXTS = {
  investors: withTexts(async () => ({}), "investors"),
  planners: withTexts(async () => ({}), "planners"),
  builders: withTexts(async () => ({}), "builders"),
};

/** Return the parts of a game's rules in their order, which is that of the texts. @param {string} game */
function partsOf(game) {
  const pattern = new RegExp(`^rules\\.${game}\\.(\\w+)\\.title$`);
  return keys().flatMap((key) => key.match(pattern)?.[1] ?? []);
}

/** @param {import("../main.js").PageProps} props */
export function Page({ store, route }) {
  const game = route.game && route.game in TEXTS ? route.game : "investors";
  const isLoaded = lazy(TEXTS[game]) !== null;
  return (
    <SitePage store={store} active="learn">
      <main class="site-wrap rules-page">
        <h1 class="page-title">{t("rules_page.title", { game: t(`game.${game}`) })}</h1>
        <nav class="rules-games" aria-label={t("rules_page.games")}>
          {Object.keys(TEXTS).map((each) => (
            <Link key={each} to={`/rules/${each}`} class="button" aria-current={each === game ? "page" : undefined}>
              <GameBadge game={each} size={28} />
              {t(`game.${each}`)}
            </Link>
          ))}
        </nav>
        {isLoaded && (
          <article class="rules-text card">
            {partsOf(game).map((part) => (
              <section key={part}>
                <h2>{t(`rules.${game}.${part}.title`)}</h2>
                <p>{t(`rules.${game}.${part}`)}</p>
              </section>
            ))}
            <Link to="/" class="button rules-back">
              <Icon name="play" size={16} />
              {t("rules_page.to_games")}
            </Link>
          </article>
        )}
      </main>
    </SitePage>
  );
}

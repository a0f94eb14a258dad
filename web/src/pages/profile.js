// The profile of a person: ratings with their history, results by game and number of seats, recent games, and the people
// most played with.

import { t } from "../catalogue/index.js";
import { SitePage } from "../parts/site-bar.js";
import { NotFound } from "../parts/not-found.js";
import { useAnswer } from "../parts/use-answer.js";
import { Companions } from "./profile/companions.js";
import { GameResults } from "./profile/game-results.js";
import { Head } from "./profile/head.js";
import { RecentGames } from "./profile/recent-games.js";
import "../style/lists.css";
import "../style/profile.css";

/** @param {import("../main.js").PageProps} props */
export function Page(props) {
  const { store, socket, route } = props;
  const { reply, refusal, again } = useAnswer(socket, { type: "get_profile", handle: route.handle });
  const profile = reply?.profile;
  // While a changed profile is asked for again, the old one stays.
  if (refusal && !profile) {
    const sentence = refusal.code === "unknown_request" ? t("profile.unavailable") : refusal.message;
    return <NotFound store={store} title={t("profile.missing")} sentence={sentence} />;
  }
  if (!profile) {
    return (
      <SitePage store={store}>
        <main class="site-wrap profile-page" aria-busy="true">
          <h1 class="hidden-visually">@{route.handle}</h1>
          <div class="card profile-place" />
        </main>
      </SitePage>
    );
  }
  const { person, ratings, results, recent, companions } = profile;
  const me = store.me.value?.id ?? null;
  const played = results.reduce((/** @type {number} */ sum, /** @type {any} */ each) => sum + each.played, 0);
  return (
    <SitePage store={store} active={person.is_you ? "you" : undefined}>
      <main class="site-wrap profile-page">
        <Head {...props} person={person} played={played} onChange={again} />
        <section class="profile-games" aria-label={t("profile.ratings")}>
          {store.games.value.map(({ name }) => (
            <GameResults
              key={name}
              game={name}
              rating={ratings.find((/** @type {any} */ each) => each.game === name) ?? null}
              results={results.filter((/** @type {any} */ each) => each.game === name)}
            />
          ))}
        </section>
        <div class="profile-columns">
          <RecentGames games={recent} person={person} me={me} names={store.games.value.map(({ name }) => name)} />
          <Companions companions={companions} />
        </div>
      </main>
    </SitePage>
  );
}

// The lobby: start a game at once, join or watch a table, create one, and return to a running game.

import { useState } from "preact/hooks";
import { t } from "../catalogue/index.js";
import { Symbol } from "../parts/art.js";
import { ConnectionBanner, connectionWord } from "../parts/banner.js";
import { LanguageChoice, ThemeSwitch } from "../parts/chrome.js";
import { narrow } from "../parts/narrow.js";
import { CreateTable } from "./lobby/create.js";
import { Hero } from "./lobby/hero.js";
import { OpenTables, RunningTables } from "./lobby/tables.js";
import { You, YourGames } from "./lobby/you.js";
import "../style/lobby.css";

/** @typedef {import("../main.js").PageProps} PageProps */

/** @param {PageProps} props */
export function Page(props) {
  const { store } = props;
  const [game, setGame] = useState("investors");
  // A phone shows one column, so a running game of the visitor comes first instead of last.
  const waitsFirst = narrow.value && store.yourTables.value.length > 0;
  return (
    <div class="lobby">
      <header class="lobby-bar">
        <Symbol name="hall-built" width={32} />
        <span class="serif brand">San Francisco Tables</span>
        <span class="spread" />
        <span class={`small live live-${store.connection.value}`}>{t(connectionWord(store))}</span>
        <LanguageChoice />
        <ThemeSwitch />
      </header>
      <ConnectionBanner store={store} />
      <main class="lobby-columns">
        <div>
          <Hero {...props} game={game} setGame={setGame} />
          {waitsFirst && <YourGames {...props} />}
          <OpenTables {...props} />
          <RunningTables {...props} />
        </div>
        <div>
          <You {...props} />
          {!waitsFirst && <YourGames {...props} />}
          <CreateTable {...props} game={game} setGame={setGame} />
        </div>
      </main>
      <footer class="small muted">{t("lobby.credits")}</footer>
    </div>
  );
}

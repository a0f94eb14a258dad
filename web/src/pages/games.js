// Finished games: the visitor's own ones, those of a person, or all, with filters, search and pages. The address has the
// filters, so that a list can be bookmarked and the way back from a replay leads to the same page of it.

import { useEffect, useRef, useState } from "preact/hooks";
import { t } from "../catalogue/index.js";
import { Segmented } from "../parts/controls.js";
import { FinishedGame } from "../parts/finished-game.js";
import { ImportLog } from "../parts/import-log.js";
import { Link } from "../parts/link.js";
import { usePageStart } from "../parts/list-query.js";
import { SitePage } from "../parts/site-bar.js";
import { useAnswer } from "../parts/use-answer.js";
import { Filters } from "./games/filters.js";
import { collectPeople, hasConditions, NO_QUERY, PAGE_SIZE, parseQuery, queryPath, requestOf } from "./games/query.js";
import "../style/lists.css";
import "../style/games.css";

/** @typedef {import("./games/query.js").GamesQuery} GamesQuery */

/** Return the query of the shown address, and the pages up to the shown one. @returns {{query: GamesQuery, cursors: string[]}} */
function readAddress() {
  return { query: parseQuery(location.search), cursors: history.state?.cursors ?? [] };
}

/** @param {import("../main.js").PageProps} props */
export function Page({ store, socket, route, navigate }) {
  const [{ query, cursors }, setState] = useState(readAddress);
  /** Counts how often the filters were replaced from outside, so that the search field gets its new text. */
  const [fresh, setFresh] = useState(0);
  // Going back and forth in the history changes the address, but this component stays mounted.
  useEffect(() => {
    setState(readAddress());
    setFresh((count) => count + 1);
  }, [route]);
  /** @param {GamesQuery} query @param {string[]} [cursors] */
  const show = (query, cursors = []) => {
    history.replaceState({ cursors }, "", queryPath(query));
    setState({ query, cursors });
  };
  const clear = () => {
    show({ ...NO_QUERY, of: query.of, isAll: query.isAll });
    setFresh(fresh + 1);
  };
  const me = store.me.value;
  const profile = useAnswer(socket, query.of ? { type: "get_profile", handle: query.of } : null);
  // The reply about another person stays until the one about this person is there.
  const person = profile.isPending ? null : (profile.reply?.profile.person ?? null);
  const subject = query.of ? (person?.id ?? null) : query.isAll ? null : (me?.id ?? null);
  const isReady = Boolean(query.isAll || subject);
  const after = cursors.at(-1) ?? null;
  const answer = useAnswer(socket, isReady ? requestOf(query, subject, after) : null);
  const refusal = profile.refusal ?? answer.refusal;
  const games = /** @type {any[]} */ (refusal ? [] : (answer.reply?.games ?? []));
  const people = useRef(/** @type {Map<string, string>} */ (new Map()));
  collectPeople(people.current, games, subject);
  const start = usePageStart(after, answer.isPending);
  const name = person?.name ?? `@${query.of}`;
  return (
    <SitePage store={store} active="games">
      <main class="site-wrap games-page">
        <header class="games-head">
          <h1>{query.of ? t("games.title.of", { name }) : t("games.title")}</h1>
          <Segmented
            label={t("games.scope")}
            value={query.of ? "of" : query.isAll ? "all" : "you"}
            options={[
              { value: "you", label: t("games.scope.you") },
              { value: "all", label: t("games.scope.all") },
              ...(query.of ? [{ value: "of", label: name }] : []),
            ]}
            onChange={(scope) => scope !== "of" && show({ ...query, of: null, isAll: scope === "all", with: null })}
          />
        </header>
        <Filters key={fresh} store={store} query={query} people={people.current} onChange={show} />
        {refusal ? (
          <div class="card games-empty">
            <p role="alert">{refusal.code === "unknown_request" ? t("games.unavailable") : refusal.message}</p>
            {answer.refusal && refusal.code !== "unknown_request" && <button onClick={answer.again}>{t("games.again")}</button>}
          </div>
        ) : (
          answer.reply &&
          !games.length &&
          !answer.isPending && <NoGames query={query} name={name} onClear={clear} />
        )}
        {games.length > 0 && (
          <ul class="card played-list" ref={start} tabIndex={-1} aria-busy={answer.isPending}>
            {games.map((game) => (
              <FinishedGame key={game.table} game={game} subject={subject} me={me?.id ?? null} />
            ))}
          </ul>
        )}
        <Pages
          count={games.length}
          cursors={cursors}
          next={answer.reply?.next ?? null}
          isPending={answer.isPending}
          onShow={(cursors) => show(query, cursors)}
        />
        <div class="games-import">
          <ImportLog navigate={navigate} />
        </div>
      </main>
    </SitePage>
  );
}

/** An empty list says why. @param {{query: GamesQuery, name: string, onClear: () => void}} props */
function NoGames({ query, name, onClear }) {
  const isFiltered = hasConditions(query);
  const none = query.of ? t("games.none.of", { name }) : t(query.isAll ? "games.none" : "games.none.you");
  return (
    <div class="card games-empty">
      <p>{isFiltered ? t("games.none_fits") : none}</p>
      {isFiltered ? (
        <button onClick={onClear}>{t("games.clear")}</button>
      ) : (
        <Link to="/" class="button">
          {t("games.play")}
        </Link>
      )}
    </div>
  );
}

/** @param {{count: number, cursors: string[], next: string | null, isPending: boolean, onShow: (cursors: string[]) => void}} props */
function Pages({ count, cursors, next, isPending, onShow }) {
  const isPaged = cursors.length > 0 || next !== null;
  const before = cursors.length * PAGE_SIZE;
  return (
    <footer class={isPaged ? "pager" : "hidden-visually"}>
      {isPaged && (
        <button class="quiet" aria-disabled={!cursors.length} onClick={() => cursors.length && onShow(cursors.slice(0, -1))}>
          {t("list.previous")}
        </button>
      )}
      <span class="small muted" role="status">
        {!isPending && count > 0 && (isPaged ? t("games.page", { from: before + 1, to: before + count }) : t("games.count", { count }))}
      </span>
      {isPaged && (
        <button class="quiet" aria-disabled={next === null} onClick={() => next !== null && !isPending && onShow([...cursors, next])}>
          {t("list.next")}
        </button>
      )}
    </footer>
  );
}

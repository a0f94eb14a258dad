// The rankings of one game: all time or this week, page by page, and always the visitor's own row. The address has the
// game and the period, and its entry in the history the page, so that the way back from a profile leads to the same rows.

import { useEffect, useRef, useState } from "preact/hooks";
import { t } from "../catalogue/index.js";
import { Segmented } from "../parts/controls.js";
import { numberText } from "../parts/figures.js";
import { Link } from "../parts/link.js";
import { GameBadge } from "../parts/site-art.js";
import { SitePage } from "../parts/site-bar.js";
import { useAnswer } from "../parts/use-answer.js";
import { HowRatingsWork, Podium, WhereYouStand } from "./rankings/aside.js";
import { OwnRow, RankingTable } from "./rankings/ranking-table.js";
import "../style/list-query.css";
import "../style/lists.css";
import "../style/rankings.css";

/** Rows on one page. */
const PAGE_SIZE = 50;

/** @typedef {"all" | "week"} Period */

/** Return the period and the first row that the shown address asks for. @returns {{period: Period, start: number}} */
function readAddress() {
  return { period: new URLSearchParams(location.search).has("week") ? "week" : "all", start: history.state?.start ?? 0 };
}

/** Return the address of a ranking. @param {string} game @param {Period} period */
function rankingPath(game, period) {
  return `/rankings/${game}${period === "week" ? "?week" : ""}`;
}

/** @param {import("../main.js").PageProps} props */
export function Page({ store, socket, route }) {
  const games = store.games.value.map(({ name }) => name);
  const game = route.game && (!games.length || games.includes(route.game)) ? route.game : "investors";
  const [chosen, setChosen] = useState({ route, ...readAddress() });
  // A link to another game, and going back, change the address while this component stays mounted.
  const { period, start } = chosen.route === route ? chosen : readAddress();
  const show = (/** @type {Period} */ period, start = 0) => {
    history.replaceState({ start }, "", rankingPath(game, period));
    setChosen({ route, period, start });
  };
  const request = { type: "get_rankings", game, period, limit: PAGE_SIZE, ...(start ? { after: start } : {}) };
  const { reply, refusal, isPending, again } = useAnswer(socket, request);
  const showOwnPage = useOwnPage(isPending, (start) => show(period, start));
  const me = store.me.value;
  const name = t(`game.${game}`);
  return (
    <SitePage store={store} active="rankings" class="rankings">
      <main class="site-wrap">
        <header class="rankings-head">
          <h1>{t("rankings.title")}</h1>
          <nav class="segmented rankings-games" aria-label={t("rankings.games")}>
            {(games.length ? games : [game]).map((each) => (
              <Link key={each} to={rankingPath(each, period)} aria-current={each === game ? "page" : undefined}>
                <GameBadge game={each} size={28} />
                {t(`game.${each}`)}
              </Link>
            ))}
          </nav>
          <Segmented
            label={t("rankings.period")}
            value={period}
            options={["week", "all"].map((value) => ({ value, label: t(`rankings.period.${value}`) }))}
            onChange={(period) => show(period)}
          />
        </header>
        <div class="rankings-columns">
          <section class="card rankings-card" aria-label={`${t("rankings.title")}: ${name}`} aria-busy={isPending}>
            {refusal ? (
              <div class="rankings-empty">
                <p role="alert">{refusal.code === "unknown_request" ? t("games.unavailable") : refusal.message}</p>
                {refusal.code !== "unknown_request" && <button onClick={again}>{t("games.again")}</button>}
              </div>
            ) : (
              reply && (
                <>
                  {reply.rows.length ? (
                    <RankingTable rows={reply.rows} me={me?.id ?? null} />
                  ) : (
                    <Nobody game={game} period={period} hasAccount={Boolean(me?.handle)} />
                  )}
                  <OwnRow reply={reply} game={name} me={me} onOwnPage={showOwnPage} />
                  <Pages start={start} reply={reply} isPending={isPending} onStart={(start) => show(period, start)} />
                </>
              )
            )}
          </section>
          <aside class="rankings-aside">
            {reply && !refusal && start === 0 && reply.rows.length >= 3 && <Podium rows={reply.rows.slice(0, 3)} period={period} />}
            {reply && !refusal && reply.own?.rank && <WhereYouStand socket={socket} game={game} period={period} reply={reply} />}
            <HowRatingsWork />
          </aside>
        </div>
      </main>
    </SitePage>
  );
}

/**
 * Return the function that shows the page of a rank; the own row on it then comes into sight and gets the focus.
 * @param {boolean} isPending @param {(start: number) => void} onStart
 */
function useOwnPage(isPending, onStart) {
  const isWanted = useRef(false);
  useEffect(() => {
    if (isPending || !isWanted.current) return;
    isWanted.current = false;
    const row = document.querySelector(".ranking tr.mine");
    row?.scrollIntoView({ block: "center" });
    row?.querySelector("a")?.focus({ preventScroll: true });
  }, [isPending]);
  return (/** @type {number} */ rank) => {
    isWanted.current = true;
    onStart(Math.floor((rank - 1) / PAGE_SIZE) * PAGE_SIZE);
  };
}

/** A ranking without names says why, and what to do. @param {{game: string, period: string, hasAccount: boolean}} props */
function Nobody({ game, period, hasAccount }) {
  return (
    <div class="rankings-empty">
      <GameBadge game={game} size={56} />
      <p>{t(`rankings.none.${period}`, { game: t(`game.${game}`) })}</p>
      {period === "all" && <p class="muted">{t("rankings.none.how")}</p>}
      {hasAccount && (
        <Link to={`/new/${game}?rated`} class="button">
          {t("rankings.play")}
        </Link>
      )}
    </div>
  );
}

/** @param {{start: number, reply: any, isPending: boolean, onStart: (start: number) => void}} props */
function Pages({ start, reply, isPending, onStart }) {
  const hasMore = reply.next !== null && reply.next !== undefined;
  if (!start && !hasMore) return null;
  const go = (/** @type {number} */ to) => {
    onStart(to);
    scrollTo({ top: 0 });
  };
  return (
    <footer class="pager rankings-pager">
      <button class="quiet" aria-disabled={!start} onClick={() => start && go(Math.max(0, start - PAGE_SIZE))}>
        {t("list.previous")}
      </button>
      <span class="small muted" role="status">
        {!isPending && t("rankings.page", { from: numberText(start + 1), to: numberText(start + reply.rows.length), total: numberText(reply.total) })}
      </span>
      <button class="quiet" aria-disabled={!hasMore} onClick={() => hasMore && !isPending && go(reply.next)}>
        {t("list.next")}
      </button>
    </footer>
  );
}

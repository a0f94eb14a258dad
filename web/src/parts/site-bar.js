// The navigation of the pages outside running games: a bar at the top, and on a phone a second one at the bottom.

import { t } from "../catalogue/index.js";
import { Icon } from "./art.js";
import { ConnectionBanner, connectionWord } from "./banner.js";
import { LanguageChoice, ThemeSwitch } from "./chrome.js";
import { Face } from "./face.js";
import { Link } from "./link.js";
import { Logo } from "./site-art.js";
import { awaitedGames } from "./your-games.js";
import "../style/site.css";

/** @typedef {"home" | "watch" | "learn" | "rankings" | "games" | "you"} Place */

/** The pages in the navigation: name, path and icon. @type {[Place, string, any][]} */
const PLACES = [
  ["home", "/", "play"],
  ["watch", "/watch", "eye"],
  ["learn", "/learn", "book"],
  ["games", "/games", "cards"],
  ["rankings", "/rankings", "podium"],
];
/** A phone has room for five: the lesson of each game is one tap away on the home page. */
const PHONE_PLACES = PLACES.filter(([name]) => name !== "learn");

/**
 * The bar at the top, with the number of games that wait for the visitor.
 * @param {{store: import("../store.js").Store, active?: Place}} props
 */
export function SiteBar({ store, active }) {
  const me = store.me.value;
  const waiting = awaitedGames(store.yourTables.value);
  return (
    <header class="site-bar">
      <div class="site-bar-inner">
        <Link to="/" class="site-brand serif">
          <Logo size={34} />
          <span class="site-brand-name">San Francisco Tables</span>
        </Link>
        <nav class="site-nav" aria-label={t("nav.label")}>
          {PLACES.map(([name, path]) => (
            <Link key={name} to={path} aria-current={active === name ? "page" : undefined}>
              {t(`nav.${name}`)}
            </Link>
          ))}
        </nav>
        <div class="site-tools">
          <Online store={store} />
          <LanguageChoice />
          <ThemeSwitch />
        </div>
        {me && (
          <div class="site-me">
            <Link to="/you" class="site-you" aria-current={active === "you" ? "page" : undefined}>
              <Face user={me.id} name={me.name} size={36} />
              <span class="site-name" title={me.name}>
                {me.name}
              </span>
            </Link>
            <WaitingBadge waiting={waiting} />
            {!me.handle && <SignInLink />}
          </div>
        )}
      </div>
    </header>
  );
}

/** The way for guests who have an account. */
function SignInLink() {
  return (
    <Link to="/you#sign-in" class="site-sign-in">
      {t("nav.sign_in")}
    </Link>
  );
}

/** How many people are connected; the state of the connection while that is not known. @param {{store: import("../store.js").Store}} props */
function Online({ store }) {
  const isLive = store.connection.value === "open" && !store.isSlow.value;
  const online = store.lists.online.value;
  return (
    <span class={`site-online small live live-${store.connection.value}`}>
      {isLive && online !== null ? t("nav.online", { count: online }) : t(connectionWord(store))}
    </span>
  );
}

/** "2 waiting for you", a link to the game that waits longest. @param {{waiting: any[]}} props */
export function WaitingBadge({ waiting }) {
  if (!waiting.length) return null;
  return (
    <Link to={`/t/${waiting[0].table}`} class="pill pill-go waiting-badge">
      {t("nav.waiting", { count: waiting.length })}
    </Link>
  );
}

/** The navigation at the bottom of a phone. @param {{store: import("../store.js").Store, active?: Place}} props */
export function BottomNavigation({ store, active }) {
  const me = store.me.value;
  const count = awaitedGames(store.yourTables.value).length;
  return (
    <nav class="bottom-nav" aria-label={t("nav.label")}>
      {PHONE_PLACES.map(([name, path, icon]) => (
        <Link key={name} to={path} aria-current={active === name ? "page" : undefined}>
          <Icon name={icon} size={22} />
          {t(`nav.${name}`)}
        </Link>
      ))}
      <Link to="/you" aria-current={active === "you" ? "page" : undefined}>
        <Face user={me?.id ?? null} name={me?.name} size={24} />
        {count > 0 && (
          <b class="bottom-nav-count">
            <span aria-hidden="true">{count}</span>
            <span class="hidden-visually">{t("nav.waiting", { count })}</span>
          </b>
        )}
        {t("nav.you")}
      </Link>
    </nav>
  );
}

/**
 * A whole page: the navigation around its content.
 * @param {{store: import("../store.js").Store, active?: Place, class?: string, children: any}} props
 */
export function SitePage({ store, active, class: name = "", children }) {
  return (
    <div class={`site ${name}`}>
      <SiteBar store={store} active={active} />
      <ConnectionBanner store={store} />
      {children}
      <BottomNavigation store={store} active={active} />
    </div>
  );
}

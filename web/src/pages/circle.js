// The people around a visitor with an account: friends' games and invitations. It is fetched after the page, and only
// for people with an account. The home page shows both in lists; every other page shows invitations as a notice.

import { effect, signal } from "@preact/signals";
import { t } from "../catalogue/index.js";
import { Icon } from "../parts/art.js";
import { FaceRow } from "../parts/face.js";
import { friendsGames } from "../parts/friends.js";
import { Link } from "../parts/link.js";
import { formatList } from "../parts/names.js";
import { followed, listPeople } from "../parts/relations.js";
import { GameBadge } from "../parts/site-art.js";
import { progressText, tableName } from "../parts/table-texts.js";
import { useRequest } from "../parts/use-request.js";
import { tablePath } from "../routes.js";
import "../style/circle.css";

/** @typedef {import("../main.js").PageProps} PageProps */
/** @typedef {{table: string, key: string | null, game: string, by: {id: string, name: string, handle: string | null}, at: number}} Invitation */

/** Ask for the people whom the visitor follows, on every new connection. @param {import("../store.js").Store} store @param {import("../socket.js").Socket} socket */
export function followPeople(store, socket) {
  effect(() => {
    if (store.connection.value !== "open") return;
    listPeople(socket).then((people) => people && (store.people.value = people));
  });
  effect(() => {
    followed.value = store.people.value ?? [];
  });
}

/** What the home page has above everything else. @param {PageProps} props */
export function HomeCircle(props) {
  return (
    <>
      <InvitationList {...props} />
      <FriendsGames {...props} />
    </>
  );
}

/** Games of people whom the visitor follows; nothing if there are none. @param {PageProps} props */
function FriendsGames({ store }) {
  const games = friendsGames(store.people.value, store.me.value?.id ?? null);
  if (!games.length) return null;
  return (
    <section class="your-games friends-games" aria-labelledby="friends-title">
      <header class="section-head">
        <h2 id="friends-title">{t("friends.title")}</h2>
      </header>
      <ul class="your-games-list">
        {games.map(({ table, names, way }) => (
          <li key={table.table}>
            <Link to={`/t/${table.table}`} class="your-game card">
              <GameBadge game={table.game} size={44} />
              <span class="your-game-text">
                <span class="your-game-row">
                  <strong class="cut">{tableName(table)}</strong>
                  <FaceRow seats={table.seats} size={24} label={t("friends.at", { names: formatList(names), count: names.length })} />
                </span>
                <span class="your-game-row small">
                  <span class="cut muted">{[formatList(names), progressText(table) ?? t(`friends.${table.phase}`)].join(" · ")}</span>
                  <span class="friends-way">
                    <Icon name={way === "join" ? "play" : "eye"} size={16} />
                    {t(`friends.way.${way}`)}
                  </span>
                </span>
              </span>
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** @param {PageProps} props */
function InvitationList(props) {
  const invitations = props.store.invitations.value;
  if (!invitations.length) return null;
  return (
    <section class="invitations" aria-labelledby="invitations-title">
      <h2 id="invitations-title">{t("invitations.title")}</h2>
      <ul>
        {invitations.map((invitation) => (
          <li key={invitation.table} class="card invitation">
            <InvitationParts {...props} invitation={invitation} />
          </li>
        ))}
      </ul>
    </section>
  );
}

/** The latest invitation that the visitor has put aside; a later one shows the notice again. */
const aside = signal(0);

/** Invitations over a page that is not about them. @param {PageProps} props */
export function InvitationNotice(props) {
  const { store, route } = props;
  const invitations = store.invitations.value;
  const [latest] = invitations;
  // At the table of an invitation, and in its list, the visitor sees it anyway.
  const isShown = latest && route.page !== "home" && latest.at > aside.value && route.id !== latest.table;
  // The region is always there, so that screen readers notice what comes into it.
  return (
    <div class="invitation-notice" role="status">
      {isShown && (
        <div class="card invitation">
          <InvitationParts {...props} key={latest.table} invitation={latest} />
          {invitations.length > 1 && (
            <Link to="/" class="small invitation-more">
              {t("invitations.more", { count: invitations.length - 1 })}
            </Link>
          )}
          <button type="button" class="tool invitation-later" aria-label={t("invitations.later")} title={t("invitations.later")} onClick={() => (aside.value = latest.at)}>
            <Icon name="close" />
          </button>
        </div>
      )}
    </div>
  );
}

/** @param {PageProps & {invitation: Invitation}} props */
function InvitationParts({ socket, navigate, invitation }) {
  const [run, { isBusy, refusal }] = useRequest();
  const { table, key, game, by } = invitation;
  const join = () =>
    run(async () => {
      await socket.request({ type: "take_seat", table, ...(key ? { key } : {}) }).catch((/** @type {{code: string}} */ reason) => {
        // The seat was taken in another window.
        if (reason.code !== "already_seated") throw reason;
      });
      navigate(tablePath(table, key));
    });
  const dismiss = () => run(() => socket.request({ type: "dismiss_invitation", table }));
  return (
    <>
      <GameBadge game={game} size={36} />
      <p class="invitation-line">{t("invitations.line", { name: by.name, game: t(`game.${game}`) })}</p>
      <span class="invitation-actions">
        <button type="button" class="bay" aria-disabled={isBusy} onClick={join}>
          {t("invitations.join")}
        </button>
        <button type="button" aria-disabled={isBusy} aria-label={t("invitations.dismiss_name", { name: by.name })} onClick={dismiss}>
          {t("invitations.dismiss")}
        </button>
      </span>
      {refusal && (
        <p class="error invitation-refusal" role="alert">
          {refusal} <Link to={tablePath(table, key)}>{t("invitations.look")}</Link>
        </p>
      )}
    </>
  );
}

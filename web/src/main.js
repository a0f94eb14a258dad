// The entry point: open the connection, choose the page by the URL, and render it.

import { render } from "preact";
import { useEffect } from "preact/hooks";
import { effect } from "@preact/signals";
import { addArea, language, withTexts } from "./catalogue/index.js";
import { followSeats } from "./fairness/begin.js";
import { isTimeShort } from "./parts/time-left.js";
import { workOffline } from "./offline.js";
import { keepLanguage } from "./kept-language.js";
import { drawOnlyWhileVisible } from "./parts/hidden-page.js";
import { lazy, Loading } from "./parts/lazy.js";
import { addStyle, hasStyle } from "./parts/page-style.js";
import { seenWatching } from "./parts/preferences.js";
import { followYourMoves } from "./parts/your-move.js";
import { asksToCommentate, navigate, route } from "./routes.js";
import { Socket } from "./socket.js";
import { deviceStorage } from "./storage.js";
import { Store, TableModel } from "./store.js";
import { NO_LIST } from "./table-list.js";

const store = new Store();

const socket = new Socket({
  url: async () => {
    // The session comes first: a new visitor gets a guest account without a form.
    const answer = await fetch("/api/session", { method: "POST" });
    if (!answer.ok) throw new Error("no session");
    await answer.arrayBuffer(); // A response that is not read keeps its connection busy.
    return `${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/socket`;
  },
  onState: (state) => {
    store.connection.value = state;
  },
  onSlow: (isSlow) => {
    store.isSlow.value = isSlow;
  },
  isUrgent: () => !document.hidden && isTimeShort(store.table.peek(), Date.now()),
  onMessage: (message) => {
    store.receive(message);
    if (message.type === "welcome") {
      onWelcome(message.user);
      if (document.hidden) tellVisibility();
      keepPush(message.user.id);
      store.lists.connected((request) => socket.request(request));
      store.subscribe();
    }
  },
});

const onWelcome = keepLanguage(socket);

/** Tell the server whether the page can be seen: who does not look at it may be notified elsewhere. */
function tellVisibility() {
  if (store.connection.peek() === "open") socket.request({ type: "set_visible", visible: !document.hidden }).catch(() => {});
}

/** Keep the push subscription of this browser right, if it may have one. @param {string} user */
function keepPush(user) {
  if (deviceStorage.get("push")) import("./notifications/push.js").then(({ keepSubscription }) => keepSubscription(socket, user)).catch(() => {});
}

/** @typedef {{store: Store, socket: Socket, navigate: (path: string) => void, route: import("./routes.js").Route}} PageProps */

/** The code and the texts of each page, fetched when the page is opened. @type {Record<string, () => Promise<{Page: (props: PageProps) => any}>>} */
const PAGES = {
  home: () => import("./pages/home.js"),
  watch: () => import("./pages/watch.js"),
  learn: withTexts(() => import("./pages/learn.js"), "lesson"),
  lesson: withTexts(() => import("./pages/lesson.js"), "lesson"),
  rules: withTexts(() => import("./pages/rules.js"), "rules"),
  fairness: withTexts(() => import("./pages/fairness.js"), "fairness"),
  new: withTexts(() => import("./pages/new.js"), "commentary"),
  you: withTexts(() => import("./pages/you.js"), "you", "notifications", "people", "circle", "relations"),
  profile: withTexts(() => import("./pages/profile.js"), "people", "relations"),
  rankings: withTexts(() => import("./pages/rankings.js"), "people"),
  games: withTexts(() => import("./pages/games.js"), "people", "replay"),
  replay: withTexts(() => import("./pages/replay.js"), "replay", "relations"),
  coach: withTexts(() => import("./pages/coach.js"), "coach", "replay"),
  result: withTexts(() => import("./pages/result.js"), "replay"),
  table: withTexts(() => import("./pages/table.js"), "relations"),
  unknown: () => import("./pages/unknown.js"),
};

/** Fetch the code for friends' games and invitations, which only people with an account have. */
function fetchCircle() {
  if (!store.me.value?.handle || store.circle.peek()) return;
  addStyle("circle");
  // Whoever loses the connection meanwhile gets it with the next welcome.
  withTexts(() => import("./pages/circle.js"), "circle")().then(
    (circle) => {
      if (!store.circle.peek()) circle.followPeople(store, socket);
      store.circle.value = circle;
    },
    () => {},
  );
}

/** Fetch the code for the big table of the home page, with a style that applies there alone. */
function fetchBigTable() {
  if (!store.wantsBigTable.value || store.bigTable.peek()) return;
  addStyle("big-table", "home");
  withTexts(() => import("./pages/big-table.js"), "watching")().then(
    (module) => (store.bigTable.value = module),
    // Without it the place stays empty; the visitor may come back to it.
    () => (store.wantsBigTable.value = false),
  );
}

/** Subscribe to the table of the address, and no longer to the one before. */
function followTable() {
  const { page, key } = route.value;
  const id = page === "table" ? route.value.id : null;
  const left = store.table.peek();
  if (left && left.id !== id) left.unsubscribe();
  if (!id) store.table.value = null;
  else if (left?.id !== id) {
    store.table.value = new TableModel(id, key, socket, { isDelayed: asksToCommentate(location.search), isNamed: () => seenWatching.peek() === "yes" });
    if (store.connection.peek() === "open") store.table.peek()?.subscribe();
  }
}

/** The tables that are followed although another page is shown. @type {Map<string, () => void>} */
const followedSeats = new Map();

/** The pages that show lists of tables, and ask for them. */
const WITH_LISTS = ["home", "watch"];

function App() {
  const { page, id, handle } = route.value;
  useEffect(() => {
    if (!WITH_LISTS.includes(page)) store.lists.setQuery(NO_LIST);
  }, [page]);
  const module = lazy(PAGES[page]);
  const isStyled = hasStyle(page);
  if (!module || !isStyled) return <Loading />;
  const { Page } = module;
  const props = { store, socket, navigate, route: route.value };
  const circle = store.circle.value;
  // A new key renders everything again: another page, another table, another language.
  return (
    <>
      <Page key={`${page} ${id ?? handle} ${language.value}`} {...props} />
      {circle && <circle.InvitationNotice key={`invited ${language.value}`} {...props} />}
    </>
  );
}

/** Connect, and check the connection whenever the network or the visitor comes back. */
function stayConnected() {
  addEventListener("online", () => socket.reconnectNow());
  addEventListener("offline", () => socket.noteOffline());
  document.addEventListener("visibilitychange", () => document.hidden || socket.reconnectNow());
  document.addEventListener("visibilitychange", tellVisibility);
  // Somebody is at the page. Moving the pointer over it is not enough: people do so all the time.
  for (const act of ["pointerdown", "keydown", "focus"]) addEventListener(act, () => socket.noteAct(), { capture: true, passive: true });
  document.documentElement.addEventListener("pointerenter", () => socket.noteAct());
  socket.start();
}

effect(() => {
  document.documentElement.lang = language.value;
});
drawOnlyWhileVisible();
effect(followTable);
// After the table of the page: whoever leaves its page goes on following it from the others.
effect(() => followSeats(store, socket, followedSeats));
effect(fetchCircle);
effect(fetchBigTable);
// A page that is embedded in another site has neither a session nor a websocket.
const isEmbedded = route.value.page === "replay" && new URLSearchParams(location.search).has("embed");
if (!isEmbedded) {
  stayConnected();
  workOffline(store, navigate);
}
// Without the texts of refusals, the sentences of the server are shown.
await Promise.all([addArea("page"), addArea("refusals").catch(() => {})]);
followYourMoves(store, navigate);
render(<App />, /** @type {HTMLElement} */ (document.getElementById("app")));

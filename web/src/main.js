// The entry point: open the connection, choose the page by the URL, and render it.

import { render } from "preact";
import { useEffect } from "preact/hooks";
import { effect } from "@preact/signals";
import { language } from "./catalogue/index.js";
import { drawOnlyWhileVisible } from "./parts/hidden-page.js";
import { lazy, Loading } from "./parts/lazy.js";
import { hasStyle } from "./parts/page-style.js";
import { followYourMoves } from "./parts/your-move.js";
import { navigate, route } from "./routes.js";
import { Socket } from "./socket.js";
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
  onMessage: (message) => {
    store.receive(message);
    if (message.type === "welcome") {
      store.lists.connected((request) => socket.request(request));
      store.subscribe();
    }
  },
});

/** @typedef {{store: Store, socket: Socket, navigate: (path: string) => void, route: import("./routes.js").Route}} PageProps */

/** The code of each page, fetched when the page is opened. @type {Record<string, () => Promise<{Page: (props: PageProps) => any}>>} */
const PAGES = {
  home: () => import("./pages/home.js"),
  watch: () => import("./pages/watch.js"),
  rules: () => import("./pages/rules.js"),
  new: () => import("./pages/new.js"),
  you: () => import("./pages/you.js"),
  table: () => import("./pages/table.js"),
  unknown: () => import("./pages/unknown.js"),
};

/** Subscribe to the table of the address, and no longer to the one before. */
function followTable() {
  const { id, key } = route.value;
  const left = store.table.peek();
  if (left && left.id !== id) left.unsubscribe();
  if (!id) store.table.value = null;
  else if (left?.id !== id) {
    store.table.value = new TableModel(id, key, socket);
    if (store.connection.peek() === "open") store.table.peek()?.subscribe();
  }
}

/** The pages that show lists of tables, and ask for them. */
const WITH_LISTS = ["home", "watch"];

function App() {
  const { page, id } = route.value;
  useEffect(() => {
    if (!WITH_LISTS.includes(page)) store.lists.setQuery(NO_LIST);
  }, [page]);
  const module = lazy(PAGES[page]);
  const isStyled = hasStyle(page);
  if (!module || !isStyled) return <Loading />;
  const { Page } = module;
  // A new key renders everything again: another page, another table, another language.
  return <Page key={`${page} ${id} ${language.value}`} store={store} socket={socket} navigate={navigate} route={route.value} />;
}

addEventListener("online", () => socket.reconnectNow());
addEventListener("offline", () => socket.noteOffline());
document.addEventListener("visibilitychange", () => document.hidden || socket.reconnectNow());
document.documentElement.lang = language.value;
drawOnlyWhileVisible();
effect(followTable);
followYourMoves(store, navigate);
socket.start();
render(<App />, /** @type {HTMLElement} */ (document.getElementById("app")));

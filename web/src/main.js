// The entry point: open the connection, choose the page by the URL, and render it.

// The base style comes first, so that the styles of pages override it.
import "./style/base.css";
import { render } from "preact";
import { signal } from "@preact/signals";
import { language } from "./catalogue/index.js";
import { LobbyPage } from "./pages/lobby.js";
import { TablePage } from "./pages/table.js";
import { Socket } from "./socket.js";
import { Store, TableModel } from "./store.js";

const store = new Store();

const socket = new Socket({
  url: async () => {
    // The session comes first: a new visitor gets a guest account without a form.
    const answer = await fetch("/api/session", { method: "POST" });
    if (!answer.ok) throw new Error("no session");
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
      socket.request({ type: "list_tables" }).catch(() => {});
      store.table.value?.subscribe();
    }
  },
});

/** Return the table id and the key of the URL: `/` is the lobby, `/t/ID#k=KEY` a table. */
function parseLocation() {
  const [, id] = location.pathname.match(/^\/t\/([a-z0-9]{4,32})$/) ?? [];
  const [, key] = location.hash.match(/k=([0-9a-f]+)/) ?? [];
  return { id: id ?? null, key: key ?? null };
}

const route = signal(parseLocation());

/** Show another page without loading the document again. @param {string} path */
function navigate(path) {
  history.pushState(null, "", path);
  onNavigate();
}

function onNavigate() {
  const { id, key } = parseLocation();
  const left = store.table.value;
  if (left && left.id !== id) left.request("unwatch").catch(() => {});
  if (!id) store.table.value = null;
  else if (left?.id !== id) {
    store.table.value = new TableModel(id, key, socket);
    if (store.connection.value === "open") store.table.value.subscribe();
  }
  route.value = { id, key };
}

function App() {
  // Reading the language here renders everything again when the language changes.
  return route.value.id ? (
    <TablePage key={route.value.id + language.value} store={store} socket={socket} navigate={navigate} />
  ) : (
    <LobbyPage key={language.value} store={store} socket={socket} navigate={navigate} />
  );
}

addEventListener("popstate", onNavigate);
addEventListener("online", () => socket.reconnectNow());
document.addEventListener("visibilitychange", () => document.hidden || socket.reconnectNow());
document.documentElement.lang = language.value;
onNavigate();
socket.start();
render(<App />, /** @type {HTMLElement} */ (document.getElementById("app")));

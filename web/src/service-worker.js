// The service worker: it keeps the files of the page on the device, so that the page opens without a network, and shows
// the notifications that come while the page is closed. It stores files of the build alone, never anything that the
// server says about people, tables or games.
//
// Each build has a cache of its own. The page asks the network first; the files in /assets have hashes in their names,
// so a kept one is always right. A new build takes over at once: a page of the build before finds its own files in the
// cache of that build, which is removed only when the next build comes.

/** The files of the build. */
const build = BUILD;

const CACHE_PREFIX = "build-";
const CACHE = `${CACHE_PREFIX}${build.version}`;
/** Builds whose files are kept: the last one, and the one before for pages that are still open. */
const KEPT_BUILDS = 2;
/** Files that are fetched at a time, so that the page that is open is not slowed down. */
const BATCH = 4;
/** Milliseconds after which a kept page is shown although the network may still answer. */
const PATIENCE = 5000;

/** The global scope; TypeScript has its type only without that of pages. @type {any} */
const scope = self;

/** Return the file that shows a path: the one that loads a table at once, or the one for all other pages. @param {string} path */
function fileFor(path) {
  return /^\/t\/[a-z0-9]+\/?$/.test(path) ? "/table.html" : "/";
}

/** Keep files that are not kept yet. @param {Cache} cache @param {string[]} paths */
async function keep(cache, paths) {
  const missing = paths.values();
  // All of them take the next path from the same iterator.
  const next = async () => {
    for (const path of missing) {
      if (await cache.match(path)) continue;
      const isHashed = path.startsWith("/assets/");
      const response = (isHashed && (await caches.match(path))) || (await fetch(path, { cache: isHashed ? "default" : "reload" }));
      if (!response.ok) throw new Error(`${path} could not be fetched`);
      await cache.put(path, response);
    }
  };
  await Promise.all(Array.from({ length: BATCH }, next));
}

/** Remove the caches of builds before the last ones; `caches.keys` has them in the order in which they were made. */
async function forgetOldBuilds() {
  const names = (await caches.keys()).filter((name) => name.startsWith(CACHE_PREFIX) && name !== CACHE);
  const old = names.slice(0, Math.max(0, names.length - KEPT_BUILDS + 1));
  await Promise.all(old.map((name) => caches.delete(name)));
}

/** Whether the visitor has asked the browser to save data: then only what is needed is kept, and what was shown. */
function savesData() {
  return /** @type {any} */ (navigator).connection?.saveData === true;
}

scope.addEventListener("install", (/** @type {any} */ event) => {
  event.waitUntil(caches.open(CACHE).then((cache) => keep(cache, build.needed)));
  scope.skipWaiting();
});

scope.addEventListener("activate", (/** @type {any} */ event) => {
  event.waitUntil(forgetOldBuilds().then(() => scope.clients.claim()));
});

/** A page says which language it is in: keep all other files, those of that language included. */
scope.addEventListener("message", (/** @type {any} */ event) => {
  const { language } = event.data ?? {};
  event.source?.postMessage({ build: build.version });
  if (savesData()) return;
  const paths = [...(build.languages[language] ?? []), ...build.common];
  // What is missing is fetched at the next message.
  event.waitUntil(caches.open(CACHE).then((cache) => keep(cache, paths)).catch(() => {}));
});

/** Return whether a proxy says that its server is not there: while it restarts, the kept page waits for it. @param {Response} response */
function isServerAway({ status, headers }) {
  return status >= 502 && status <= 504 && Boolean(headers.get("content-type")?.startsWith("text/html"));
}

/** Return a page from the network; where that fails or takes long, the kept one. @param {Request} request @returns {Promise<Response>} */
async function pageFor(request) {
  const kept = () => caches.match(fileFor(new URL(request.url).pathname), { cacheName: CACHE });
  const late = new Promise((resolve) => setTimeout(resolve, PATIENCE)).then(kept);
  const fresh = fetch(request).then(async (response) => (isServerAway(response) && (await kept())) || response);
  const first = await Promise.race([fresh.catch(() => undefined), late]);
  return first ?? (await kept()) ?? fresh;
}

/** Return a file with a hash in its name: the kept one, or that of the network, which is kept. @param {Request} request */
async function fileOf(request) {
  const kept = await caches.match(request, { ignoreVary: true });
  if (kept) return kept;
  const response = await fetch(request);
  if (response.ok) {
    const copy = response.clone();
    caches.open(CACHE).then((cache) => cache.put(request, copy)).catch(() => {});
  }
  return response;
}

scope.addEventListener("fetch", (/** @type {any} */ event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (request.method !== "GET" || url.origin !== location.origin) return;
  if (url.pathname.startsWith("/assets/")) event.respondWith(fileOf(request));
  // An address with a point is a file to download, and one of the API is no page.
  else if (request.mode === "navigate" && !/\.|^\/api\//.test(url.pathname)) event.respondWith(pageFor(request));
});

/** A message of the server, which only this browser can decrypt. Browsers end a subscription that shows nothing. */
scope.addEventListener("push", (/** @type {any} */ event) => {
  const { title = "San Francisco Tables", body = "", tag, path = "/", language = "en" } = event.data?.json() ?? {};
  const shown = { body, tag, lang: language, icon: "/icons/icon-192.png", badge: "/icons/icon-192.png", data: { path } };
  event.waitUntil(scope.registration.showNotification(title, shown));
});

/** Show a path in a page that is open already, or in a new one. @param {string} path */
async function open(path) {
  const pages = await scope.clients.matchAll({ type: "window", includeUncontrolled: true });
  const page = pages.find((/** @type {any} */ { url }) => new URL(url).pathname === path) ?? pages[0];
  if (!page) return scope.clients.openWindow(path);
  if (new URL(page.url).pathname !== path) page.postMessage({ open: path });
  return page.focus();
}

scope.addEventListener("notificationclick", (/** @type {any} */ event) => {
  event.notification.close();
  const path = event.notification.data?.path;
  // Only pages of our own.
  event.waitUntil(open(/^\/(?!\/)/.test(path) ? path : "/"));
});

// The page without a network: a service worker keeps its files (service-worker.js), and a browser may install it.

import { effect, signal } from "@preact/signals";
import { language } from "./catalogue/index.js";

/** Whether the browser says that there is no network. */
export const isOffline = signal(globalThis.navigator?.onLine === false);

/** The browser's offer to install the page, a function that takes it up; null if there is none. @type {import("@preact/signals").Signal<(() => void) | null>} */
export const installOffer = signal(null);

/** Whether a newer build than that of this page has taken over. */
let isOutdated = false;

/** Return whether the next page should be loaded from the server, since this one belongs to an older build. */
export const isBuildOutdated = () => isOutdated;

/** Return the build of this page. */
const ownBuild = () => document.querySelector("meta[name=build]")?.getAttribute("content");

const WORKER = "/service-worker.js";

/** The policy of the page names no other script. */
function workerUrl() {
  const { trustedTypes } = /** @type {any} */ (globalThis);
  return trustedTypes ? trustedTypes.createPolicy("service-worker", { createScriptURL: () => WORKER }).createScriptURL("") : WORKER;
}

/** Resolve when the page has done what is more urgent. */
function idle() {
  const wait = globalThis.requestIdleCallback ?? ((/** @type {() => void} */ then) => setTimeout(then, 2000));
  return new Promise((resolve) => wait(() => resolve(undefined), { timeout: 10_000 }));
}

/**
 * Keep the files of the page on the device, now and after each new build.
 * @param {import("./store.js").Store} store
 * @param {(path: string) => void} navigate
 */
async function keepFiles(store, navigate) {
  const container = navigator.serviceWorker;
  if (!container) return;
  container.addEventListener("message", ({ data }) => {
    if (data?.build && ownBuild() && data.build !== ownBuild()) isOutdated = true;
    // Somebody has clicked on a notification.
    if (typeof data?.open === "string") navigate(data.open);
  });
  // The first page comes first.
  if (document.readyState !== "complete") await new Promise((resolve) => addEventListener("load", resolve, { once: true }));
  await idle();
  const registration = await container.register(workerUrl());
  const tellLanguage = async () => (await container.ready).active?.postMessage({ language: language.peek() });
  container.addEventListener("controllerchange", tellLanguage);
  effect(() => {
    void language.value;
    tellLanguage();
  });
  // A server that comes back may have another build.
  let hasConnected = false;
  effect(() => {
    if (store.connection.value !== "open") return;
    if (hasConnected) registration.update().catch(() => {});
    hasConnected = true;
  });
}

/** Follow the browser's offers to install the page. */
function followOffers() {
  addEventListener("beforeinstallprompt", (event) => {
    // The page has a place of its own for the offer.
    event.preventDefault();
    installOffer.value = () => {
      installOffer.value = null;
      /** @type {any} */ (event).prompt();
    };
  });
  addEventListener("appinstalled", () => (installOffer.value = null));
}

/** Work without a network where the browser can. @param {import("./store.js").Store} store @param {(path: string) => void} navigate */
export function workOffline(store, navigate) {
  for (const name of ["online", "offline"]) addEventListener(name, () => (isOffline.value = !navigator.onLine));
  followOffers();
  // Private windows and some settings refuse it: then the page needs the network.
  keepFiles(store, navigate).catch(() => {});
}

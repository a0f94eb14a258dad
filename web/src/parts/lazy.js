// Lazy loading: the code of a page, or of a game's scene, is fetched when it is opened.

import { signal } from "@preact/signals";
import { t } from "../catalogue/index.js";

/** @type {Map<Function, import("@preact/signals").Signal<any>>} */
const loaded = new Map();
const hasFailed = signal(false);

/** Return a module, or null while it loads. @template T @param {() => Promise<T>} load @returns {T | null} */
export function lazy(load) {
  let module = loaded.get(load);
  if (!module) {
    const fresh = signal(/** @type {any} */ (null));
    loaded.set(load, fresh);
    load().then(
      (found) => (fresh.value = found),
      // The network is gone, or a new version of the page has other files.
      () => (hasFailed.value = true),
    );
    module = fresh;
  }
  return module.value;
}

/** A page that is being loaded, or could not be. */
export function Loading() {
  if (!hasFailed.value) return <main class="loading" aria-busy="true" />;
  return (
    <main class="loading">
      <p role="alert">{t("loading.failed")}</p>
      <button onClick={() => location.reload()}>{t("loading.again")}</button>
    </main>
  );
}

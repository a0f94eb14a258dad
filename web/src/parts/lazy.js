// Lazy loading: the code of a scene is fetched when its game is opened.

import { signal } from "@preact/signals";

/** @type {Map<Function, import("@preact/signals").Signal<any>>} */
const loaded = new Map();

/** Return the scene of a module, or null while it loads. @param {() => Promise<{scene: any}>} load */
export function lazy(load) {
  let scene = loaded.get(load);
  if (!scene) {
    const fresh = signal(/** @type {any} */ (null));
    loaded.set(load, fresh);
    load().then((module) => (fresh.value = module.scene));
    scene = fresh;
  }
  return scene.value;
}

export function Loading() {
  return <main class="loading" aria-busy="true" />;
}

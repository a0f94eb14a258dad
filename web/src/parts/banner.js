// The banner about the connection. Only a new version of the page asks the visitor to reload.

import { t } from "../catalogue/index.js";
import { isOffline } from "../offline.js";

/** Return the catalogue key of the short connection state in the header. @param {import("../store.js").Store} store */
export function connectionWord(store) {
  const state = store.connection.value;
  return state === "open" ? "connection.open" : "connection.connecting";
}

/** @param {{store: import("../store.js").Store}} props */
export function ConnectionBanner({ store }) {
  const state = store.connection.value;
  // Whoever was connected before is told what becomes of their choices.
  if (isOffline.value && store.me.value === null) {
    return (
      <div class="banner" role="status">
        {t("connection.offline")}
      </div>
    );
  }
  const isLost = state === "lost" || state === "silent" || (state === "connecting" && store.me.value !== null);
  if (state === "reload") {
    return (
      <div class="banner" role="status">
        {t("connection.reload")}
        <button onClick={() => location.reload()}>{t("connection.reload_now")}</button>
      </div>
    );
  }
  if (state === "stopped") {
    return (
      <div class="banner" role="status">
        {t("connection.stopped")}
        <button onClick={() => location.reload()}>{t("connection.again")}</button>
      </div>
    );
  }
  if (!isLost && !store.isSlow.value) return null;
  return (
    <div class="banner" role="status">
      {t(state === "silent" ? "connection.silent" : isLost ? "connection.lost" : "connection.slow")}
    </div>
  );
}

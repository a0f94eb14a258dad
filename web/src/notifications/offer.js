// Once, after a move at a table where people take their time: the offer to be told on this device.

import { useState } from "preact/hooks";
import { signal } from "@preact/signals";
import { t } from "../catalogue/index.js";
import { Icon } from "../parts/art.js";
import { isMyMove, permission } from "../parts/your-move.js";
import { RefusalLine, useWork } from "../parts/use-work.js";
import { deviceStorage } from "../storage.js";
import { canPush, mayBeSubscribed, subscribe } from "./push.js";
import "../style/notifications.css";

const OFFERED = "push-offered";

/** Whether the offer was made on this device. */
const isOffered = signal(deviceStorage.get(OFFERED) !== null);

/** @param {{store: import("../store.js").Store, model: import("../store.js").TableModel}} props */
export function NotificationOffer({ store, model }) {
  const view = model.view.value;
  const [wasMine, setMine] = useState(false);
  const work = useWork();
  const isMine = isMyMove(view);
  if (isMine && !wasMine) setMine(true);
  const isWanted = canPush() && permission.value === "default" && !mayBeSubscribed() && !isOffered.value;
  if (!isWanted || !wasMine || isMine || view.table.phase !== "running") return null;
  const close = () => {
    deviceStorage.set(OFFERED, "1");
    isOffered.value = true;
  };
  const accept = () =>
    work.run(async () => {
      const { notifications } = await model.socket.request({ type: "get_notifications" });
      const user = store.me.value?.id;
      if (user && notifications.push_key) await subscribe(model.socket, notifications.push_key, user);
      close();
    });
  return (
    <aside class="notify-offer" aria-label={t("notify.title")}>
      <p>
        <Icon name="bell" />
        {t("notify.offer")}
      </p>
      <div class="notify-actions">
        <button type="button" class="bay" aria-disabled={work.isBusy} onClick={accept}>
          {t("notify.push_here")}
        </button>
        <button type="button" class="quiet" onClick={close}>
          {t("notify.offer_no")}
        </button>
      </div>
      <RefusalLine work={work} />
    </aside>
  );
}

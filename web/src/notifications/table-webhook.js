// The webhook of a table, in its menu: its host lets a channel of the group know when the game begins, goes on and ends.

import { t } from "../catalogue/index.js";
import { Disclosure } from "../parts/controls.js";
import { useAnswer } from "../parts/use-answer.js";
import { Webhook } from "./webhook.js";
import "../style/notifications.css";

/** @param {{model: import("../store.js").TableModel}} props */
export function TableWebhook({ model }) {
  return (
    <section class="menu-part">
      <Disclosure summary={t("notify.table")}>
        <Channel model={model} />
      </Disclosure>
    </section>
  );
}

/** @param {{model: import("../store.js").TableModel}} props */
function Channel({ model }) {
  const { reply, refusal, again } = useAnswer(model.socket, { type: "get_notifications", table: model.id });
  const found = reply?.notifications;
  if (refusal) return <p class="error">{refusal.message}</p>;
  if (!found) return null;
  if (!found.offers.length) return <p class="small muted">{t("notify.table_none")}</p>;
  return (
    <>
      <p class="small muted">{t("notify.table_why")}</p>
      <Webhook contact={found.contacts[0]} request={(message) => model.socket.request({ ...message, table: model.id })} again={again} />
    </>
  );
}

// The dialog in which a player gives standing orders, changes and withdraws them. Only this player sees them.

import { useEffect, useRef, useState } from "preact/hooks";
import { t } from "../catalogue/index.js";
import { canHash } from "../fairness/commitments.js";
import { randomHex, SEED_BYTES } from "../fairness/random.js";
import { Icon } from "../parts/art.js";
import { CardTitle } from "../parts/titled-popover.js";
import { useRequest } from "../parts/use-request.js";
import { OrderForm } from "./form.js";
import { orderText, untilText } from "./sentences.js";
import "../style/orders.css";

/** @typedef {import("../store.js").TableModel} TableModel */
/** @typedef {import("./load.js").OrderRules} OrderRules */
/** @typedef {import("./load.js").Order} Order */

/** The most orders of one seat. */
const MAX_ORDERS = 12;

/** Return the kinds of orders that the form offers at a table: prepared commands are for programs. @param {OrderRules} rules @param {any} view */
export function offeredKinds(rules, view) {
  const isKept = Boolean(view.table.settings.sealed_on_devices && view.table.fairness);
  return rules.kinds.filter(({ fields, sealed }) => fields.every(({ kind }) => kind !== "command") && !(sealed && isKept));
}

/**
 * Return random bytes from which the salts of sealed answers follow, so that the record of a verifiable game shows them
 * like answers that this page has sealed.
 * @param {any} view
 */
function saltSeed(view) {
  return view.table.fairness && canHash() ? { seed: randomHex(SEED_BYTES) } : {};
}

/** @param {{model: TableModel, rules: OrderRules, onClose: () => void}} props */
export function OrdersDialog({ model, rules, onClose }) {
  /** @type {import("preact").RefObject<HTMLDialogElement>} */
  const dialog = useRef(null);
  useEffect(() => {
    const node = /** @type {HTMLDialogElement} */ (dialog.current);
    node.showModal();
    return () => node.close();
  }, []);
  return (
    <dialog
      ref={dialog}
      class="orders-dialog"
      aria-label={t("orders.title")}
      onClose={onClose}
      // A click beside the dialog closes it.
      onClick={(event) => event.target === dialog.current && onClose()}
    >
      <CardTitle onClose={onClose}>{t("orders.title")}</CardTitle>
      <OrdersPanel model={model} rules={rules} />
    </dialog>
  );
}

/** @param {{model: TableModel, rules: OrderRules}} props */
function OrdersPanel({ model, rules }) {
  const view = model.view.value;
  const [run, { refusal, isBusy }] = useRequest();
  /** The place of the order that is changed, that of a new one behind the last, or null. */
  const [editing, setEditing] = useState(/** @type {number | null} */ (null));
  if (!view.orders) return <p class="muted">{t("orders.over")}</p>;
  const { given, revision } = /** @type {import("./load.js").OwnOrders} */ (view.orders);
  const kinds = offeredKinds(rules, view);
  const isLess = kinds.length < rules.kinds.filter(({ fields }) => fields.every(({ kind }) => kind !== "command")).length;
  /** @param {Order[]} orders */
  const set = (orders) => run(() => model.request("set_orders", { revision, orders, ...saltSeed(view) }).then(() => setEditing(null)));
  const isResting = Boolean(view.seats[view.mine].stand_in) || view.table.paused;
  return (
    <>
      <p class="small muted">{t("orders.about")}</p>
      {isLess && <p class="small muted">{t("orders.devices")}</p>}
      {isResting && (
        <p class="small" role="status">
          {t("orders.resting")}
        </p>
      )}
      {given.length > 0 ? (
        <ol class="order-list" aria-label={t("orders.title")}>
          {given.map((order, place) => (
            <li key={JSON.stringify(order)}>
              <span>
                {orderText(order)}
                <span class="small muted block">{untilText(order.until, rules.period)}</span>
              </span>
              {kinds.some(({ kind }) => kind === order.kind) && (
                <button type="button" class="tool" aria-label={t("orders.edit", { order: orderText(order) })} title={t("orders.edit.short")} onClick={() => setEditing(place)}>
                  <Icon name="pencil" />
                </button>
              )}
              <button type="button" class="tool" disabled={isBusy} aria-label={t("orders.remove", { order: orderText(order) })} title={t("orders.remove.short")} onClick={() => set(given.toSpliced(place, 1))}>
                <Icon name="close" />
              </button>
            </li>
          ))}
        </ol>
      ) : (
        editing === null && <p>{t("orders.none")}</p>
      )}
      {given.length > 1 && <p class="small muted">{t("orders.first")}</p>}
      {refusal && (
        <p class="error" role="alert">
          {refusal}
        </p>
      )}
      {editing !== null ? (
        <OrderForm
          key={editing}
          kinds={kinds}
          period={rules.period}
          order={given[editing] ?? null}
          isBusy={isBusy}
          onSave={(order) => set(given.toSpliced(editing, 1, order))}
          onCancel={() => setEditing(null)}
        />
      ) : given.length < MAX_ORDERS ? (
        kinds.length > 0 && (
          <button type="button" class="bay" onClick={() => setEditing(given.length)}>
            <Icon name="plus" />
            {t("orders.add")}
          </button>
        )
      ) : (
        <p class="small muted">{t("orders.full", { count: MAX_ORDERS })}</p>
      )}
    </>
  );
}

// The dialog in which a player gives standing orders, changes and withdraws them. Only this player sees them.

import { useRef, useState } from "preact/hooks";
import { t } from "../catalogue/index.js";
import { canHash } from "../fairness/commitments.js";
import { randomHex, SEED_BYTES } from "../fairness/random.js";
import { Icon } from "../parts/art.js";
import { ModalDialog } from "../parts/modal-dialog.js";
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
  return (
    <ModalDialog title={t("orders.title")} class="orders-dialog" onClose={onClose}>
      <OrdersPanel model={model} rules={rules} />
    </ModalDialog>
  );
}

/** @param {{model: TableModel, rules: OrderRules}} props */
function OrdersPanel({ model, rules }) {
  const view = model.view.value;
  const [run, { refusal, isBusy }] = useRequest();
  /** What the form shows: the order that is changed, or null for a new one; null where there is no form. */
  const [editing, setEditing] = useState(/** @type {{order: Order | null} | null} */ (null));
  /** @type {import("preact").RefObject<HTMLDivElement>} */
  const panel = useRef(null);
  // What had the focus is gone when the form opens or closes, or an order is withdrawn.
  const refocus = (/** @type {string} */ selector) => requestAnimationFrame(() => /** @type {HTMLElement | null} */ (panel.current?.querySelector(selector))?.focus());
  if (!view.orders) return <p class="muted">{t("orders.over")}</p>;
  const { given, revision } = /** @type {import("./load.js").OwnOrders} */ (view.orders);
  const kinds = offeredKinds(rules, view);
  const isLess = kinds.length < rules.kinds.filter(({ fields }) => fields.every(({ kind }) => kind !== "command")).length;
  const edit = (/** @type {{order: Order | null} | null} */ next) => {
    setEditing(next);
    refocus(next ? ".order-form .select" : ".order-add");
  };
  /** @param {Order[]} orders */
  const set = (orders) => run(() => model.request("set_orders", { revision, orders, ...saltSeed(view) }).then(() => edit(null)));
  const save = (/** @type {Order} */ order) => {
    // The order may have been used meanwhile, and others may have taken its place.
    const changed = JSON.stringify(editing?.order);
    const place = given.findIndex((each) => JSON.stringify(each) === changed);
    set(place < 0 ? [...given, order] : given.toSpliced(place, 1, order));
  };
  const isResting = Boolean(view.seats[view.mine].stand_in) || view.table.paused;
  return (
    <div class="orders-panel" ref={panel}>
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
                <button type="button" class="tool" aria-label={t("orders.edit", { order: orderText(order) })} title={t("orders.edit.short")} onClick={() => edit({ order })}>
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
      {editing ? (
        <OrderForm key={JSON.stringify(editing)} kinds={kinds} period={rules.period} order={editing.order} isBusy={isBusy} onSave={save} onCancel={() => edit(null)} />
      ) : given.length < MAX_ORDERS ? (
        kinds.length > 0 && (
          <button type="button" class="bay order-add" onClick={() => edit({ order: null })}>
            <Icon name="plus" />
            {t("orders.add")}
          </button>
        )
      ) : (
        <p class="small muted">{t("orders.full", { count: MAX_ORDERS })}</p>
      )}
    </div>
  );
}

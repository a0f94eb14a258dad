// Standing orders on the page of a table: the button in the decision bar with its private mark, the dialog, and the
// notice when an order was used or dropped. Everything here is the player's own; the server tells nobody else of it.

import { signal, useSignalEffect } from "@preact/signals";
import { useEffect, useRef, useState } from "preact/hooks";
import { t } from "../catalogue/index.js";
import { Icon } from "../parts/art.js";
import { isAwaited } from "../parts/time-left.js";
import { OrdersDialog } from "./dialog.js";
import { orderText } from "./sentences.js";
import "../style/orders.css";

/** @typedef {import("../store.js").TableModel} TableModel */
/** @typedef {import("./load.js").OrderRules} OrderRules */

/** Whether the dialog is open, by table. @type {WeakMap<TableModel, import("@preact/signals").Signal<boolean>>} */
const opened = new WeakMap();

/** @param {TableModel} model */
function openedAt(model) {
  let isOpen = opened.get(model);
  if (!isOpen) opened.set(model, (isOpen = signal(false)));
  return isOpen;
}

/** Return the sentence about the order that is about to act in the player's place; null if there is none. @param {any} view */
export function nextNote(view) {
  const { orders } = view;
  if (!orders || orders.next === null || orders.next === undefined) return null;
  return t("orders.acts", { order: orderText(orders.given[orders.next]) });
}

/**
 * The button that opens the dialog. Its place is taken while a hint can be asked for, or a step can be taken back: orders rest in a turn that
 * somebody has begun.
 * @param {{model: TableModel}} props
 */
export function OrdersButton({ model }) {
  const view = model.view.value;
  const count = view.orders?.given.length ?? 0;
  const isTaken = isAwaited(view, view.mine) && (view.table.hints || view.play.decision.undoable);
  if (!view.orders || isTaken) return null;
  const label = count ? t("orders.title_count", { count }) : t("orders.title");
  return (
    <button type="button" class={`quiet orders-button ${count ? "given" : ""}`} aria-haspopup="dialog" aria-label={label} title={label} onClick={() => (openedAt(model).value = true)}>
      <Icon name="orders" />
      <span class="orders-label">{t("orders.title")}</span>
      {count > 0 && <span class="orders-count">{count}</span>}
    </button>
  );
}

/** The dialog, while it is open, and the last notice. @param {{model: TableModel, rules: OrderRules}} props */
export function Orders({ model, rules }) {
  const isOpen = openedAt(model);
  return (
    <>
      <OrderNotice model={model} />
      {isOpen.value && <OrdersDialog model={model} rules={rules} onClose={() => (isOpen.value = false)} />}
    </>
  );
}

/** How long the page says that an order was used, in milliseconds; that one was dropped stays until it is put aside. */
const USED_SHOWN = 10000;

/** What has become of an order. @param {{model: TableModel}} props */
function OrderNotice({ model }) {
  const [told, setTold] = useState(/** @type {{event: string, order: import("./load.js").Order} | null} */ (null));
  const seen = useRef(model.latest.peek());
  useSignalEffect(() => {
    const latest = model.latest.value;
    if (latest === seen.current) return;
    seen.current = latest;
    const found = latest.find(({ event }) => event === "order_used" || event === "order_dropped");
    if (found) setTold(found);
  });
  useEffect(() => {
    if (told?.event !== "order_used") return;
    const timer = setTimeout(() => setTold(null), USED_SHOWN);
    return () => clearTimeout(timer);
  }, [told]);
  if (!told) return null;
  return (
    <div class="notice order-notice" role="status" data-event={told.event}>
      <button type="button" class="notice-aside" aria-label={t("orders.aside")} title={t("orders.aside")} onClick={() => setTold(null)}>
        <Icon name="close" size={16} />
      </button>
      <p>{t(told.event === "order_used" ? "orders.used" : "orders.dropped", { order: orderText(told.order) })}</p>
    </div>
  );
}

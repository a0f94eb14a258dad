// What the page of a table needs of standing orders before their code is fetched.

import { createContext } from "preact";
import { withTexts } from "../catalogue/index.js";

/** @typedef {import("../parts/settings.js").Option} Field */
/** @typedef {{kind: string, fields: Field[], sealed: boolean}} OrderKind */
/** @typedef {{kinds: OrderKind[], period: string | null}} OrderRules the kinds of orders of a game, and what an order can be limited to */
/** @typedef {{kind: string, values: Record<string, any>, until: "once" | "period" | "changed"}} Order */
/** @typedef {{revision: number, given: Order[], next: number | null}} OwnOrders the orders of the viewer; `next` is the one that is about to act */

/** The orders that can be given at the table; null where there are none, as in a lesson or a replay. @type {import("preact").Context<OrderRules | null>} */
export const OrderRulesContext = createContext(/** @type {OrderRules | null} */ (null));

/** Fetched on its own, since only players give orders. */
export const ORDERS = withTexts(() => import("./orders.js"), "orders");

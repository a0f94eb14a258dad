// The way from a table that somebody watches to the next one.

import { useEffect } from "preact/hooks";
import { t } from "../catalogue/index.js";
import { NO_LIST } from "../table-list.js";
import { Icon } from "./art.js";
import { Link } from "./link.js";
import { tableName } from "./table-texts.js";

const RUNNING = { open: null, running: { spectators: true, limit: 20 } };

/**
 * Return the table to watch next: the one that follows the shown one in the list, the first one after the last.
 * @param {any[]} rows the running tables, the most interesting first @param {string} shown @param {string | null} me
 */
export function nextToWatch(rows, shown, me) {
  const place = rows.findIndex(({ table }) => table === shown);
  const inOrder = [...rows.slice(place + 1), ...rows.slice(0, Math.max(0, place))];
  return inOrder.find(({ table, seats }) => table !== shown && !seats.some((/** @type {any} */ { user }) => user && user === me)) ?? null;
}

/** @param {{store: import("../store.js").Store, model: import("../store.js").TableModel}} props */
export function WatchNext({ store, model }) {
  const { lists } = store;
  useEffect(() => {
    lists.setQuery(RUNNING);
    return () => lists.setQuery(NO_LIST);
  }, [lists]);
  const next = nextToWatch(lists.rows("running"), model.id, store.me.value?.id ?? null);
  if (!next) return null;
  return (
    <Link to={`/t/${next.table}`} class="button">
      <Icon name="eye" />
      {t("watch.next", { table: tableName(next) })}
    </Link>
  );
}

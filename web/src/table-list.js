// The lists of tables: what the shown page asks the server for, and the rows that came. The server filters, orders and
// counts; this module sends one query at a time and applies the changes.

import { batch, signal } from "@preact/signals";

/** @typedef {import("./socket.js").Message} Message */
/** @typedef {{total: number, start: number, next: string | null}} ListPlace where a page is among all tables that match */
/** @typedef {Record<string, any>} PageQuery the conditions of `list_tables` for one phase */
/** @typedef {{open: PageQuery | null, running: PageQuery | null}} ListQuery */

/** @type {("open" | "running")[]} */
const PHASES = ["open", "running"];
/** Milliseconds after which a query is sent again that was refused, or that gets no changes. */
const AGAIN_AFTER = 5000;

/** The query of pages that show no list: only the number of connected people comes. @type {ListQuery} */
export const NO_LIST = { open: null, running: null };

export class TableList {
  constructor() {
    /** The rows by id, in order: open tables, then running ones; null until they have arrived. */
    this.tables = signal(/** @type {Map<string, any> | null} */ (null));
    this.places = signal(/** @type {Record<"open" | "running", ListPlace | null>} */ ({ open: null, running: null }));
    /** How many people wait at open tables with a free seat, by game. */
    this.waiting = signal(/** @type {Record<string, number>} */ ({}));
    /** How many people wait at any of them. */
    this.people = signal(0);
    /** How many people are connected; null if the server does not say. */
    this.online = signal(/** @type {number | null} */ (null));
    /** Whether the rows of the latest query have not arrived yet. */
    this.isPending = signal(false);
    /** @type {((message: Message) => Promise<any>) | null} */
    this.request = null;
    /** @type {ListQuery | null} */
    this.query = null;
    /** The query that was accepted last; its rows follow. @type {ListQuery | null} */
    this.accepted = null;
    this.isSending = false;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.timer = undefined;
  }

  /** Ask for other tables. @param {ListQuery} query */
  setQuery(query) {
    if (JSON.stringify(query) === JSON.stringify(this.query)) return;
    this.query = query;
    this.isPending.value = true;
    this.send();
  }

  /** Ask again on a new connection. @param {(message: Message) => Promise<any>} request */
  connected(request) {
    this.request = request;
    this.accepted = null;
    this.send();
  }

  /** Send the query, unless one is being sent: the connection repeats that by itself, and then the newest follows. */
  async send() {
    clearTimeout(this.timer);
    const { query, request } = this;
    if (!request || !query || this.isSending || this.accepted === query) return;
    this.isSending = true;
    try {
      await request({ type: "list_tables", ...query });
      this.accepted = query;
      this.isSending = false;
      if (this.query !== query) this.send();
    } catch {
      this.isSending = false;
      this.askLater();
    }
  }

  askLater() {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      this.accepted = null;
      this.send();
    }, AGAIN_AFTER);
  }

  /** @param {Message} message `tables` or `tables_changed` */
  receive(message) {
    batch(() => {
      if (message.type === "tables") this.applyWhole(message);
      else this.applyChanges(message);
      this.online.value = message.online ?? this.online.value;
      if (message.waiting) this.waiting.value = message.waiting;
      this.people.value = message.people ?? this.people.value;
    });
  }

  /** @param {Message} message */
  applyWhole(message) {
    this.tables.value = new Map(message.tables.map((/** @type {any} */ table) => [table.table, table]));
    this.places.value = { open: message.open ?? null, running: message.running ?? null };
    if (this.accepted === this.query) this.isPending.value = false;
    if (message.live === false) this.askLater();
  }

  /** @param {Message} message */
  applyChanges(message) {
    const rows = new Map(this.tables.value ?? []);
    for (const id of message.gone) rows.delete(id);
    for (const table of message.changed) {
      // A game that has begun goes to the end of the running ones.
      if (rows.get(table.table)?.phase !== table.phase) rows.delete(table.table);
      rows.set(table.table, table);
    }
    this.tables.value = new Map(
      PHASES.flatMap((phase) => {
        /** @type {string[]} */
        const order = message[phase]?.order ?? [...rows.values()].filter((table) => table.phase === phase).map(({ table }) => table);
        return order.filter((id) => rows.has(id)).map((id) => /** @type {[string, any]} */ ([id, rows.get(id)]));
      }),
    );
    const { open, running } = this.places.value;
    if (message.open || message.running) this.places.value = { open: message.open ?? open, running: message.running ?? running };
  }

  /** Return the rows of a phase, in order. @param {"open" | "running"} phase @returns {any[]} */
  rows(phase) {
    return [...(this.tables.value?.values() ?? [])].filter((table) => table.phase === phase);
  }
}

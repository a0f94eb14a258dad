// The filters of a list of tables and its pages, which the server answers, and rows that do not move under the pointer.

import { useEffect, useRef, useState } from "preact/hooks";
import { t } from "../catalogue/index.js";
import { Icon } from "./art.js";
import { Select } from "./controls.js";
import { TABLE_LANGUAGES } from "./table-texts.js";
import "../style/list-query.css";

/** @typedef {{game: string, seats: number, pace: string, withoutClock: boolean, language: string, search: string}} Filters */

/** Tables on one page. */
export const PAGE_SIZE = 50;
/** Filters appear when there are more tables than one sees at a glance. */
const FILTERED_FROM = 4;
/** Milliseconds without another letter after which a search begins. */
const TYPING_PAUSE = 300;
/** Milliseconds for which rows stay put after the pointer has left them. */
const RELEASE_AFTER = 800;

/** @type {Filters} */
const NO_FILTERS = { game: "", seats: 0, pace: "", withoutClock: false, language: "", search: "" };

/** Return the conditions of a query for the server. @param {Filters} filters */
export function conditionsOf({ game, seats, pace, withoutClock, language, search }) {
  return {
    ...(game ? { game } : {}),
    ...(seats ? { seats } : {}),
    ...(pace ? { pace } : {}),
    ...(withoutClock ? { clock: "none" } : {}),
    ...(language ? { language } : {}),
    ...(search.trim() ? { search: search.trim() } : {}),
  };
}

/** Return whether any filter is set. @param {Filters} filters */
export function hasFilters(filters) {
  return Object.keys(conditionsOf(filters)).length > 0;
}

/**
 * The filters and the page of a list. Another filter leads back to the first page.
 * @returns {{filters: Filters, change: (changes: Partial<Filters>) => void, after: string | null, hasEarlier: boolean,
 *   goOn: (cursor: string) => void, goBack: () => void, reset: () => void}}
 */
export function useFilters() {
  const [filters, setFilters] = useState(NO_FILTERS);
  /** The cursors of the pages up to the shown one. */
  const [cursors, setCursors] = useState(/** @type {string[]} */ ([]));
  return {
    filters,
    change: (changes) => {
      setFilters({ ...filters, ...changes });
      setCursors([]);
    },
    after: cursors.at(-1) ?? null,
    hasEarlier: cursors.length > 0,
    goOn: (cursor) => setCursors([...cursors, cursor]),
    goBack: () => setCursors(cursors.slice(0, -1)),
    reset: () => setCursors([]),
  };
}

/**
 * Ask the server for a list while the page is shown.
 * @param {import("../store.js").Store} store @param {import("../table-list.js").ListQuery} query
 */
export function useListQuery(store, query) {
  useEffect(() => store.lists.setQuery(query), [JSON.stringify(query)]);
}

/**
 * The controls above a list; `fields` are those beside game and search that the list has.
 * @param {{store: import("../store.js").Store, list: ReturnType<typeof useFilters>, total: number, fields?: string[]}} props
 */
export function FilterBar({ store, list, total, fields = [] }) {
  const { filters, change } = list;
  const games = store.games.value;
  const counts = [...new Set(games.flatMap((game) => game.seats))].sort();
  if (total < FILTERED_FROM && !hasFilters(filters)) return null;
  return (
    <div class="filters">
      <Select
        class="tool"
        label={t("home.filter_game")}
        value={filters.game}
        options={[{ value: "", label: t("home.any_game") }, ...games.map(({ name }) => ({ value: name, label: t(`game.${name}`) }))]}
        onChange={(game) => change({ game })}
      />
      {fields.includes("seats") && (
        <Select
          class="tool"
          label={t("lobby.filter_seats")}
          value={filters.seats}
          options={[{ value: 0, label: t("lobby.any_seats") }, ...counts.map((count) => ({ value: count, label: t("lobby.seats", { count }) }))]}
          onChange={(seats) => change({ seats })}
        />
      )}
      {fields.includes("pace") && (
        <Select
          class="tool"
          label={t("pace.label")}
          value={filters.pace}
          options={[{ value: "", label: t("pace.any") }, ...["live", "days"].map((value) => ({ value, label: t(`pace.${value}`), note: t(`pace.${value}.why`) }))]}
          onChange={(pace) => change({ pace })}
        />
      )}
      {fields.includes("language") && (
        <Select
          class="tool"
          label={t("list.language")}
          value={filters.language}
          options={[{ value: "", label: t("create.any_language") }, ...Object.entries(TABLE_LANGUAGES).map(([value, label]) => ({ value, label }))]}
          onChange={(language) => change({ language })}
        />
      )}
      {fields.includes("clock") && (
        <label class="small filter">
          <input type="checkbox" checked={filters.withoutClock} onChange={(event) => change({ withoutClock: event.currentTarget.checked })} />
          {t("clock.none")}
        </label>
      )}
      <SearchField onChange={(search) => change({ search })} />
    </div>
  );
}

/**
 * A search that begins when no more letters are typed.
 * @param {{onChange: (text: string) => void, label?: string, value?: string}} props `value` is the text at the beginning
 */
export function SearchField({ onChange, label = t("list.search"), value = "" }) {
  const timer = useRef(/** @type {ReturnType<typeof setTimeout> | undefined} */ (undefined));
  const latest = useRef(onChange);
  latest.current = onChange;
  useEffect(() => () => clearTimeout(timer.current), []);
  const search = (/** @type {string} */ text, /** @type {number} */ pause) => {
    clearTimeout(timer.current);
    timer.current = setTimeout(() => latest.current(text), pause);
  };
  return (
    <input
      class="list-search"
      type="search"
      maxLength={40}
      defaultValue={value}
      aria-label={label}
      placeholder={label}
      onInput={(event) => search(event.currentTarget.value, TYPING_PAUSE)}
      onChange={(event) => search(event.currentTarget.value, 0)}
    />
  );
}

/**
 * Where the page is, and the buttons for the others. A screen reader is told when that changes.
 * @param {{list: ReturnType<typeof useFilters>, place: import("../table-list.js").ListPlace | null, count: number, isPending: boolean,
 *   isPaged: boolean, children?: any}} props
 */
export function Pager({ list, place, count, isPending, isPaged: canPage, children }) {
  const total = place?.total ?? 0;
  const isPaged = canPage && (list.hasEarlier || (place?.next ?? null) !== null);
  // The tables of this page may all be gone.
  const isEmptied = !isPending && list.hasEarlier && !count;
  useEffect(() => {
    if (isEmptied) list.goBack();
  }, [isEmptied]);
  const values = { from: (place?.start ?? 0) + 1, to: (place?.start ?? 0) + count, total };
  const isLast = !place?.next;
  return (
    <footer class={isPaged || children ? "pager" : "hidden-visually"}>
      {children}
      {isPaged && (
        <button class="quiet" aria-disabled={!list.hasEarlier} onClick={() => list.hasEarlier && list.goBack()}>
          {t("list.previous")}
        </button>
      )}
      <span class={isPaged ? "small muted" : "hidden-visually"} role="status">
        {place && !isPending && (isPaged ? t("list.page", values) : t("list.total", { count: total }))}
      </span>
      {isPaged && (
        <button class="quiet" aria-disabled={isLast} onClick={() => place?.next && !isPending && list.goOn(place.next)}>
          {t("list.next")}
        </button>
      )}
    </footer>
  );
}

/**
 * Show another page from its beginning: return the reference for the list, which gets the focus when its rows are there.
 * @param {string | null} after the cursor of the page @param {boolean} isPending
 * @returns {import("preact").RefObject<HTMLUListElement>}
 */
export function usePageStart(after, isPending) {
  /** @type {import("preact").RefObject<HTMLUListElement>} */
  const list = useRef(null);
  const shown = useRef(after);
  useEffect(() => {
    if (isPending || shown.current === after) return;
    shown.current = after;
    list.current?.focus({ preventScroll: true });
    list.current?.scrollIntoView({ block: "start" });
  }, [after, isPending]);
  return list;
}

/** @typedef {{table: any, isGone: boolean}} CalmRow */

/**
 * Return the rows to show. While they are held, every row stays where it is: a table that is gone keeps its row, and new
 * ones come last.
 * @param {CalmRow[]} shown @param {any[]} current the tables in the order of the server @param {boolean} isHeld
 * @returns {CalmRow[]}
 */
export function calmRows(shown, current, isHeld) {
  if (!isHeld) return current.map((table) => ({ table, isGone: false }));
  const now = new Map(current.map((table) => [table.table, table]));
  const known = new Set(shown.map(({ table }) => table.table));
  return [
    ...shown.map(({ table }) => ({ table: now.get(table.table) ?? table, isGone: !now.has(table.table) })),
    ...current.filter(({ table }) => !known.has(table)).map((table) => ({ table, isGone: false })),
  ];
}

/**
 * Hold the rows while the pointer or the focus is in the list. `key` names the list: rows of another one replace them.
 * @param {any[]} current @param {string} key
 * @returns {[CalmRow[], object]} the rows, and the handlers for the element around them
 */
export function useCalmRows(current, key) {
  const [isHeld, setHeld] = useState(false);
  const shown = useRef({ key, rows: /** @type {CalmRow[]} */ ([]) });
  const timer = useRef(/** @type {ReturnType<typeof setTimeout> | undefined} */ (undefined));
  const rows = calmRows(shown.current.rows, current, isHeld && shown.current.key === key);
  shown.current = { key, rows };
  useEffect(() => () => clearTimeout(timer.current), []);
  const hold = () => {
    clearTimeout(timer.current);
    setHeld(true);
  };
  const release = (/** @type {Event & {currentTarget: HTMLElement}} */ { currentTarget }) => {
    clearTimeout(timer.current);
    timer.current = setTimeout(() => {
      const isFocused = currentTarget !== document.activeElement && currentTarget.contains(document.activeElement);
      if (!isFocused && !currentTarget.matches(":hover")) setHeld(false);
    }, RELEASE_AFTER);
  };
  // The list itself has the focus when another page is shown; that holds nothing.
  const onFocusIn = (/** @type {FocusEvent} */ { target, currentTarget }) => target !== currentTarget && hold();
  return [rows, { onPointerEnter: hold, onPointerLeave: release, onFocusIn, onFocusOut: release }];
}

/** The place of the button of a row whose table is gone. */
export function GoneNote() {
  return (
    <span class="small muted row-gone">
      <Icon name="close" size={16} />
      {t("list.gone")}
    </span>
  );
}

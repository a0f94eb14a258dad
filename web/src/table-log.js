// The log of a table, in updates as the server numbers them for this viewer. The newest page is loaded on joining, older
// pages on request, and live updates are added at the end. Every update is kept by its number, so however pages and
// live updates overlap, none appears twice; a number that is missing between two others is loaded.

import { batch, signal } from "@preact/signals";

/** @typedef {{number: number, at: number | null, events: any[], step?: number}} Entry the events of one update, and which step of the game it is, if that is known */
/** @typedef {{entries: Entry[], more: boolean}} Page oldest first; `more`: whether there are older ones */

/** The events of a table that are not steps of its game; `answered` seals an answer that is not shown yet. */
export const NO_STEPS = new Set([
  "abandoned",
  "answer_changed",
  "answer_kept",
  "answer_sealed",
  "answered",
  "answers_opened",
  "bot_changed",
  "bot_removed",
  "bot_seated",
  "clocks_charged",
  "command_given",
  "commentary_agreed",
  "commentary_ended",
  "commentary_key_made",
  "continued_from",
  "history_differs",
  "holiday_began",
  "holiday_ended",
  "host_changed",
  "imported",
  "muted",
  "next_opened",
  "openings_asked",
  "paused",
  "resigned",
  "resumed",
  "rhythm_set",
  "said",
  "seal_opened",
  "seals_not_opened",
  "seat_left",
  "seat_moved",
  "seat_ready",
  "seat_renamed",
  "seat_returned",
  "seat_taken",
  "seed_committed",
  "seed_opened",
  "seeds_asked",
  "seeds_closed",
  "seeds_voided",
  "server_seed_drawn",
  "settings_changed",
  "table_opened",
  "time_ran_out",
  "vote_declined",
  "voted",
  "went_back",
]);

/** Return whether an update is a step of the game, as the replay counts them. @param {Entry} entry */
export function isStep({ events }) {
  return events.some(({ event }) => !NO_STEPS.has(event));
}

/** Updates kept in memory. Older ones are dropped, and loaded again on request. */
const MAX_ENTRIES = 3000;

export class TableLog {
  /**
   * @param {(before: number) => Promise<Page>} fetchPage returns the newest updates with a smaller number
   * @param {number} [limit] updates kept in memory
   */
  constructor(fetchPage, limit = MAX_ENTRIES) {
    this.fetchPage = fetchPage;
    this.limit = limit;
    /** The loaded updates, oldest first. */
    this.entries = signal(/** @type {Entry[]} */ ([]));
    /** Whether there are older updates that are not loaded. */
    this.hasMore = signal(false);
    this.isLoading = signal(false);
    /** Why the last page could not be loaded, as a sentence. */
    this.refusal = signal(/** @type {string | null} */ (null));
    /** @type {Map<number, Entry>} */
    this.byNumber = new Map();
    /** The loaded numbers are lowest to highest, apart from gaps that are being loaded. */
    this.lowest = 0;
    this.highest = 0;
    /** Counts resets, so that a page requested before one is ignored. */
    this.generation = 0;
  }

  /** Forget everything and load the newest page. What is shown stays until the page is there. @param {number} number of the last update */
  reset(number) {
    this.generation += 1;
    this.byNumber = new Map();
    this.lowest = this.highest = number;
    this.hasMore.value = false;
    this.isLoading.value = false;
    if (number > 0) return this.fillGaps();
    this.publish();
    return Promise.resolve();
  }

  /** Load the updates up to a number that arrived while the page was disconnected. @param {number} number */
  extend(number) {
    this.highest = Math.max(this.highest, number);
    return this.fillGaps();
  }

  /** Add a live update. @param {Entry} entry */
  append(entry) {
    const isNext = entry.number === this.highest + 1;
    if (!this.byNumber.size && !this.lowest) this.lowest = entry.number;
    this.byNumber.set(entry.number, entry);
    this.highest = Math.max(this.highest, entry.number);
    if (this.byNumber.size > this.limit) this.dropOldest();
    else if (isNext && !this.isLoading.value) this.entries.value = [...this.entries.value, entry];
    else if (!this.isLoading.value) this.publish();
  }

  dropOldest() {
    this.byNumber.delete(this.lowest);
    this.lowest += 1;
    batch(() => {
      this.hasMore.value = true;
      this.publish();
    });
  }

  /** Load the page before the loaded ones. */
  async loadOlder() {
    if (this.isLoading.value || !this.hasMore.value) return;
    await this.load(this.lowest);
    await this.fillGaps();
  }

  /** Load older pages until an update is there. @param {() => boolean} isThere */
  async loadUntil(isThere) {
    while (!isThere() && this.hasMore.value && !this.isLoading.value) {
      const { lowest } = this;
      await this.load(lowest);
      if (this.lowest === lowest) return;
    }
  }

  /** Load pages until no number between the lowest and the highest is missing. */
  async fillGaps() {
    const { generation } = this;
    if (this.isLoading.value) return;
    for (let gap = this.highestGap(); gap; gap = this.highestGap()) {
      await this.load(gap + 1);
      // A page without the missing update would be requested for ever.
      if (generation !== this.generation || !this.byNumber.has(gap)) return;
    }
  }

  /** Return the highest number that is missing, or 0. */
  highestGap() {
    for (let number = this.highest; number >= Math.max(1, this.lowest); number -= 1) if (!this.byNumber.has(number)) return number;
    return 0;
  }

  /** @param {number} before */
  async load(before) {
    const { generation } = this;
    this.isLoading.value = true;
    this.refusal.value = null;
    try {
      const page = await this.fetchPage(before);
      if (generation === this.generation) this.addPage(page);
    } catch (refusal) {
      if (generation === this.generation) this.refusal.value = /** @type {Error} */ (refusal).message;
    }
    if (generation !== this.generation) return;
    batch(() => {
      this.isLoading.value = false;
      this.publish();
    });
  }

  /** @param {Page} page */
  addPage({ entries, more }) {
    for (const entry of entries) if (!this.byNumber.has(entry.number)) this.byNumber.set(entry.number, entry);
    const first = entries[0]?.number ?? this.lowest;
    if (first > this.lowest) return;
    this.lowest = first;
    this.hasMore.value = more;
  }

  publish() {
    this.entries.value = [...this.byNumber.values()].sort((one, other) => one.number - other.number);
  }
}

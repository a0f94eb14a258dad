// What the waiting room waits for, in one headline and one sentence. Both say only what the view says.

import { t } from "../../catalogue/index.js";
import { formatList, formatNames } from "../../parts/names.js";

/** @typedef {{title: string, more: string}} Status */

/** Return the chairs that are free. @param {any} view @returns {number[]} */
export function freeSeats(view) {
  return view.seats.flatMap((/** @type {any} */ chair, /** @type {number} */ seat) => (chair.user || chair.bot ? [] : [seat]));
}

/** Return the names of the people who have not said that they are ready. The host need not. @param {any} view @returns {string[]} */
export function unreadyNames(view) {
  return view.seats
    .filter((/** @type {any} */ chair) => chair.user && chair.user !== view.table.host && !chair.ready)
    .map((/** @type {any} */ chair) => chair.name);
}

/** @param {any} view */
export function hostName(view) {
  return view.seats.find((/** @type {any} */ chair) => chair.user === view.table.host)?.name ?? "";
}

/** "Ana is", "Ana and Bo are" @param {string[]} names */
function namesAre(names) {
  return t("waiting.is", { count: names.length, names: formatList(names) });
}

/** Return the names of guests at a table whose games are rated. They sat down before it was. @param {any} view @returns {string[]} */
export function guestNames(view) {
  if (!view.table.settings.rated) return [];
  return view.seats.filter((/** @type {any} */ chair) => chair.user && chair.handle === null).map((/** @type {any} */ chair) => chair.name);
}

/** Return whether a rated game would not count: it takes two people. @param {any} view */
export function isUncounted(view) {
  return Boolean(view.table.settings.rated) && view.seats.filter((/** @type {any} */ chair) => chair.user).length < 2;
}

/**
 * Return why the game cannot begin yet, or null if bots can fill what is missing.
 * @param {any} view
 */
export function beginObstacle(view) {
  const guests = guestNames(view);
  if (guests.length) return t("waiting.guests_begin", { count: guests.length, names: formatList(guests) });
  const unready = unreadyNames(view);
  if (unready.length) return t("waiting.unready_begin", { count: unready.length, names: formatList(unready) });
  const free = freeSeats(view).length;
  if (free && !view.table.settings.bots) return t("waiting.free_begin", { count: free });
  return null;
}

/** Return whether the devices are fixing the shuffle, so that nothing can be changed any more. @param {any} view */
export function isShuffling(view) {
  return ["commit", "open"].includes(view.table.fairness?.stage);
}

/** Return why the game did not begin; null if it was not tried, or if those who were late have left. @param {any} view @param {number[]} late the seats whose devices did not answer */
export function voidedText(view, late) {
  const seats = late.filter((seat) => view.seats[seat]?.user);
  if (!seats.length || isShuffling(view)) return null;
  if (seats.includes(view.mine)) return t("waiting.voided.you");
  return t("waiting.voided", { count: seats.length, names: formatNames(view, seats) });
}

/**
 * Return what the table waits for, as its host, a guest or a visitor without a chair should know it.
 * @param {any} view
 * @param {string | undefined} me the user's id
 * @param {{user: string, name: string}[]} [expected] the people of the game before this one
 * @returns {Status}
 */
export function waitingStatus(view, me, expected = []) {
  const { settings } = view.table;
  if (isShuffling(view)) return { title: t("waiting.shuffling"), more: t("waiting.shuffling_more") };
  const isHost = view.table.host === me;
  const free = freeSeats(view).length;
  const unready = unreadyNames(view);
  const missing = expected.filter(({ user }) => !view.seats.some((/** @type {any} */ chair) => chair.user === user));
  if (view.mine === null) return visitorStatus(view, free);
  if (missing.length && free) return rematchStatus(view, isHost, missing.map(({ name }) => name), me, expected);
  if (settings.begin === "full") return fullStatus(free, unready, isHost && settings.bots);
  if (isHost) return hostStatus(settings, free, unready);
  if (!view.seats[view.mine].ready) return { title: t("waiting.are_you_ready"), more: t("waiting.host_begins", { name: hostName(view) }) };
  return { title: t("waiting.you_are_ready"), more: guestMore(view, free, unready) };
}

/** @param {any} settings @param {number} free @param {string[]} unready @returns {Status} */
function hostStatus(settings, free, unready) {
  if (free && unready.length) {
    return { title: t("waiting.free_unready", { count: free, names: namesAre(unready) }), more: t("waiting.unready_more") };
  }
  if (free) {
    const more = !settings.bots ? "waiting.no_bots" : settings.private ? "waiting.begin_or_invite" : "waiting.begin_or_wait";
    return { title: t("waiting.free", { count: free }), more: t(more, { count: free }) };
  }
  if (unready.length) {
    return { title: t("waiting.unready", { count: unready.length, names: formatList(unready) }), more: t("waiting.unready_more") };
  }
  return { title: t("waiting.all_here"), more: t("waiting.all_here_more") };
}

/** @param {any} view @param {number} free @param {string[]} unready */
function guestMore(view, free, unready) {
  const name = hostName(view);
  if (unready.length) return t("waiting.unready", { count: unready.length, names: formatList(unready) });
  if (free) return view.table.settings.bots ? t("waiting.host_waits_free", { count: free, name }) : t("waiting.free", { count: free });
  return t("waiting.host_can_begin", { name });
}

/** A table of a quick match begins by itself. @param {number} free @param {string[]} unready @param {boolean} canFill @returns {Status} */
function fullStatus(free, unready, canFill) {
  if (free) return { title: t("waiting.more_people", { count: free }), more: t(canFill ? "waiting.begins_full_host" : "waiting.begins_full") };
  if (unready.length) {
    return { title: t("waiting.unready", { count: unready.length, names: formatList(unready) }), more: t("waiting.begins_ready") };
  }
  return { title: t("waiting.all_here"), more: t("waiting.begins_ready") };
}

/**
 * The people of the last game come back one after the other.
 * @param {any} view @param {boolean} isHost @param {string[]} missing @param {string | undefined} me
 * @param {{user: string, name: string}[]} expected
 * @returns {Status}
 */
function rematchStatus(view, isHost, missing, me, expected) {
  const back = expected.filter(({ user }) => user !== me && view.seats.some((/** @type {any} */ chair) => chair.user === user));
  const names = back.map(({ name }) => name);
  const more = [
    ...(names.length ? [t("waiting.back", { count: names.length, names: formatList(names) })] : []),
    ...(isHost && view.table.settings.bots && !unreadyNames(view).length ? [t("waiting.begin_or_invite", { count: freeSeats(view).length })] : []),
    ...(isHost ? [] : [t("waiting.host_begins", { name: hostName(view) })]),
  ].join(" ");
  return { title: t("waiting.not_back", { count: missing.length, names: formatList(missing) }), more };
}

/** @param {any} view @param {number} free @returns {Status} */
function visitorStatus(view, free) {
  const more = t(view.table.settings.spectators ? "waiting.watch_more" : "waiting.watch_never");
  return { title: free ? t("waiting.you_watch") : t("waiting.every_chair_taken"), more };
}

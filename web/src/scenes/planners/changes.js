// The differences between the current game and the server's preview. It only compares; it contains no rules.

import { NO_CARD, SPACES } from "./cards.js";
import { placesOf, pointsNow } from "./ranks.js";

/**
 * @typedef {object} Changes the changes of a command for one seat
 * @property {number[]} cards spaces that get a card
 * @property {number[]} cars spaces that get a cable car
 * @property {number[]} towers spaces that get a skyscraper
 * @property {{space: number, from: number, to: number}[]} values of cards that are already placed
 * @property {{space: number, from: number, sum: number, needed: number}[]} sites foundations that get closer to a skyscraper
 * @property {{from: number, to: number} | null} needed the sum that a foundation's neighbours need, if it changes
 * @property {{category: number, from: number, to: number}[]} ranks changed places from 1: rows, then cable cars
 * @property {{row: number, from: number, to: number}[]} totals of rows
 * @property {number[]} rows whose token this seat takes
 * @property {boolean} medal whether this seat takes it
 * @property {number | null} bonus the row whose bonus would be chosen next
 * @property {{from: number, to: number}} contracts
 * @property {{from: number, to: number}} points in half points
 */

/** @param {number[]} before @param {number[]} after */
function added(before, after) {
  return after.filter((each) => !before.includes(each));
}

/** @param {any} before @param {any} after @param {number} seat @returns {Changes} */
export function changesOf(before, after, seat) {
  const [old, now] = [before.seats[seat], after.seats[seat]];
  const spaces = Array.from({ length: SPACES }, (_, space) => space);
  const isNew = (/** @type {number} */ space) => old.cards[space] === NO_CARD && now.cards[space] !== NO_CARD;
  const [oldSites, newSites] = [old, now].map(({ sites }) => new Map(sites.map((/** @type {number[]} */ site) => [site[0], site])));
  const [neededBefore, needed] = [old, now].map(({ sites }) => sites[0]?.[2]);
  const [wasAt, isAt] = [before, after].map((game) => placesOf(game, seat));
  return {
    cards: spaces.filter(isNew),
    cars: added(old.cars, now.cars),
    towers: added(old.towers, now.towers),
    values: spaces
      .filter((space) => old.cards[space] !== NO_CARD && old.values[space] !== now.values[space])
      .map((space) => ({ space, from: old.values[space], to: now.values[space] })),
    sites: [...newSites.values()].flatMap(([space, sum, needed]) => {
      const from = oldSites.get(space)?.[1];
      const wasNeeded = oldSites.get(space)?.[2];
      return from === undefined || (from === sum && wasNeeded === needed) ? [] : [{ space, from, sum, needed }];
    }),
    needed: old.sites.length && now.sites.length && neededBefore !== needed ? { from: neededBefore, to: needed } : null,
    totals: now.totals.flatMap((/** @type {number} */ to, /** @type {number} */ row) =>
      to === old.totals[row] ? [] : [{ row, from: old.totals[row], to }],
    ),
    ranks: isAt.flatMap((to, category) => (to === wasAt[category] ? [] : [{ category, from: wasAt[category], to }])),
    rows: after.completed.flatMap((/** @type {number | null} */ owner, /** @type {number} */ row) =>
      owner === seat && before.completed[row] !== seat ? [row] : [],
    ),
    medal: after.medal === seat && before.medal !== seat,
    bonus: after.stage.name === "bonus" && (before.stage.name !== "bonus" || before.stage.row !== after.stage.row) ? after.stage.row : null,
    contracts: { from: old.contracts, to: now.contracts },
    points: { from: pointsNow(before, seat), to: pointsNow(after, seat) },
  };
}

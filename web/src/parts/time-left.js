// How much time a seat has left to decide, by the clock of this device.

import { isOpening } from "./device-seals.js";

/**
 * Return the milliseconds that a seat has left; null if no time is counted for it.
 * @param {import("../store.js").TableModel} model @param {number} seat @param {number} now
 */
export function timeLeft(model, seat, now) {
  const view = model.view.value;
  const byDay = view.clock.days?.[seat];
  if (byDay) return byDay.deadline === null || view.table.paused ? null : byDay.deadline - now;
  const left = view.clock.thinking[seat];
  if (left === null || left === undefined || view.seats[seat].stand_in) return null;
  if (!isAwaited(view, seat)) return left;
  return left - (view.table.paused ? model.clocksElapsed.value : now - model.clocksReceivedAt.value);
}

/** Milliseconds before the end of the visitor's time in which a lost connection must show soon. */
const SHORT_TIME = 20000;

/**
 * Return whether the visitor has to decide at a table and has little time left.
 * @param {import("../store.js").TableModel | null} model @param {number} now
 */
export function isTimeShort(model, now) {
  const view = model?.view.peek();
  if (!model || !view || view.mine === null || view.table.paused || !isAwaited(view, view.mine)) return false;
  const left = timeLeft(model, view.mine, now);
  return left !== null && left <= SHORT_TIME;
}

/** Return whether a seat must decide. While sealed answers are opened, nobody must. @param {any} view @param {number} seat */
export const isAwaited = (view, seat) => !isOpening(view) && (view.play?.decision?.awaited ?? []).includes(seat);

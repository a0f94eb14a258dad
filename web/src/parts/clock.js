// A clock that counts down on this device from the time that the server sent last.

import { useEffect, useState } from "preact/hooks";
import { Icon } from "./art.js";

/** @param {number} milliseconds */
export function clockText(milliseconds) {
  const seconds = Math.max(0, Math.ceil(milliseconds / 1000));
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  const pair = (/** @type {number} */ number) => String(number).padStart(2, "0");
  return hours ? `${hours}:${pair(minutes)}:${pair(seconds % 60)}` : `${minutes}:${pair(seconds % 60)}`;
}

/**
 * Return the milliseconds that a seat has left; null if no time is counted for it.
 * @param {import("../store.js").TableModel} model @param {number} seat @param {number} now
 */
export function timeLeft(model, seat, now) {
  const view = model.view.value;
  const left = view.clock.thinking[seat];
  if (left === null || left === undefined || view.seats[seat].stand_in) return null;
  if (!isAwaited(view, seat)) return left;
  return left - (view.table.paused ? model.clocksElapsed.value : now - model.clocksReceivedAt.value);
}

/** @param {any} view @param {number} seat */
const isAwaited = (view, seat) => (view.play?.decision?.awaited ?? []).includes(seat);

/** @param {{model: import("../store.js").TableModel, seat: number}} props */
export function Clock({ model, seat }) {
  const view = model.view.value;
  const left = timeLeft(model, seat, Date.now());
  const isRunning = left !== null && isAwaited(view, seat) && !view.table.paused;
  const [count, tick] = useState(0);
  useEffect(() => {
    if (!isRunning || left <= 0) return undefined;
    // The text changes with the next whole second. A hidden page does not draw that, so its clocks have no timer.
    const timer = setTimeout(() => tick(count + 1), left % 1000 || 1000);
    return () => clearTimeout(timer);
  }, [isRunning, count, model.clocksReceivedAt.value]);
  if (left === null) return null;
  return (
    <span class="clock" role="timer">
      <Icon name="clock" size={16} />
      {clockText(left)}
    </span>
  );
}

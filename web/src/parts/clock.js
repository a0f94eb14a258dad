// A clock that counts down on this device from the time that the server sent last.

import { useEffect, useState } from "preact/hooks";
import { Icon } from "./art.js";
import { DayClock } from "./deadline.js";
import { isAwaited, timeLeft } from "./time-left.js";

/** @param {number} milliseconds */
export function clockText(milliseconds) {
  const seconds = Math.max(0, Math.ceil(milliseconds / 1000));
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  const pair = (/** @type {number} */ number) => String(number).padStart(2, "0");
  return hours ? `${hours}:${pair(minutes)}:${pair(seconds % 60)}` : `${minutes}:${pair(seconds % 60)}`;
}

/**
 * The clock of a seat: by the second at a live table, by the day where people come back when it is their move.
 * @param {{model: import("../store.js").TableModel, seat: number, isWhole?: boolean}} props `isWhole`: there is room for more than the end
 */
export function Clock({ model, seat, isWhole = false }) {
  const view = model.view.value;
  return view.clock.days ? <DayClock view={view} seat={seat} isWhole={isWhole} /> : <LiveClock model={model} seat={seat} />;
}

/** A clock that counts down. @param {{model: import("../store.js").TableModel, seat: number}} props */
function LiveClock({ model, seat }) {
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

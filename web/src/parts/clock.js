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

/** @param {{model: import("../store.js").TableModel, seat: number}} props */
export function Clock({ model, seat }) {
  const view = model.view.value;
  const left = view.clock.thinking[seat];
  const isRunning = (view.play?.decision?.awaited ?? []).includes(seat) && !view.table.paused;
  const [, tick] = useState(0);
  useEffect(() => {
    if (left === null || left === undefined || !isRunning) return undefined;
    const timer = setInterval(() => tick((count) => count + 1), 250);
    return () => clearInterval(timer);
  }, [isRunning, left]);
  if (left === null || left === undefined) return null;
  const now = isRunning ? left - (Date.now() - model.clocksReceivedAt.value) : left;
  return (
    <span class="clock" role="timer">
      <Icon name="clock" size={16} />
      {clockText(now)}
    </span>
  );
}

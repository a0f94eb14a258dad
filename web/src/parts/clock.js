// A clock that counts down on this device from the time that the server sent last.

import { useEffect, useState } from "preact/hooks";
import { Icon } from "./art.js";
import { DayClock, SeatDayClock } from "./deadline.js";
import { isAwaited, timeLeft } from "./time-left.js";

/** @param {number} milliseconds */
export function clockText(milliseconds) {
  const seconds = Math.max(0, Math.ceil(milliseconds / 1000));
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  const pair = (/** @type {number} */ number) => String(number).padStart(2, "0");
  return hours ? `${hours}:${pair(minutes)}:${pair(seconds % 60)}` : `${minutes}:${pair(seconds % 60)}`;
}

/** The clock of the seat that must decide: at a table by the day, when its time ends. @param {{model: import("../store.js").TableModel, seat: number}} props */
export function TurnClock({ model, seat }) {
  const view = model.view.value;
  return view.clock.days ? <DayClock view={view} seat={seat} /> : <Clock model={model} seat={seat} />;
}

/** What there is to say below the name of a seat at a table by the day. @param {{model: import("../store.js").TableModel, seat: number}} props */
export function SeatDays({ model, seat }) {
  const view = model.view.value;
  return view.clock.days ? <SeatDayClock view={view} seat={seat} /> : null;
}

/** A clock that counts down, at a live table. @param {{model: import("../store.js").TableModel, seat: number}} props */
export function Clock({ model, seat }) {
  const view = model.view.value;
  const left = view.clock.days ? null : timeLeft(model, seat, Date.now());
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

// What happened, in plain sentences; pointing at one shows the place on the map.

import { useEffect, useRef } from "preact/hooks";
import { t } from "../catalogue/index.js";
import { Chip } from "./art.js";
import { nameOf } from "./names.js";

/**
 * Events of the table itself, the same for every game.
 * @param {any} event @param {any} view
 * @returns {{text: string, seat?: number, place?: any} | null}
 */
export function tableSentence(event, view) {
  const known = ["time_ran_out", "seat_returned", "resigned", "paused", "resumed", "abandoned", "undone", "game_started"];
  if (!known.includes(event.event)) return null;
  const seat = event.seat;
  return { text: t(`event.${event.event}`, { name: seat === undefined ? "" : nameOf(view, seat) }), seat };
}

/**
 * @param {{model: import("../store.js").TableModel, scene: import("../pages/table.js").Scene, onPoint: (place: any) => void}} props
 */
export function Log({ model, scene, onPoint }) {
  const view = model.view.value;
  /** @type {import("preact").RefObject<HTMLOListElement>} */
  const list = useRef(null);
  const entries = model.log.value
    .map(({ event }, index) => ({ index, line: scene.sentence(event, view) ?? tableSentence(event, view) }))
    .filter(({ line }) => line);
  useEffect(() => {
    if (list.current) list.current.scrollTop = list.current.scrollHeight;
  }, [entries.length]);
  if (!entries.length) return <p class="empty muted">{t("log.empty")}</p>;
  return (
    <ol class="log" ref={list} tabIndex={0} aria-label={t("tab.log")}>
      {entries.map(({ index, line }) => (
        <li
          key={index}
          class={line?.place ? "placed" : ""}
          onMouseEnter={() => onPoint(line?.place ?? null)}
          onMouseLeave={() => onPoint(null)}
        >
          {line?.seat !== undefined ? <Chip seat={line.seat} size={20} /> : <span />}
          <span>{line?.text}</span>
        </li>
      ))}
    </ol>
  );
}

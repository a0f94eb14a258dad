// What happened, in plain sentences; pointing at one shows the place on the map.

import { Component } from "preact";
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
  const entries = model.log.value;
  /** @type {import("preact").RefObject<HTMLOListElement>} */
  const list = useRef(null);
  useEffect(() => {
    if (list.current) list.current.scrollTop = list.current.scrollHeight;
  }, [entries]);
  if (!entries.length) return <p class="empty muted">{t("log.empty")}</p>;
  const names = view.seats.map((/** @type {any} */ _, /** @type {number} */ seat) => nameOf(view, seat)).join("\n");
  return (
    <ol class="log" ref={list} tabIndex={0} aria-label={t("tab.log")}>
      {entries.map(({ key, event }) => (
        <Line key={key} event={event} names={names} view={view} scene={scene} onPoint={onPoint} />
      ))}
    </ol>
  );
}

/**
 * @typedef {object} LineProps
 * @property {any} event
 * @property {string} names of all seats
 * @property {any} view
 * @property {import("../pages/table.js").Scene} scene
 * @property {(place: any) => void} onPoint
 */

/**
 * One sentence. What happened does not change any more, only how people are called: a long log costs nothing to keep.
 * @extends {Component<LineProps>}
 */
class Line extends Component {
  /** @param {LineProps} next */
  shouldComponentUpdate(next) {
    return next.event !== this.props.event || next.names !== this.props.names;
  }

  render() {
    const { event, view, scene, onPoint } = this.props;
    const line = scene.sentence(event, view) ?? tableSentence(event, view);
    if (!line) return null;
    return (
      <li
        class={line.place ? "placed" : ""}
        onMouseEnter={() => onPoint(line.place ?? null)}
        onMouseLeave={() => onPoint(null)}
      >
        {line.seat !== undefined ? <Chip seat={line.seat} size={20} /> : <span />}
        <span>{line.text}</span>
      </li>
    );
  }
}

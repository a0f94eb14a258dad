// The log of events in plain sentences. Hovering a line highlights its place on the board.

import { Component } from "preact";
import { hasText, t } from "../catalogue/index.js";
import { Chip } from "./art.js";
import { nameOf, seatNames } from "./names.js";

/**
 * Return the line of an event of the table itself, which is the same for every game.
 * @param {any} event @param {any} view
 * @returns {{text: string, seat?: number, place?: any} | null}
 */
export function tableSentence(event, view) {
  const key = textKey(event);
  if (!hasText(key)) return null;
  const seat = event.seat;
  const name = seat === undefined ? "" : nameOf(view, seat);
  if (event.event === "time_ran_out" && event.stand_in) return { text: t("event.stood_in", { name, bot: t(`bot.stand_in.${event.stand_in}`) }), seat };
  return { text: t(key, { name }), seat };
}

/** Return the key of the text of a table event. Votes have a text for each subject. @param {any} event */
function textKey(event) {
  if (event.event === "voted") return `event.${event.agree ? "voted" : "vote_withdrawn"}.${event.on}`;
  if (event.event === "vote_declined") return `event.vote_declined.${event.on}`;
  return `event.${event.event}`;
}

/**
 * @param {{model: import("../store.js").TableModel, scene: import("../pages/table.js").Scene, onHighlight: (place: any) => void}} props
 */
export function Log({ model, scene, onHighlight }) {
  const view = model.view.value;
  const entries = model.log.value;
  if (!entries.length) return <p class="empty muted">{t("log.empty")}</p>;
  const names = seatNames(view);
  return (
    <div class="log" tabIndex={0} role="group" aria-label={t("tab.log")}>
      <div>
        {pages(entries).map((page) => (
          <Page key={Math.floor(page[0].key / PAGE)} entries={page} names={names} view={view} scene={scene} onHighlight={onHighlight} />
        ))}
      </div>
    </div>
  );
}

const PAGE = 25;

/** Return the entries in fixed pages, so that a new entry renders only the last page again. @param {Entry[]} entries */
function pages(entries) {
  /** @type {Entry[][]} */
  const found = [];
  for (const entry of entries) {
    const last = found.at(-1);
    if (last && Math.floor(last[0].key / PAGE) === Math.floor(entry.key / PAGE)) last.push(entry);
    else found.push([entry]);
  }
  return found;
}

/** @typedef {{key: number, event: any}} Entry */
/**
 * @typedef {object} PageProps
 * @property {Entry[]} entries
 * @property {string} names the names of all seats, joined
 * @property {any} view
 * @property {import("../pages/table.js").Scene} scene
 * @property {(place: any) => void} onHighlight
 */

/**
 * A page of the log. Entries never change, so it renders again only for new entries or changed names.
 * @extends {Component<PageProps>}
 */
class Page extends Component {
  /** @param {PageProps} next */
  shouldComponentUpdate(next) {
    const { entries, names } = this.props;
    return next.names !== names || next.entries.length !== entries.length || next.entries[0] !== entries[0];
  }

  render() {
    const { entries, view, scene, onHighlight } = this.props;
    return (
      <ol class="log-page">
        {entries.map(({ key, event }) => {
          const line = scene.sentence(event, view) ?? tableSentence(event, view);
          return line && <Line key={key} line={line} onHighlight={onHighlight} />;
        })}
      </ol>
    );
  }
}

/** @param {{line: {text: string, seat?: number, place?: any}, onHighlight: (place: any) => void}} props */
function Line({ line, onHighlight }) {
  return (
    <li class={line.place ? "placed" : ""} onMouseEnter={() => onHighlight(line.place ?? null)} onMouseLeave={() => onHighlight(null)}>
      {line.seat !== undefined ? <Chip seat={line.seat} size={20} /> : <span />}
      <span>{line.text}</span>
    </li>
  );
}

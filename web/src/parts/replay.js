// What every look back at a game shares: the table at a step, the lines of the step, and the places that they name.

import { TableModel } from "../store.js";
import { lineOf } from "./narration.js";

/** @typedef {import("../pages/table.js").Scene} Scene */
/** @typedef {import("./narration.js").Line} Line */

/** Return a model of the table at a step. It has no decision, so nothing can be picked. @param {TableModel} model @param {any} view */
export function pastModel({ id, key, socket }, view) {
  const past = new TableModel(id, key, socket);
  past.view.value = view.play?.decision ? { ...view, play: { ...view.play, decision: null } } : view;
  return past;
}

/**
 * Return the lines of a step, each with the index of its event.
 * @param {{events: any[], view: any}} step @param {Scene} scene @returns {(Line & {event: number})[]}
 */
export function linesOf({ events, view }, scene) {
  return events.flatMap((event, index) => {
    const line = lineOf(event, view, scene);
    return line ? [{ ...line, event: index }] : [];
  });
}

/** Return the places of all lines, by kind. @param {Line[]} lines */
export function placesOf(lines) {
  /** @type {Record<string, any[]>} */
  const all = {};
  for (const { place = {} } of lines) {
    for (const [kind, places] of Object.entries(place)) all[kind] = [...(all[kind] ?? []), ...places];
  }
  return all;
}

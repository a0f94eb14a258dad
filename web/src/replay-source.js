// Where a replay gets the game from: over the websocket, or, in a page that is embedded elsewhere and has neither a
// session nor a websocket, over plain HTTP. Both reply the same.

import { t } from "./catalogue/index.js";
import { Refusal } from "./refusal.js";

/** @typedef {import("./replay-steps.js").Eyes} Eyes */
/** @typedef {import("./replay-steps.js").Step} Step */
/** @typedef {{steps: import("./replay-timeline.js").TimelineStep[], last: number, log?: {step: number, at: number | null, events: any[]}[]}} Timeline */
/**
 * @typedef {object} ReplaySource
 * @property {() => Promise<{game: any, access: string, shared: string | null}>} game the record of the game
 * @property {(eyes: Eyes, logFrom?: number) => Promise<Timeline>} timeline the steps; with `logFrom` the log from a step on instead
 * @property {(step: number, eyes: Eyes, isByEvent?: boolean) => Promise<Step>} step by event: with the views between its events
 */

/**
 * @param {{request: (message: any) => Promise<any>}} socket @param {string} id @param {string | null} key
 * @returns {ReplaySource}
 */
export function socketSource(socket, id, key) {
  const about = { table: id, ...(key ? { key } : {}) };
  return {
    game: () => socket.request({ type: "get_game", ...about }),
    timeline: (eyes, logFrom) => socket.request({ type: "get_timeline", ...about, ...(logFrom === undefined ? {} : { eyes, log_from: logFrom }) }),
    step: (step, eyes, isByEvent) => socket.request({ type: "look_back", ...about, step, eyes, ...(isByEvent ? { between: true } : {}) }),
  };
}

/** @typedef {(path: string, options?: any) => Promise<{ok: boolean, json: () => Promise<any>}>} Send */

/** @type {Send} */
const send = (path, options) => fetch(path, options);

/** Return the body of a response; raise a `Refusal` if there is none. @param {ReturnType<Send>} response @returns {Promise<any>} */
async function bodyOf(response) {
  let answer;
  try {
    answer = await response;
  } catch {
    throw new Refusal({ code: "no_connection", sentence: t("replay.refused.no_connection") });
  }
  // A proxy may reply for the server, with a page of its own.
  const body = await answer.json().catch(() => null);
  if (!answer.ok || !body) throw new Refusal(body?.code ? body : { code: "failed", sentence: t("replay.refused.failed") });
  return body;
}

/** @param {string} id @param {string | null} key @param {Send} [get] @returns {ReplaySource} */
export function httpSource(id, key, get = send) {
  /** @param {string} path @param {Record<string, string | number | null | undefined>} [fields] */
  const read = (path, fields = {}) => {
    const given = Object.entries({ ...fields, key }).filter(([, value]) => value !== null && value !== undefined);
    const query = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString();
    return bodyOf(get(`/api/games/${id}${path}${query ? `?${query}` : ""}`));
  };
  return {
    game: () => read(""),
    timeline: (eyes, logFrom) => read("/timeline", logFrom === undefined ? {} : { eyes, log_from: logFrom }),
    step: (step, eyes, isByEvent) => read(`/steps/${step}`, { eyes, between: isByEvent ? 1 : null }),
  };
}

/** Return the address of the log of a game as a file. @param {string} id @param {string | null} key */
export function logFile(id, key) {
  return `/api/games/${id}/log${key ? `?key=${encodeURIComponent(key)}` : ""}`;
}

/** Send the text of a log file, and return the path of the game that it becomes. @param {string} text @param {Send} [post] */
export async function importLog(text, post = send) {
  const { table, key } = await bodyOf(post("/api/games", { method: "POST", body: text }));
  return `/g/${table}${key ? `#k=${key}` : ""}`;
}

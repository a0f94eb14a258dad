// What every part of the waiting room needs: the view, who the visitor is at this table, and how to send a request.

import { useEffect, useState } from "preact/hooks";
import { colour } from "../../parts/preferences.js";
import { useRequest } from "../../parts/use-request.js";
import { freeSeats } from "./status.js";

/**
 * @typedef {object} Room
 * @property {any} view
 * @property {any} game as the server describes it
 * @property {any} settings
 * @property {{id: string, name: string, handle?: string | null} | null} me
 * @property {import("../../store.js").TableModel} model
 * @property {{seats: string[], spectators: number, away: (number | null)[]} | null} presence
 * @property {boolean} isHost
 * @property {boolean} canChange whether the server lets the host change the settings
 * @property {boolean} canMove whether the server lets people move to another chair
 * @property {boolean} canTakeOver whether the server lets people take the chair of a bot
 * @property {boolean} isBarred whether the visitor has no chair and cannot take one, being a guest at a rated table
 * @property {number | null} wanted the chair on which "Sit down" puts the visitor
 * @property {boolean} isBusy
 * @property {string | null} refusal the server's sentence about the last request
 * @property {(type: string, fields?: object) => Promise<void>} act send a request about the table
 * @property {(work: () => Promise<any>) => Promise<void>} run
 * @property {(name: string) => Promise<void>} rename
 * @property {(seat: number | null, name?: string) => Promise<void>} sitDown
 */

/** Return the chair for somebody who just sits down: the preferred colour, else a free chair, else that of a bot. @param {any} view @param {boolean} canTakeOver */
export function wantedChair(view, canTakeOver) {
  if (view.mine !== null) return null;
  const free = freeSeats(view);
  if (free.includes(Number(colour.value))) return Number(colour.value);
  if (free.length) return free[0];
  const bot = view.seats.findIndex((/** @type {any} */ chair) => chair.bot);
  return canTakeOver && bot >= 0 ? bot : null;
}

/**
 * @param {{store: import("../../store.js").Store, socket: import("../../socket.js").Socket, model: import("../../store.js").TableModel}} props
 * @returns {Room}
 */
export function useRoom({ store, socket, model }) {
  const [run, { isBusy, refusal }] = useRequest();
  const [shown, setShown] = useState(/** @type {string | null} */ (null));
  const view = model.view.value;
  const me = store.me.value;
  const { settings } = view.table;
  // Servers that know these settings also know the requests that go with them.
  const isNew = "begin" in settings;
  const isBarred = view.mine === null && Boolean(settings.rated) && !me?.handle;
  useEffect(() => setShown(refusal), [refusal]);
  useEffect(() => {
    // A refusal is about the table as it was; it goes when the table changes.
    setShown(null);
  }, [view]);
  /** @param {string} name */
  const setName = async (name) => {
    const trimmed = name.trim();
    if (!trimmed || !me || trimmed === me.name) return;
    await store.rename(socket, trimmed);
  };
  return {
    view,
    me,
    model,
    settings,
    isBusy,
    refusal: shown,
    run,
    game: store.games.value.find(({ name }) => name === view.table.game),
    presence: model.presence.value,
    isHost: view.table.host === me?.id,
    canChange: isNew,
    canMove: isNew,
    canTakeOver: isNew && !isBarred,
    isBarred,
    wanted: isBarred ? null : wantedChair(view, isNew),
    act: (type, fields = {}) => run(() => model.request(type, fields)),
    rename: (name) => run(() => setName(name)),
    sitDown: (seat, name) =>
      run(async () => {
        if (name !== undefined) await setName(name);
        await model.request("take_seat", { ...(seat === null ? {} : { seat }), ...(model.key ? { key: model.key } : {}) });
      }),
  };
}

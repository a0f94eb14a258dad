// The record of the game that has just ended. The server makes it a moment after the end, so it is asked for a few times.

import { useEffect, useState } from "preact/hooks";

/** Milliseconds before each try; after the last one the page gives up. */
export const TRIES = [0, 400, 800, 1500, 3000, 5000, 8000, 12_000];

/** @typedef {{state: "pending" | "there" | "late" | "unknown", game: any}} GameRecord `unknown`: this server has no records */

/**
 * Ask for the record of a finished game until it is there.
 * @param {() => Promise<any>} ask
 * @param {(milliseconds: number) => Promise<void>} pause
 * @param {() => boolean} isWanted whether anybody still wants to know
 * @returns {Promise<GameRecord>}
 */
export async function findRecord(ask, pause, isWanted) {
  for (const milliseconds of TRIES) {
    await pause(milliseconds);
    if (!isWanted()) break;
    try {
      const { game } = await ask();
      return { state: "there", game };
    } catch (refusal) {
      if (/** @type {{code?: string}} */ (refusal).code === "unknown_request") return { state: "unknown", game: null };
    }
  }
  return { state: "late", game: null };
}

/**
 * Return the record of the game at a table that is over.
 * @param {import("../store.js").TableModel} model @param {boolean} isNeeded whether to ask for it at all
 * @returns {GameRecord}
 */
export function useGameRecord(model, isNeeded) {
  const [record, setRecord] = useState(/** @type {GameRecord} */ ({ state: "pending", game: null }));
  useEffect(() => {
    if (!isNeeded) return;
    let isShown = true;
    // Who sat there needs no key.
    const key = model.view.value.mine === null ? model.key : null;
    const ask = () => model.request("get_game", key ? { key } : {});
    const pause = (/** @type {number} */ milliseconds) => new Promise((resolve) => setTimeout(() => resolve(undefined), milliseconds));
    findRecord(ask, /** @type {any} */ (pause), () => isShown).then((found) => isShown && setRecord(found));
    return () => {
      isShown = false;
    };
  }, [model, isNeeded]);
  return record;
}

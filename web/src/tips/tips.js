// Tips in the first games of a title. This part is small and stands on the page of every table; what tips say and when,
// and how they are shown, is fetched at tables that have them.

import { useComputed } from "@preact/signals";
import { useEffect, useState } from "preact/hooks";
import { withTexts } from "../catalogue/index.js";
import { lazy } from "../parts/lazy.js";
import { isPlaying } from "./due.js";
import { FIRST_GAMES, asksForExperience, countTable, hasTips, markExperienced } from "./memory.js";

/** @typedef {import("../store.js").TableModel} TableModel */
/** @typedef {import("../store.js").Store} Store */

const CARD = withTexts(() => import("./card.js"), "tips");

/** @type {Record<string, () => Promise<{TIPS: import("./due.js").Tip[]}>>} */
const TIPS = {
  investors: withTexts(() => import("./investors.js"), "tips"),
  planners: withTexts(() => import("./planners.js"), "tips"),
  builders: withTexts(() => import("./builders.js"), "tips"),
};

/** The games for which the server has been asked during this visit. @type {Set<string>} */
const asked = new Set();

/** Return whether it is known that the visitor has not played enough games of a title on other devices. @param {Store} store @param {TableModel} model @param {string} game @param {boolean} isOn */
function useExperience(store, model, game, isOn) {
  const me = store.me.value;
  const isNeeded = isOn && asksForExperience() && Boolean(me?.handle) && !asked.has(game);
  const [isKnown, setKnown] = useState(!isNeeded);
  useEffect(() => {
    if (!isNeeded) return;
    asked.add(game);
    model.socket
      .request({ type: "list_games", people: [me?.id], game, limit: FIRST_GAMES })
      .then(({ games }) => games.length >= FIRST_GAMES && markExperienced(game))
      .catch(() => {})
      .finally(() => setKnown(true));
  }, [isNeeded]);
  return isKnown;
}

/** @param {{store: Store, model: TableModel}} props */
export function Tips({ store, model }) {
  const game = useComputed(() => model.view.value.table.game).value;
  const isSeated = useComputed(() => isPlaying(model.view.value)).value;
  useEffect(() => {
    if (isSeated) countTable(game, model.id);
  }, [isSeated, model]);
  const isOn = isSeated && hasTips(game, model.id);
  const isKnown = useExperience(store, model, game, isOn);
  if (!isOn || !isKnown) return null;
  const [card, tips] = [lazy(CARD), lazy(TIPS[game])];
  return card && tips && <card.TipCard model={model} tips={tips.TIPS} />;
}

// Tips in the first games of a title. This part is small and stands on the page of every table; what tips say and when,
// and how they are shown, is fetched at tables that have them.

import { useComputed } from "@preact/signals";
import { useEffect, useState } from "preact/hooks";
import { withTexts } from "../catalogue/index.js";
import { lazy } from "../parts/lazy.js";
import { isPlaying } from "./due.js";
import { hasPlayedEnough } from "./experience.js";
import { asksForExperience, countTable, hasTips, markExperienced } from "./memory.js";

/** @typedef {import("../store.js").TableModel} TableModel */
/** @typedef {import("../store.js").Store} Store */

const CARD = withTexts(() => import("./card.js"), "tips");

/** @type {Record<string, () => Promise<{TIPS: import("./due.js").Tip[]}>>} */
const TIPS = {
  investors: withTexts(() => import("./investors.js"), "tips"),
  planners: withTexts(() => import("./planners.js"), "tips"),
  builders: withTexts(() => import("./builders.js"), "tips"),
};

/** Return whether it is known how much the visitor has played, as far as that matters. @param {Store} store @param {TableModel} model @param {string} game @param {boolean} isOn */
function useExperience(store, model, game, isOn) {
  const { handle, id } = store.me.value ?? {};
  const isNeeded = isOn && asksForExperience() && Boolean(handle && id);
  const [isKnown, setKnown] = useState(false);
  useEffect(() => {
    if (!isNeeded || !id) return;
    hasPlayedEnough(model.socket, id, game).then((isEnough) => {
      if (isEnough) markExperienced(game);
      setKnown(true);
    });
  }, [isNeeded]);
  return isKnown || !isNeeded;
}

/** @param {{store: Store, model: TableModel}} props */
export function Tips({ store, model }) {
  const game = useComputed(() => model.view.value.table.game).value;
  const isSeated = useComputed(() => isPlaying(model.view.value)).value;
  useEffect(() => {
    if (isSeated) countTable(game, model.id);
  }, [isSeated, model]);
  const isOn = game in TIPS && isSeated && store.me.value !== null && hasTips(game, model.id);
  const isKnown = useExperience(store, model, game, isOn);
  if (!isOn || !isKnown) return null;
  const [card, tips] = [lazy(CARD), lazy(TIPS[game])];
  return card && tips && <card.TipCard model={model} tips={tips.TIPS} />;
}

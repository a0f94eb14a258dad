// What the viewer did on each card of this year, read from the events that the page knows.

import { computed } from "@preact/signals";
import { useMemo } from "preact/hooks";
import { t } from "../../catalogue/index.js";
import { YEAR_BOARD } from "./game-data.js";
import { dollars, plotShort } from "./labels.js";

/**
 * Return what the viewer did on each card, the same object until that changes: chat is in the log too.
 * @param {import("../../store.js").TableModel} model
 */
export function useOwnActions(model) {
  const texts = useMemo(() => computed(() => JSON.stringify([...ownActions(model.log.value, model.gameView.value)])), [model]).value;
  return useMemo(() => new Map(/** @type {[number, string][]} */ (JSON.parse(texts))), [texts]);
}

/**
 * Return the text of the viewer's last action on each card since the pawns left the year board.
 * @param {{event: any}[]} log oldest first @param {any} view
 * @returns {Map<number, string>}
 */
export function ownActions(log, view) {
  /** @type {Map<number, string>} */
  const found = new Map();
  if (view.mine === null) return found;
  /** The area of the pawn that moved last, and of the viewer's own. @type {number | null} */
  let lastArea = null;
  let area = null;
  let action = "";
  for (const { event } of log) {
    // On the year board, the cards of the year before are still shown.
    if (event.event === "pawn_placed") {
      if (event.area === 1 && lastArea !== 1) found.clear();
      lastArea = event.area;
    }
    if (event.seat !== view.mine) continue;
    if (event.event === "pawn_placed") area = event.area;
    if (area === null || area === YEAR_BOARD) continue;
    if (event.event === "action_chosen") found.set(area, t(`builders.did.${(action = event.action)}`));
    if (event.event === "built") found.set(area, t("builders.did.built", { plot: plotShort(view.play.game, event.plot) }));
    if (event.event === "money_gained" && event.why === "income" && action === "income") found.set(area, t("builders.did.took", { amount: dollars(event.amount) }));
  }
  return found;
}

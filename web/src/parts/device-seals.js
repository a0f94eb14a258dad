// What players read at a table whose sealed answers stay on the devices until all have answered.

import { t } from "../catalogue/index.js";
import { heldCommitment } from "../fairness/held.js";
import { formatNames } from "./names.js";

/** Return whether the sealed answers of a view are being opened: nobody decides meanwhile. @param {any} view */
export const isOpening = (view) => Boolean(view.play?.decision?.opening);

/** Return the sentence about the own answer that the server does not have; null if there is none. @param {any} view */
export function sealNote(view) {
  const decision = view.play?.decision;
  if (heldCommitment(decision) === null || decision.opening) return null;
  return t(decision.answer ? "seal.here" : "seal.elsewhere");
}

/** Return what the bar of the decision says while the sealed answers are opened. @param {any} view @returns {{title: string, more: string}} */
export function openingText(view) {
  const { decision } = view.play;
  const { awaited } = decision;
  const isElsewhere = heldCommitment(decision) !== null && !decision.answer;
  return {
    title: t("seal.opening"),
    more: isElsewhere ? t("seal.opening.elsewhere") : t("seal.opening.awaited", { names: formatNames(view, awaited) }),
  };
}

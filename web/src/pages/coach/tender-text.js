// Words for the tenders by sealed cards, and what is pure about them.

import { t } from "../../catalogue/index.js";
import { capitalize } from "../../parts/names.js";
import { actionName, actionSymbol, targetText } from "../../scenes/investors/labels.js";

/** @typedef {import("../../coach-model.js").Tender} Tender */

/** Return the tender in which a card was sealed: the first that was revealed at that step or after it. @param {Tender[]} tenders @param {number} step */
export function tenderOf(tenders, step) {
  return tenders.find((tender) => tender.step >= step) ?? null;
}

/** "Market", or the name of an action card. @param {Tender} tender */
export function tenderName({ target, action }) {
  if (action) return actionName(action);
  return target ? capitalize(targetText(target)) : "";
}

/** Return the symbol of what was won. @param {Tender} tender */
export function tenderSymbol({ target, action }) {
  if (action) return actionSymbol(action);
  return target === "edge" ? "target-edge" : `${target}-built`;
}

/** Return what a grade says: "3 too many". @param {{grade: string, count: number}} found */
export function gradeText({ grade, count }) {
  return t(`coach.grade.${grade}`, { count });
}

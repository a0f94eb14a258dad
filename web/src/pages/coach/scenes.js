// What the coach shows of each game, fetched with its texts when a game has been analysed.

import { withTexts } from "../../catalogue/index.js";

/**
 * The part of the coach that depends on the game. It draws positions and names commands; it contains no rules.
 * @typedef {object} CoachScene
 * @property {(command: any, view: any, seat: number) => string} commandText what a command does, as a sentence without a person
 * @property {(props: {command: any, view: any, seat: number}) => any} Picture a small drawing of a command; null where there is none
 * @property {(props: {point: import("../../coach-model.js").TurningPoint, view: any, seat: number, findings: import("../../coach-model.js").Findings}) => any} Place
 *   the place of a turning point, or what else shows it; null where there is none
 * @property {(point: import("../../coach-model.js").TurningPoint, findings: import("../../coach-model.js").Findings) => boolean} hasPlace
 * @property {boolean} isWide whether the drawing of a place needs the width of a card
 * @property {(amount: number, command: any) => string} priceText what was paid with a command
 * @property {(props: {view: any, findings: import("../../coach-model.js").Findings, seat: number}) => any} [Tenders] all sealed bids
 */

/** @type {Record<string, () => Promise<{coach: CoachScene}>>} */
export const COACH_SCENES = {
  investors: withTexts(() => import("./investors.js"), "coach", "investors", "reader"),
  planners: withTexts(() => import("./planners.js"), "coach", "planners", "reader"),
  builders: withTexts(() => import("./builders.js"), "coach", "builders", "reader"),
};

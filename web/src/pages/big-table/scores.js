// Scores of games that count whole points.

import { pointsText } from "../../parts/points-text.js";

/** @param {number[]} values @returns {import("../big-table.js").Score[]} */
export const plainScores = (values) => values.map((value) => ({ value, text: pointsText(value) }));

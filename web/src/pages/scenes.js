// The scene of each game, fetched with its texts when a table of the game is opened.

import { withTexts } from "../catalogue/index.js";

/** @type {Record<string, () => Promise<{scene: import("./table.js").Scene}>>} */
export const SCENES = {
  investors: withTexts(() => import("../scenes/investors.js"), "investors", "reader"),
  planners: withTexts(() => import("../scenes/planners.js"), "planners", "reader"),
  builders: withTexts(() => import("../scenes/builders.js"), "builders", "reader"),
};

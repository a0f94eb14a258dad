// The scene of each game, fetched when a table of the game is opened.

/** @type {Record<string, () => Promise<{scene: import("./table.js").Scene}>>} */
export const SCENES = {
  investors: () => import("../scenes/investors.js"),
  planners: () => import("../scenes/planners.js"),
  builders: () => import("../scenes/builders.js"),
};

// Reads games from a file, and prints the tips of each game, and when each of them is due for the first time in each game
// of the file. test_golden_tips.py writes the file and runs this script.

import { readFileSync } from "node:fs";

import { TIPS as builders } from "../../web/src/tips/builders.js";
import { dueTip } from "../../web/src/tips/due.js";
import { TIPS as investors } from "../../web/src/tips/investors.js";
import { TIPS as planners } from "../../web/src/tips/planners.js";

const tips = { builders, investors, planners };

/** Return the tips in the order in which they are due, with the number of the update; one at most for each update. */
function shownIn({ game, updates }) {
  const shown = [];
  for (const { number, view, events } of updates) {
    const due = dueTip(tips[game], view, events, shown.map(({ id }) => id));
    if (due) shown.push({ id: due.id, number });
  }
  return shown;
}

const games = JSON.parse(readFileSync(process.argv[2], "utf-8"));
const listed = Object.fromEntries(Object.entries(tips).map(([game, all]) => [game, all.map(({ id, rule }) => ({ id, rule }))]));
console.log(JSON.stringify({ tips: listed, shown: games.map(shownIn) }));

// Investors in small: the city with its sticks.

import { t } from "../../catalogue/index.js";
import { plainScores } from "./scores.js";
import { CityMap } from "../../scenes/investors/map.js";
import "../../style/investors-board.css";
import "../../style/investors-city.css";

/** @type {import("../big-table.js").SmallScene} */
export const scene = {
  City: ({ view }) => <CityMap view={view} />,
  progress: ({ round }) => t("progress.investors", { round }),
  points: ({ seats }) => plainScores(seats.map((/** @type {any} */ seat) => seat.prestige)),
};

// Builders in small: the city with its houses.

import { t } from "../../catalogue/index.js";
import { plainScores } from "./scores.js";
import { City } from "../../scenes/builders/city.js";
import "../../style/builders-pieces.css";
import "../../style/builders-city.css";

/** @type {import("../big-table.js").SmallScene} */
export const scene = {
  City: ({ view }) => <City view={view} />,
  progress: ({ year }) => t("progress.builders", { year }),
  points: ({ seats }) =>
    plainScores(
      seats.map((/** @type {any} */ seat) => /** @type {number[]} */ (Object.values(seat.points)).reduce((sum, part) => sum + part, 0)),
    ),
};

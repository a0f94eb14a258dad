// The figures in the rules of Planners.

import { City } from "../../scenes/planners/city.js";
import { interactionOf } from "../../scenes/planners/interaction.js";
import { Market } from "../../scenes/planners/market.js";
import "../../style/planners-cards.css";
import "../../style/planners-city.css";
import "../../style/planners-market.css";
import "../../style/planners-standings.css";
import positions from "./planners.json";
import { viewOf } from "./figure-view.js";

const nothing = () => {};

/** @param {{figure: any}} props */
function Columns({ figure }) {
  const view = viewOf("planners", figure);
  return (
    <div class="figure-market">
      <Market view={view} interaction={interactionOf(view, {})} onColumn={nothing} onDeck={nothing} />
    </div>
  );
}

/** The city of the first seat. @param {{figure: any}} props */
function OneCity({ figure }) {
  const view = viewOf("planners", figure);
  return (
    <div class="figure-pl-city">
      <City view={view} seat={0} isSmall />
    </div>
  );
}

/** @type {Record<string, import("../figures.js").Figure>} */
export const FIGURES = {
  columns: { ...positions.columns, Drawing: Columns },
  cable_cars: { ...positions.cable_cars, Drawing: OneCity },
  skyscraper: { ...positions.skyscraper, Drawing: OneCity },
  compasses: { ...positions.compasses, Drawing: OneCity },
};

// The figures in the rules of Investors.

import { CityMap, FRAME } from "../../scenes/investors/map.js";
import { districtBox } from "../../scenes/investors/city.js";
import { mapInteraction } from "../../scenes/investors/map-interaction.js";
import { RevealedRow, revealOf } from "../../scenes/investors/reveal.js";
import "../../style/investors-board.css";
import "../../style/investors-city.css";
import "../../style/investors-reveal.css";
import "../../style/reveal.css";
import positions from "./investors.json";
import { viewOf } from "./figure-view.js";

/** The space around districts that a figure shows: their streets, and a little of the next districts. */
const AROUND = 26;

/** The part of the city around the districts from the first to the last of an area. @param {{figure: any}} props */
function CityPart({ figure }) {
  const view = viewOf("investors", figure);
  const [first, last] = figure.area.map(districtBox);
  const [x, y] = [first.x - AROUND, first.y - AROUND];
  const [width, height] = [last.x + last.width + AROUND - x, last.y + last.height + AROUND - y];
  const percent = (/** @type {number} */ part, /** @type {number} */ whole) => `${(100 * part) / whole}%`;
  return (
    <div class="figure-city-part" style={{ aspectRatio: `${width} / ${height}` }}>
      <div style={{ width: percent(FRAME.width, width), left: percent(FRAME.x - x, width), top: percent(FRAME.y - y, height) }}>
        <CityMap view={view} />
      </div>
    </div>
  );
}

/** The whole city with the streets that can be chosen. @param {{figure: any}} props */
function OpenedCity({ figure }) {
  const view = viewOf("investors", figure);
  const target = view.play.game.stage.rights[0].target;
  return (
    <div class="figure-city">
      <CityMap view={view} interaction={mapInteraction(view, {})} kinds={new Set([target])} />
    </div>
  );
}

/** @param {{figure: any}} props */
function Revealed({ figure }) {
  const view = viewOf("investors", figure);
  const reveal = revealOf(figure.events, view);
  return <div class="figure-reveal">{reveal && <RevealedRow view={view} shown={reveal.shown} />}</div>;
}

/** @type {Record<string, import("../figures.js").Figure>} */
export const FIGURES = {
  equal_cards: { ...positions.equal_cards, Drawing: Revealed },
  majority: { ...positions.majority, Drawing: CityPart },
  landmarks: { ...positions.landmarks, Drawing: CityPart },
  opened_streets: { ...positions.opened_streets, Drawing: OpenedCity },
};

// The plot cards in the settings of a table: a small drawing of each, with the rubble of the side that is chosen.

import { t } from "../../catalogue/index.js";
import { formatList } from "../../parts/names.js";
import { CARD_COLUMNS, CARD_PLOTS, PLOT_CARDS } from "../../scenes/builders/game-data.js";
import { landText } from "../../scenes/builders/labels.js";
import { PlacedSymbol, Plot } from "./drawing-builders.js";

const SIZE = 20;
const PITCH = SIZE + 2;

/** Return a plot card and its rubble on a side; none on a side that is drawn by lot. @param {string} id @param {string} side */
function lying(id, side) {
  const card = /** @type {{plots: any[][], rubble: Record<string, number[]>}} */ (PLOT_CARDS.get(id));
  return { plots: card.plots, rubble: card.rubble[side] ?? [] };
}

/** Return a plot card and its rubble in words. @param {string} id @param {string} side */
export function textOf(id, side) {
  const { plots, rubble } = lying(id, side);
  const number = [...PLOT_CARDS.keys()].indexOf(id) + 1;
  if (!rubble.length) return t("builders.side.by_lot", { number });
  return t("builders.side.rubble", { number, plots: formatList(rubble.map((plot) => landText(plots[plot][0], plots[plot][1]))) });
}

/** A plot card. @param {{thing: string, value: string}} props */
export function Picture({ thing, value }) {
  const { plots, rubble } = lying(thing, value);
  return (
    <svg class="plot-card-picture" viewBox={`-1 -1 ${CARD_COLUMNS * PITCH} ${(CARD_PLOTS / CARD_COLUMNS) * PITCH}`} width="44" aria-hidden="true">
      {plots.map(([colour, number], plot) => (
        <Plot
          key={plot}
          x={(plot % CARD_COLUMNS) * PITCH}
          y={Math.floor(plot / CARD_COLUMNS) * PITCH}
          size={SIZE}
          colour={colour}
          number={rubble.includes(plot) ? undefined : number}
        >
          {rubble.includes(plot) && <PlacedSymbol name="rubble" x={1} y={1} width={SIZE - 2} height={SIZE - 2} />}
        </Plot>
      ))}
    </svg>
  );
}

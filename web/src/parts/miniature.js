// The city of a running table in small, as tiles in the colours of their owners. It knows the public view and the shape
// of each city, and loads nothing of a game's scene.

import { t } from "../catalogue/index.js";
import { SEAT_COLOURS } from "./art.js";
import { pointsText } from "./points-text.js";
import "../style/miniature.css";

/** @typedef {{value: number, text: string}} Score */
/**
 * @typedef {object} Miniature
 * @property {(props: {game: any, label: string}) => any} Map
 * @property {(game: any) => string} progress the round or year
 * @property {(game: any) => Score[] | null} points by seat; null while nobody can have any
 */

/** @param {number} owner a seat, or negative for nobody */
const ownerClass = (owner) => (owner >= 0 ? `mini-${SEAT_COLOURS[owner]}` : "");

/** @param {number[]} values @returns {Score[]} */
const plainScores = (values) => values.map((value) => ({ value, text: pointsText(value) }));

// -- Investors: 7 by 5 districts; streets 0 to 41 along the tops, 42 to 81 along the left sides -----------------------

const WHITE = -2;

/** @param {{game: any, label: string}} props */
function InvestorsMap({ game, label }) {
  const [tile, pitch, edge] = [24, 31, 9];
  return (
    <svg class="miniature" viewBox={`0 0 ${7 * pitch - 7 + 2 * edge} ${5 * pitch - 7 + 2 * edge}`} role="img" aria-label={label}>
      {game.layout.map((/** @type {string} */ kind, /** @type {number} */ district) => (
        <rect
          key={district}
          class={`mini-tile ${ownerClass(game.rebuilt[district])} ${kind === "park" ? "mini-park" : ""}`}
          x={edge + (district % 7) * pitch}
          y={edge + Math.floor(district / 7) * pitch}
          width={tile}
          height={tile}
          rx="3"
        />
      ))}
      {game.sticks.map((/** @type {number} */ owner, /** @type {number} */ street) => {
        if (owner < 0 && owner !== WHITE) return null;
        const isFlat = street < 42;
        const [index, across] = isFlat ? [street, 7] : [street - 42, 8];
        const [x, y] = [edge + (index % across) * pitch, edge + Math.floor(index / across) * pitch];
        const box = isFlat ? { x, y: y - 6, width: tile, height: 5 } : { x: x - 6, y, width: 5, height: tile };
        return <rect key={`s${street}`} class={`mini-stick ${ownerClass(owner)}`} {...box} rx="1.500" />;
      })}
    </svg>
  );
}

// -- Planners: a city of 5 by 5 spaces for each seat; a row is a district ----------------------------------------------

/** @param {{game: any, label: string}} props */
function PlannersMap({ game, label }) {
  const [tile, pitch, gap] = [11, 13, 12];
  const side = 5 * pitch - 2;
  const across = game.seats.length > 3 ? 2 : game.seats.length;
  const rows = Math.ceil(game.seats.length / across);
  return (
    <svg
      class="miniature"
      viewBox={`0 0 ${across * (side + gap) + gap} ${rows * (side + gap) + gap}`}
      role="img"
      aria-label={label}
    >
      {game.seats.map((/** @type {any} */ own, /** @type {number} */ seat) => (
        <g key={seat} transform={`translate(${gap + (seat % across) * (side + gap)} ${gap + Math.floor(seat / across) * (side + gap)})`}>
          <rect class={`mini-frame ${ownerClass(seat)}`} x="-4" y="-4" width={side + 8} height={side + 8} rx="4" />
          {own.cards.map((/** @type {number} */ card, /** @type {number} */ space) => (
            <rect
              key={space}
              class={`mini-tile ${card ? ownerClass(seat) : ""}`}
              x={(space % 5) * pitch}
              y={Math.floor(space / 5) * pitch}
              width={tile}
              height={tile}
              rx="1.500"
            />
          ))}
          {own.towers.map((/** @type {number} */ space) => (
            <rect key={`t${space}`} class="mini-tower" x={(space % 5) * pitch + 3.5} y={Math.floor(space / 5) * pitch + 2} width="4" height="7" />
          ))}
        </g>
      ))}
    </svg>
  );
}

// -- Builders: a grid of cards with 2 by 3 plots each --------------------------------------------------------------------

/** @param {{game: any, label: string}} props */
function BuildersMap({ game, label }) {
  const [columns, rows] = game.city.grid;
  const [tile, pitch, street] = [16, 18, 7];
  const [cardWidth, cardHeight] = [2 * pitch + street, 3 * pitch + street];
  const ruins = new Set(game.city.rubble);
  return (
    <svg class="miniature" viewBox={`0 0 ${columns * cardWidth + street} ${rows * cardHeight + street}`} role="img" aria-label={label}>
      {game.city.owners.map((/** @type {number} */ owner, /** @type {number} */ plot) => {
        const [card, inside] = [Math.floor(plot / 6), plot % 6];
        const x = street + (card % columns) * cardWidth + (inside % 2) * pitch;
        const y = street + Math.floor(card / columns) * cardHeight + Math.floor(inside / 2) * pitch;
        return (
          <g key={plot}>
            <rect class={`mini-tile ${ownerClass(owner)}`} x={x} y={y} width={tile} height={tile} rx="2" />
            {owner < 0 && ruins.has(plot) && <path class="mini-rubble" d={`M${x + 4} ${y + 11.5}l3-5 2 3 2-4 2 6z`} />}
          </g>
        );
      })}
    </svg>
  );
}

/** @type {Record<string, Miniature>} */
export const MINIATURES = {
  investors: {
    Map: InvestorsMap,
    progress: ({ round }) => t("progress.investors", { round }),
    points: ({ seats }) => plainScores(seats.map((/** @type {any} */ seat) => seat.prestige)),
  },
  planners: {
    Map: PlannersMap,
    progress: ({ deck }) => t("progress.planners", { count: deck }),
    // Before the first card nobody is ahead, though the ranks of empty districts would give points.
    points: ({ seats }) =>
      seats.some((/** @type {any} */ seat) => seat.cards.some(Boolean))
        ? seats.map((/** @type {any} */ seat) => ({ value: seat.points, text: pointsText(seat.points, 2) }))
        : null,
  },
  builders: {
    Map: BuildersMap,
    progress: ({ year }) => t("progress.builders", { year }),
    points: ({ seats }) =>
      plainScores(
        seats.map((/** @type {any} */ seat) => /** @type {number[]} */ (Object.values(seat.points)).reduce((sum, part) => sum + part, 0)),
      ),
  },
};

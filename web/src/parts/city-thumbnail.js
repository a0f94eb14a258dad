// A small drawing of the final city of a finished game, as tiles in the colours of their owners. The data is `city` of
// the game's record: strings with one character for each tile. A shape that this page does not know becomes the sign of
// the game.

import { memo } from "./memo.js";
import { SEAT_COLOURS } from "./art.js";
import { GameBadge } from "./site-art.js";
import "../style/thumbnail.css";

/** All drawings have this size, so that rows of a list line up. */
const [WIDTH, HEIGHT] = [84, 60];

/** Return the class of an owner: a seat, or any other character for nobody. @param {string} sign */
function ownerClass(sign) {
  const colour = SEAT_COLOURS[Number.parseInt(sign, 10)];
  return colour ? `thumb-${colour}` : "";
}

/** Investors: 7 by 5 districts, with sticks between them (0 to 41 along the tops, 42 to 81 along the left sides). @param {any} city */
function investors({ tiles, sticks = "" }) {
  const [pitch, tile, left, top] = [11, 8.5, 4.800, 4];
  return (
    <>
      {[...tiles].map((sign, index) => (
        <rect
          key={index}
          class={`thumb-tile ${sign === "p" ? "thumb-park" : ownerClass(sign)}`}
          x={left + (index % 7) * pitch}
          y={top + Math.floor(index / 7) * pitch}
          width={tile}
          height={tile}
          rx="1.200"
        />
      ))}
      {[...sticks].map((sign, street) => {
        if (sign === ".") return null;
        const isFlat = street < 42;
        const [index, across] = isFlat ? [street, 7] : [street - 42, 8];
        const [x, y] = [left + (index % across) * pitch, top + Math.floor(index / across) * pitch];
        const box = isFlat ? { x, y: y - 2.1, width: tile, height: 1.700 } : { x: x - 2.1, y, width: 1.700, height: tile };
        return <rect key={`s${street}`} class={`thumb-stick ${ownerClass(sign)}`} {...box} />;
      })}
    </>
  );
}

/** Planners: the city of one seat, 5 by 5 cards; a row is a district. @param {any} city @param {number} seat */
function planners({ cities }, seat) {
  const [pitch, row, width, height] = [15.400, 11, 13.800, 9.200];
  return [...(cities[seat] ?? cities[0])].map((sign, space) => {
    const [x, y] = [4 + (space % 5) * pitch, 3.400 + Math.floor(space / 5) * row];
    return (
      <g key={space}>
        <rect class={`thumb-tile ${sign === "." ? "" : `thumb-district-${Math.floor(space / 5)}`}`} x={x} y={y} width={width} height={height} rx="1.500" />
        {sign === "t" && <path class="thumb-tower" d={`M${x + 4.500} ${y + 8.200}v-4.200h1.200v-2.400h2.400v2.400h1.200v4.200z`} />}
      </g>
    );
  });
}

/** Builders: a grid of cards with 2 by 3 plots each. @param {any} city */
function builders({ grid: [columns, rows], plots }) {
  const gap = 1.600;
  const scale = Math.min((WIDTH - 6) / (columns * 2), (HEIGHT - 6) / (rows * 3));
  const [left, top] = [(WIDTH - columns * 2 * scale) / 2, (HEIGHT - rows * 3 * scale) / 2];
  return [...plots].map((sign, plot) => {
    const [card, inside] = [Math.floor(plot / 6), plot % 6];
    const x = left + ((card % columns) * 2 + (inside % 2)) * scale;
    const y = top + (Math.floor(card / columns) * 3 + Math.floor(inside / 2)) * scale;
    return (
      <rect
        key={plot}
        class={`thumb-tile ${sign === "r" ? "thumb-rubble" : ownerClass(sign)}`}
        x={x + gap / 2}
        y={y + gap / 2}
        width={scale - gap}
        height={scale - gap}
        rx="1.200"
      />
    );
  });
}

/** @type {Record<string, (city: any, seat: number) => any>} */
const DRAWINGS = { investors, planners, builders };

/** Return whether the data of a city has the shape that its drawing needs. @param {string} game @param {any} city */
export function isDrawable(game, city) {
  if (!city) return false;
  if (game === "investors") return typeof city.tiles === "string" && city.tiles.length === 35;
  if (game === "planners") return Array.isArray(city.cities) && city.cities.length > 0 && city.cities.every((/** @type {any} */ each) => typeof each === "string" && each.length === 25);
  if (game === "builders") return Array.isArray(city.grid) && typeof city.plots === "string" && city.plots.length === city.grid[0] * city.grid[1] * 6;
  return false;
}

/**
 * The drawing is hidden from screen readers: the row beside it says everything.
 */
export const CityThumbnail = memo(function CityThumbnail(/** @type {{game: string, city: any, seat?: number}} */ { game, city, seat = 0 }) {
  if (!isDrawable(game, city)) {
    return (
      <span class="thumbnail thumbnail-badge">
        <GameBadge game={game} size={40} />
      </span>
    );
  }
  return (
    <svg class="thumbnail" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} width={WIDTH} height={HEIGHT} aria-hidden="true">
      {DRAWINGS[game](city, seat)}
    </svg>
  );
});

// The drawings of pages outside the tables, which do not load the symbol sheets of the games.

import site from "../art/site.svg";
import { SEAT_COLOURS, symbolsFrom } from "./art.js";

const { Symbol } = symbolsFrom(site);

/** The town hall. @param {{size: number}} props */
export function Logo({ size }) {
  return <Symbol name="hall-built" width={size} class="logo" />;
}

/** The sign of a game. @param {{game: string, size?: number}} props */
export function GameBadge({ game, size = 40 }) {
  return <Symbol name={`badge-${game}`} width={size} class="game-badge" />;
}

/** The chip of a seat, as at the table. @param {{seat: number, size?: number}} props */
export function SeatChip({ seat, size = 18 }) {
  return <Symbol name={`chip-${SEAT_COLOURS[seat]}`} width={size} class="seat-chip" />;
}

// The cards and boards of the game, read from the data files of the rules. Views refer to them by number or id.

import actionCards from "../../../../server/games/builders/action_cards.json";
import boards from "../../../../server/games/builders/boards.json";
import developmentCards from "../../../../server/games/builders/development_cards.json";
import goals from "../../../../server/games/builders/goals.json";
import permits from "../../../../server/games/builders/permits.json";
import plotCards from "../../../../server/games/builders/plot_cards.json";

/** @typedef {{colour: string | null, number: number | null, symbols: string[]}} Permit a wild permit has neither colour nor number */
/** @typedef {{action: string, amount?: number}} Space */
/** @typedef {{year: number, build_cost: number, given: string[], choice: string[], money?: {fixed: number, per_building: number}}} Year */

export const AREAS = 6;
export const BUILDINGS = 8;
export const MAX_PERMITS = 5;
export const YEAR_BOARD = 0;
export const BLIND = "blind";
/** The plot of a clean-up that only takes the step. */
export const NO_PLOT = -1;
export const SYMBOLS = ["light", "tram", "hydrant", "park"];
export const CARD_COLUMNS = plotCards.columns;
const CARD_ROWS = plotCards.rows;
export const CARD_PLOTS = CARD_COLUMNS * CARD_ROWS;

export const INCOME_SPACES = boards.year_board.income_spaces;
/** @type {Year[]} */
export const YEARS = boards.year_board.years;
export const LAST_YEAR = YEARS[YEARS.length - 1].year;

export const LIGHT_POINTS = developmentCards.light.points;
export const TRAM = developmentCards.tram;
export const HYDRANT_POINTS = developmentCards.hydrant.points;

/**
 * Return data with the numbers by which a game is played: it keeps those of the rules that it was begun with. Earlier
 * numbers are listed from the oldest.
 * @template {{earlier: {until_rules: number}[]}} Data
 * @param {Data} data @param {any} game @returns {Data}
 */
function asOf(data, { rules }) {
  return { ...data, ...data.earlier.find(({ until_rules }) => rules <= until_rules) };
}

/** Return the bars of the development board, and its points by steps from the start. @param {any} game */
export function developmentBoard(game) {
  return asOf(boards, game).development_board;
}

/** Return the points of a field of the development board. @param {any} game @param {number} column @param {number} row */
export function fieldPoints(game, column, row) {
  return developmentBoard(game).points_by_steps[column + row];
}

/** Return the points of each sum of money at the end. @param {any} game */
export function moneyPoints(game) {
  return asOf(boards, game).money_track.points;
}

/** The plots of each card, as colours and numbers, and those with rubble on each side. @type {Map<string, {id: string, plots: any[][], rubble: Record<string, number[]>}>} */
export const PLOT_CARDS = new Map(plotCards.cards.map((card) => [card.id, card]));

/** Return the colour and number of a plot. @param {any} game @param {number} plot @returns {{colour: string, number: number}} */
export function plotOf(game, plot) {
  const [id] = game.city.cards[Math.floor(plot / CARD_PLOTS)];
  const [colour, number] = /** @type {{plots: any[][]}} */ (PLOT_CARDS.get(id)).plots[plot % CARD_PLOTS];
  return { colour, number };
}

/** Return the row and column of a plot in the city. @param {any} game @param {number} plot */
function plotAt({ city: { grid } }, plot) {
  const [card, inside] = [Math.floor(plot / CARD_PLOTS), plot % CARD_PLOTS];
  return {
    row: Math.floor(card / grid[0]) * CARD_ROWS + Math.floor(inside / CARD_COLUMNS),
    column: (card % grid[0]) * CARD_COLUMNS + (inside % CARD_COLUMNS),
  };
}

/** Return a function that returns the position of a plot in reading order. @param {any} game */
export function plotOrder(game) {
  const across = game.city.grid[0] * CARD_COLUMNS;
  return (/** @type {number} */ plot) => {
    const { row, column } = plotAt(game, plot);
    return row * across + column;
  };
}

/** Return the plots of each row of the city, from the left. @param {any} game @returns {number[][]} */
export function plotRows(game) {
  const order = plotOrder(game);
  const plots = Array.from({ length: game.city.cards.length * CARD_PLOTS }, (_, plot) => plot).sort((one, other) => order(one) - order(other));
  const across = game.city.grid[0] * CARD_COLUMNS;
  return Array.from({ length: plots.length / across }, (_, row) => plots.slice(row * across, (row + 1) * across));
}

/**
 * Return the neighbour of a plot in the direction of an arrow key, across streets; null beyond the edge.
 * @param {any} game @param {number} plot @param {string} arrow the key that was pressed
 */
export function neighbourPlot(game, plot, arrow) {
  const [columns, rows] = game.city.grid;
  let { row, column } = plotAt(game, plot);
  if (arrow === "ArrowLeft") column -= 1;
  if (arrow === "ArrowRight") column += 1;
  if (arrow === "ArrowUp") row -= 1;
  if (arrow === "ArrowDown") row += 1;
  if (column < 0 || row < 0 || column >= columns * CARD_COLUMNS || row >= rows * CARD_ROWS) return null;
  const place = Math.floor(row / CARD_ROWS) * columns + Math.floor(column / CARD_COLUMNS);
  return place * CARD_PLOTS + (row % CARD_ROWS) * CARD_COLUMNS + (column % CARD_COLUMNS);
}

/** @param {number} number @returns {Permit} */
export function permitOf(number) {
  return permits.permits[number];
}

/** Return the spaces of the action card of an area, from the left. @param {any} game @param {number} area @returns {Space[]} */
export function spacesOf(game, area) {
  const card = game.action_cards[area - 1];
  const found = asOf(actionCards, game).cards.find(({ id }) => id === card);
  if (!found) throw new Error(`no action card is called ${card}`);
  return game.seats.length === 2 ? found.two : found.more;
}

/** @param {number} year @returns {Year} */
export function yearOf(year) {
  return YEARS[year - YEARS[0].year];
}

/** Return the points for each place of a majority. @param {number} seats */
export function majorityPoints(seats) {
  return goals.majorities[/** @type {"2" | "3" | "4"} */ (String(seats))];
}

/**
 * Return the kind of a goal, and the colour or symbol that it counts: "majority_green" is a "majority" of green.
 * @param {string} goal
 * @returns {{kind: string, subject: string | null}}
 */
export function goalParts(goal) {
  const [, kind, subject] = goal.match(/^(majority|colour|card)_(green|yellow|red|purple|rubble|light|tram|hydrant|park)$/) ?? [null, goal, null];
  return { kind: /** @type {string} */ (kind), subject };
}

/** Return the points of a goal for each thing that it counts. @param {string} goal */
export function goalPoints(goal) {
  return goals.points[/** @type {keyof typeof goals.points} */ (goalParts(goal).kind)];
}

export const DOLLARS_FOR_A_POINT = goals.dollars_for_a_point;
export const BEST_BUILDER_POINTS = goals.best_builder;

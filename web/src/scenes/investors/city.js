// The geometry of the city. Districts and streets have the server's numbers: 35 districts, `row * 7 + column`; streets
// 0 to 41 along the tops of districts, 42 to 81 along their left sides. Also the counting of sticks. It contains no
// rules: the prompt says what is legal.

export const ROWS = 5;
export const COLUMNS = 7;
export const DISTRICTS = ROWS * COLUMNS;
const FIRST_VERTICAL = (ROWS + 1) * COLUMNS;
export const STREETS = FIRST_VERTICAL + ROWS * (COLUMNS + 1);
export const FREE = -1;
export const WHITE = -2;
const LANDMARKS = ["hall", "bank"];

/** @typedef {{x: number, y: number, width: number, height: number}} Box */

/** Return the four streets of a district: north, south, west, east. @param {number} district */
export function streetsOf(district) {
  const [row, column] = [Math.floor(district / COLUMNS), district % COLUMNS];
  const west = FIRST_VERTICAL + row * (COLUMNS + 1) + column;
  return [district, district + COLUMNS, west, west + 1];
}

/** @param {number} street */
export function isHorizontal(street) {
  return street < FIRST_VERTICAL;
}

/** Return the row and column of a street: of the district below a horizontal one, or right of a vertical one. @param {number} street */
function gridOf(street) {
  const [index, across] = isHorizontal(street) ? [street, COLUMNS] : [street - FIRST_VERTICAL, COLUMNS + 1];
  return { row: Math.floor(index / across), column: index % across };
}

/** Return the one or two districts of a street, the northern or western first. @param {number} street */
export function districtsOf(street) {
  const { row, column } = gridOf(street);
  const pair = isHorizontal(street)
    ? [row > 0 ? (row - 1) * COLUMNS + column : null, row < ROWS ? row * COLUMNS + column : null]
    : [column > 0 ? row * COLUMNS + column - 1 : null, column < COLUMNS ? row * COLUMNS + column : null];
  return /** @type {number[]} */ (pair.filter((district) => district !== null));
}

/** Return the side of its only district on which an edge street lies; null for other streets. @param {number} street */
export function edgeSide(street) {
  const { row, column } = gridOf(street);
  if (isHorizontal(street)) return row === 0 ? "north" : row === ROWS ? "south" : null;
  return column === 0 ? "west" : column === COLUMNS ? "east" : null;
}

/** Return the coordinate of a district: A to G from the west, 1 to 5 from the north. @param {number} district */
export function coordinate(district) {
  return "ABCDEFG"[district % COLUMNS] + (Math.floor(district / COLUMNS) + 1);
}

/** All streets in reading order: from north to south, and from west to east. */
export const READING_ORDER = Array.from({ length: STREETS }, (_, street) => street).sort((one, other) => {
  const [a, b] = [one, other].map((street) => {
    const { row, column } = gridOf(street);
    return (2 * row + (isHorizontal(street) ? 0 : 1)) * 10 + column;
  });
  return a - b;
});

// -- drawing ----------------------------------------------------------------------------------------------------

const TILE = 80;
const PITCH = 97;
const GAP = PITCH - TILE;
const EDGE = 20;
/** The size of the paved city, without the coordinates around it. */
export const CITY = { width: COLUMNS * PITCH - GAP + 2 * EDGE, height: ROWS * PITCH - GAP + 2 * EDGE };

/** @param {number} district @returns {Box} */
export function districtBox(district) {
  const [row, column] = [Math.floor(district / COLUMNS), district % COLUMNS];
  return { x: EDGE + column * PITCH, y: EDGE + row * PITCH, width: TILE, height: TILE };
}

/** @param {number} street @returns {Box} */
export function streetBox(street) {
  const { row, column } = gridOf(street);
  const [x, y] = [EDGE + column * PITCH, EDGE + row * PITCH];
  return isHorizontal(street) ? { x, y: y - GAP, width: TILE, height: GAP } : { x: x - GAP, y, width: GAP, height: TILE };
}

/** Return the street at a point of the drawing; null at crossings and outside of the city. @param {number} x @param {number} y */
export function streetAt(x, y) {
  const isIn = (/** @type {number} */ street) => {
    const box = streetBox(street);
    return x >= box.x && x <= box.x + box.width && y >= box.y && y <= box.y + box.height;
  };
  return READING_ORDER.find(isIn) ?? null;
}

// -- the grid of the keyboard -------------------------------------------------------------------------------------

/** The grid has a line for each line of streets and of districts: streets are between districts, crossings are left out. */
export const GRID = { rows: 2 * ROWS + 1, columns: 2 * COLUMNS + 1 };

/** @typedef {{street?: number, district?: number}} GridPlace */

/** Return the number of a street or district in the grid, in reading order. @param {GridPlace} place */
export function gridNumber({ street, district }) {
  if (street === undefined) {
    const at = /** @type {number} */ (district);
    return (2 * Math.floor(at / COLUMNS) + 1) * GRID.columns + 2 * (at % COLUMNS) + 1;
  }
  const { row, column } = gridOf(street);
  return isHorizontal(street) ? 2 * row * GRID.columns + 2 * column + 1 : (2 * row + 1) * GRID.columns + 2 * column;
}

/** Return the street or district of a number in the grid; null for a crossing. @param {number} number @returns {GridPlace | null} */
export function gridPlace(number) {
  const [line, across] = [Math.floor(number / GRID.columns), number % GRID.columns];
  const [row, column] = [Math.floor(line / 2), Math.floor(across / 2)];
  if (line % 2 === 0) return across % 2 === 0 ? null : { street: row * COLUMNS + column };
  return across % 2 === 0 ? { street: FIRST_VERTICAL + row * (COLUMNS + 1) + column } : { district: row * COLUMNS + column };
}

/** Return the neighbour in the grid in the direction of an arrow key, beyond a crossing; the same number at the edge. @param {number} number @param {string} arrow */
export function gridNeighbour(number, arrow) {
  const [right, down] = { ArrowRight: [1, 0], ArrowLeft: [-1, 0], ArrowDown: [0, 1], ArrowUp: [0, -1] }[arrow] ?? [0, 0];
  let [line, across] = [Math.floor(number / GRID.columns) + down, (number % GRID.columns) + right];
  if (line % 2 === 0 && across % 2 === 0) [line, across] = [line + down, across + right];
  const isInside = line >= 0 && line < GRID.rows && across >= 0 && across < GRID.columns;
  return isInside ? line * GRID.columns + across : number;
}

// -- counting ---------------------------------------------------------------------------------------------------

/**
 * @typedef {object} Standing the sticks around a district
 * @property {[number, number][]} seats seat and number of sticks, most first
 * @property {number} free streets without a stick
 * @property {number} white white sticks
 * @property {number | null} settles the seat that no other can overtake
 * @property {{seat: number, more: number} | null} leader the seat that needs the fewest further sticks to be out of reach; null if tied
 */

/**
 * Count the sticks around a district.
 * @param {{layout: (string | null)[]}} game @param {number[]} sticks @param {number} district
 * @returns {Standing}
 */
export function standing(game, sticks, district) {
  const owners = streetsOf(district).map((street) => sticks[street]);
  const count = (/** @type {number} */ owner) => owners.filter((other) => other === owner).length;
  const [free, white] = [count(FREE), count(WHITE)];
  const seats = /** @type {[number, number][]} */ (
    [...new Set(owners)]
      .filter((owner) => owner >= 0)
      .map((seat) => [seat, count(seat)])
      .sort((one, other) => other[1] - one[1] || one[0] - other[0])
  );
  const [first, second] = [seats[0], seats[1]?.[1] ?? 0];
  if (!first) return { seats, free, white, settles: null, leader: null };
  if (LANDMARKS.includes(game.layout[district] ?? "")) {
    const isAlone = seats.length === 1;
    return {
      seats,
      free,
      white,
      settles: isAlone && free === 0 ? first[0] : null,
      leader: isAlone && free > 0 ? { seat: first[0], more: free } : null,
    };
  }
  if (first[1] > second + free) return { seats, free, white, settles: first[0], leader: null };
  // Each further stick of the leader also takes a free street from the others.
  const more = Math.floor((second + free - first[1]) / 2) + 1;
  const isLeading = first[1] > second && more <= free;
  return { seats, free, white, settles: null, leader: isLeading ? { seat: first[0], more } : null };
}

/**
 * Return the sticks after some changes.
 * @param {number[]} sticks @param {[number, number][]} changes each a street and its new owner
 */
function withChanges(sticks, changes) {
  const after = sticks.slice();
  for (const [street, owner] of changes) after[street] = owner;
  return after;
}

/**
 * Return the standings before and after some changes, for each affected district.
 * @param {any} game @param {[number, number][]} changes
 */
export function consequences(game, changes) {
  const after = withChanges(game.sticks, changes);
  const touched = [...new Set(changes.flatMap(([street]) => districtsOf(street)))];
  return touched
    .filter((district) => game.layout[district] !== "park" && game.layout[district] !== null)
    .map((district) => ({
      district,
      kind: /** @type {string} */ (game.layout[district]),
      isRebuilt: game.rebuilt[district] >= 0,
      before: standing(game, game.sticks, district),
      after: standing(game, after, district),
    }));
}

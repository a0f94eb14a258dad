// The map in numbers, as the server numbers it: 35 districts, `row * 7 + column`; streets 0 to 41 along the tops of
// districts, 42 to 81 down their left sides. Also where each is drawn, and who has how much where. Counting only:
// what is allowed stands in the prompt.

export const ROWS = 5;
export const COLUMNS = 7;
export const DISTRICTS = ROWS * COLUMNS;
const FIRST_UPRIGHT = (ROWS + 1) * COLUMNS;
export const STREETS = FIRST_UPRIGHT + ROWS * (COLUMNS + 1);
export const FREE = -1;
export const WHITE = -2;
const LANDMARKS = ["hall", "bank"];

/** @typedef {{x: number, y: number, width: number, height: number}} Box */

/** The four streets of a district: north, south, west, east. @param {number} district */
export function streetsOf(district) {
  const [row, column] = [Math.floor(district / COLUMNS), district % COLUMNS];
  const west = FIRST_UPRIGHT + row * (COLUMNS + 1) + column;
  return [district, district + COLUMNS, west, west + 1];
}

/** @param {number} street */
export function isFlat(street) {
  return street < FIRST_UPRIGHT;
}

/** Where a street lies: for a flat one the row below it, for an upright one the column right of it. @param {number} street */
function gridOf(street) {
  const [index, across] = isFlat(street) ? [street, COLUMNS] : [street - FIRST_UPRIGHT, COLUMNS + 1];
  return { row: Math.floor(index / across), column: index % across };
}

/** The one or two districts of a street, the northern or western first. @param {number} street */
export function districtsOf(street) {
  const { row, column } = gridOf(street);
  const pair = isFlat(street)
    ? [row > 0 ? (row - 1) * COLUMNS + column : null, row < ROWS ? row * COLUMNS + column : null]
    : [column > 0 ? row * COLUMNS + column - 1 : null, column < COLUMNS ? row * COLUMNS + column : null];
  return /** @type {number[]} */ (pair.filter((district) => district !== null));
}

/** On which side of its only district an edge street lies. @param {number} street */
export function edgeSide(street) {
  const { row, column } = gridOf(street);
  if (isFlat(street)) return row === 0 ? "north" : row === ROWS ? "south" : null;
  return column === 0 ? "west" : column === COLUMNS ? "east" : null;
}

/** A to G from the west, 1 to 5 from the north. @param {number} district */
export function coordinate(district) {
  return "ABCDEFG"[district % COLUMNS] + (Math.floor(district / COLUMNS) + 1);
}

/** All streets as one reads a page: from north to south, each line from west to east. */
export const READING_ORDER = Array.from({ length: STREETS }, (_, street) => street).sort((one, other) => {
  const [a, b] = [one, other].map((street) => {
    const { row, column } = gridOf(street);
    return (2 * row + (isFlat(street) ? 0 : 1)) * 10 + column;
  });
  return a - b;
});

// -- drawing ----------------------------------------------------------------------------------------------------

const TILE = 80;
const PITCH = 97;
const GAP = PITCH - TILE;
const EDGE = 20;
/** The size of the paved city; coordinates stand outside of it. */
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
  return isFlat(street) ? { x, y: y - GAP, width: TILE, height: GAP } : { x: x - GAP, y, width: GAP, height: TILE };
}

/** The street at a place of the drawing; none where streets cross or beyond the city. @param {number} x @param {number} y */
export function streetAt(x, y) {
  const isIn = (/** @type {number} */ street) => {
    const box = streetBox(street);
    return x >= box.x && x <= box.x + box.width && y >= box.y && y <= box.y + box.height;
  };
  return READING_ORDER.find(isIn) ?? null;
}

/**
 * The next of some streets in a direction, for the arrow keys: the nearest that lies mainly that way.
 * @param {number} from @param {number[]} among @param {string} key an arrow key
 */
export function nextStreet(from, among, key) {
  const [right, down] = { ArrowRight: [1, 0], ArrowLeft: [-1, 0], ArrowDown: [0, 1], ArrowUp: [0, -1] }[key] ?? [0, 0];
  const centre = (/** @type {number} */ street) => {
    const { x, y, width, height } = streetBox(street);
    return [x + width / 2, y + height / 2];
  };
  const [x, y] = centre(from);
  let best = from;
  let least = Infinity;
  for (const street of among) {
    const [toX, toY] = centre(street);
    const along = (toX - x) * right + (toY - y) * down;
    const aside = Math.abs((toX - x) * down) + Math.abs((toY - y) * right);
    if (along > 1 && along + 2 * aside < least) [best, least] = [street, along + 2 * aside];
  }
  return best;
}

// -- counting ---------------------------------------------------------------------------------------------------

/**
 * @typedef {object} Standing who has how many sticks at a district
 * @property {[number, number][]} seats seat and number of sticks, most first
 * @property {number} free streets without a stick
 * @property {number} white white sticks
 * @property {number | null} settles the seat that nobody can catch up with any more
 * @property {{seat: number, more: number} | null} leader who needs fewest more to be out of reach; none if shared
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
  // Every stick of the leader also takes a free street from the others.
  const more = Math.floor((second + free - first[1]) / 2) + 1;
  const isLeading = first[1] > second && more <= free;
  return { seats, free, white, settles: null, leader: isLeading ? { seat: first[0], more } : null };
}

/**
 * The sticks after a change that is only thought of.
 * @param {number[]} sticks @param {[number, number][]} changes streets and who is on them then
 */
function withChanges(sticks, changes) {
  const after = sticks.slice();
  for (const [street, owner] of changes) after[street] = owner;
  return after;
}

/**
 * What a change that is only thought of would do at each district that it touches.
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

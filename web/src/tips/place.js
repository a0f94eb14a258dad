// Where a tip has room. The window is divided into cells; a cell has a price for what a tip would cover there, and some
// cells must stay free. Summed-area tables give the price of every rectangle in constant time.

/** @typedef {{left: number, top: number, right: number, bottom: number}} Box */
/** @typedef {{width: number, height: number}} Size */

const CELL = 8;
/** Kept free around everything that can be clicked. */
const GAP = 4;
/** The price of a pixel between a tip and the place that it would like best. */
const PRICE_OF_DISTANCE = 0.02;

/** Return whether two boxes overlap. @param {Box} one @param {Box} other */
export function overlap(one, other) {
  return one.left < other.right && other.left < one.right && one.top < other.bottom && other.top < one.bottom;
}

/** Prices by cell, whose sum over any rectangle is known. */
class Prices {
  /** @param {Size} around the window */
  constructor({ width, height }) {
    this.columns = Math.ceil(width / CELL);
    this.rows = Math.ceil(height / CELL);
    this.cells = new Float64Array(this.columns * this.rows);
    this.sums = new Float64Array((this.columns + 1) * (this.rows + 1));
  }

  /** Raise the price of the cells of a box to this one. @param {Box} box @param {number} price */
  raise(box, price) {
    const last = Math.min(this.rows, Math.ceil(box.bottom / CELL));
    const end = Math.min(this.columns, Math.ceil(box.right / CELL));
    for (let row = Math.max(0, Math.floor(box.top / CELL)); row < last; row += 1) {
      for (let column = Math.max(0, Math.floor(box.left / CELL)); column < end; column += 1) {
        const at = row * this.columns + column;
        if (this.cells[at] < price) this.cells[at] = price;
      }
    }
  }

  sum() {
    const across = this.columns + 1;
    for (let row = 0; row < this.rows; row += 1) {
      for (let column = 0; column < this.columns; column += 1) {
        const at = (row + 1) * across + column + 1;
        this.sums[at] = this.cells[row * this.columns + column] + this.sums[at - 1] + this.sums[at - across] - this.sums[at - across - 1];
      }
    }
  }

  /** @param {number} column @param {number} row @param {number} width in cells @param {number} height in cells */
  over(column, row, width, height) {
    const across = this.columns + 1;
    const [top, bottom] = [row * across + column, (row + height) * across + column];
    return this.sums[bottom + width] - this.sums[bottom] - this.sums[top + width] + this.sums[top];
  }
}

/**
 * Return the best place of a tip and which of its sizes fits there, or null if it would cover something that must stay
 * free everywhere.
 * @param {object} asked
 * @param {Size[]} asked.sizes that the tip can have
 * @param {Size} asked.around the window
 * @param {Box[]} asked.kept what must stay free
 * @param {{box: Box, price: number}[]} asked.covered what had better stay free, with a price for each cell
 * @param {{x: number, y: number}} asked.near where the middle of the tip would be best
 * @returns {{left: number, top: number, size: number} | null}
 */
export function findPlace({ sizes, around, kept, covered, near }) {
  const [taken, prices] = [new Prices(around), new Prices(around)];
  for (const { left, top, right, bottom } of kept) taken.raise({ left: left - GAP, top: top - GAP, right: right + GAP, bottom: bottom + GAP }, 1);
  for (const { box, price } of covered) prices.raise(box, price);
  taken.sum();
  prices.sum();
  let best = null;
  let least = Infinity;
  for (const [size, { width, height }] of sizes.entries()) {
    const [columns, rows] = [Math.ceil(width / CELL), Math.ceil(height / CELL)];
    // A cell at the edge of the window may be cut off, and the tip keeps clear of the edge.
    for (let row = 1; row + rows < Math.floor(around.height / CELL); row += 1) {
      for (let column = 1; column + columns < Math.floor(around.width / CELL); column += 1) {
        if (taken.over(column, row, columns, rows) > 0) continue;
        const [left, top] = [column * CELL, row * CELL];
        const distance = Math.hypot(left + width / 2 - near.x, top + height / 2 - near.y);
        const price = prices.over(column, row, columns, rows) + distance * PRICE_OF_DISTANCE;
        if (price < least) [best, least] = [{ left, top, size }, price];
      }
    }
  }
  return best;
}

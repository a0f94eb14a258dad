// What lessons of Planners point at.

/** @type {import("./targets.js").Kinds} */
const kinds = {
  column: (column) => `[data-column="${column}"]`,
  space: (space) => `[data-space="${space}"]`,
  market: () => ".pl-market",
  deck: () => ".pl-deck",
  city: () => ".pl-place",
};

export default kinds;

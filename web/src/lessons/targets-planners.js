// What lessons of Planners point at.

/** @type {import("./targets.js").Kinds} */
const kinds = {
  column: (column) => `[data-column="${column}"]`,
  market: () => ".pl-market",
  deck: () => ".pl-deck",
  tokens: () => ".pl-tokens",
  drawn: () => ".pl-drawn",
  contracts: (seat) => `[data-seat="${seat}"] .pl-count.contract`,
  city: () => ".pl-place",
  space: (space) => `[data-space="${space}"]`,
  row: (row) => `[data-row="${row}"]`,
  standing: (category) => `[data-standing="${category}"]`,
  card: (card) => `[data-card="${card}"]`,
  bonus: (bonus) => `[data-bonus="${bonus}"]`,
  result: () => ".pl-end",
};

export default kinds;

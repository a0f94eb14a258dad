// What lessons of Builders point at.

/** @type {import("./targets.js").Kinds} */
const kinds = {
  city: () => ".town",
  plot: (plot) => `[data-plot="${plot}"]`,
  path: () => ".path, .compact-path",
  // The spaces that pawns move to now; the cards behind a tab of a phone have the same numbers.
  space: (space) => `.path .now [data-space="${space}"], .compact-path [data-space="${space}"]`,
  bonus: (bonus) => `[data-bonus="${bonus}"]`,
  permit: (permit) => `[data-item="permit:${permit}"]`,
  own_permit: (permit) => `[data-own-permit="${permit}"]`,
  own_goals: () => ".my-goals",
  common_goals: () => ".goal-display .goal-column:first-child",
  open_goals: () => ".goal-display .goal-column:last-child, .choices .goal-row",
  card: (symbol) => `[data-item="card:${symbol}"]`,
  development: () => ".development",
  result: () => ".points-frame",
};

export default kinds;

// What lessons of Builders point at.

/** @type {import("./targets.js").Kinds} */
const kinds = {
  plot: (plot) => `[data-plot="${plot}"]`,
  city: () => ".town",
  path: () => ".path, .compact-path",
  permits: () => ".permit-display",
  goals: () => ".goal-display",
};

export default kinds;

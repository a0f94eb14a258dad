// Which layouts of the page have no room for the whole path and the displays beside the city.

/** @param {import("../../parts/layout.js").Layout} name */
export function isCompact(name) {
  return name !== "wide" && name !== "short";
}

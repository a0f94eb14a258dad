// What this device may be called, from what its browser says about itself.

/** Systems by a part of what browsers say about themselves; the first match counts. */
const SYSTEMS = [
  ["iPhone", "iPhone"],
  ["iPad", "iPad"],
  ["Android", "Android"],
  ["CrOS", "ChromeOS"],
  ["Windows", "Windows"],
  ["Mac OS X", "Mac"],
  ["Linux", "Linux"],
];

/** Return what this device may be called: "Windows". @param {string} [agent] */
export function deviceName(agent = globalThis.navigator?.userAgent ?? "") {
  return SYSTEMS.find(([part]) => agent.includes(part))?.[1] ?? "";
}

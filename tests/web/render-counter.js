// Counts how often each component renders, for tests and measurements: `build.mjs --with=` puts this before the client.

import { options } from "preact";

/** How often each component has rendered, by name. */
globalThis.rendered = {};

// Preact calls this before a component renders; the name is that of Preact's own builds, which its developer tools use.
const before = options.__r;
options.__r = (node) => {
  before?.(node);
  const name = node.type.displayName || node.type.name || "anonymous";
  globalThis.rendered[name] = (globalThis.rendered[name] ?? 0) + 1;
};

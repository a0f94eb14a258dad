// Handles as people type them, and what nobody can have as a handle. Only the server knows which ones are free.

/** Return a handle as the server knows it: people also type the sign before it. @param {string} typed */
export function cleanHandle(typed) {
  return typed.trim().replace(/^@/, "").toLowerCase();
}

/**
 * Return why nobody can have a handle, as far as the page knows; null if the server has to say. An empty one is no
 * mistake yet.
 * @param {string} typed
 */
export function handleMistake(typed) {
  const handle = cleanHandle(typed);
  if (!handle) return null;
  if (/[^a-z0-9_-]/.test(handle)) return "letters";
  if (!/^[a-z]/.test(handle)) return "first";
  if (handle.length > 20) return "long";
  return handle.length < 3 ? "short" : null;
}

/** Return a handle that could go with a name: "Ada Lovelace" becomes "ada-lovelace"; "" if none could. @param {string} name */
export function proposedHandle(name) {
  const plain = name.normalize("NFKD").replace(/[\u0300-\u036f]/g, "").toLowerCase();
  const handle = plain.replace(/[^a-z0-9_-]+/g, "-").replace(/^[^a-z]+/, "").slice(0, 20).replace(/-+$/, "");
  return handle.length >= 3 ? handle : "";
}

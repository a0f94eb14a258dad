// What the page keeps on this device. A browser may refuse it, to embedded pages most of all; then nothing is kept.

/**
 * Return a storage that cannot fail.
 * @param {() => Storage | undefined} storage returns the storage of the browser, or throws
 */
function unfailing(storage) {
  return {
    /** Return a stored text; null if there is none. @param {string} name @returns {string | null} */
    get: (name) => {
      try {
        return storage()?.getItem(name) ?? null;
      } catch {
        return null;
      }
    },
    /** Store a text, if the browser has room for it. @param {string} name @param {string} text */
    set: (name, text) => {
      try {
        storage()?.setItem(name, text);
      } catch {
        // The page works without.
      }
    },
    /** Remove a text. @param {string} name */
    remove: (name) => {
      try {
        storage()?.removeItem(name);
      } catch {
        // Nothing was stored.
      }
    },
  };
}

/** What stays on this device. */
export const deviceStorage = unfailing(() => globalThis.localStorage);
/** What stays until the tab is closed. */
export const tabStorage = unfailing(() => globalThis.sessionStorage);

// Closing what is open with the Escape key, which does one thing at a time: whoever takes it prevents its default.

/**
 * Return a key handler of an element that closes something on Escape.
 * @param {() => void} close
 * @param {boolean} [isOpen] whether there is something to close
 */
export function onEscape(close, isOpen = true) {
  return (/** @type {KeyboardEvent} */ event) => {
    if (event.key !== "Escape" || event.defaultPrevented || !isOpen) return;
    event.preventDefault();
    close();
  };
}

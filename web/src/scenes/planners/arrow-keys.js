// Arrow keys between choices that stand side by side: projects, cards in hand and bonuses.

const STEPS = { ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1 };

/** Return the index that an arrow key leads to; other keys and the ends keep it. @param {string} key @param {number} index @param {number} count */
export function stepTo(key, index, count) {
  const step = STEPS[/** @type {keyof typeof STEPS} */ (key)] ?? 0;
  return Math.min(count - 1, Math.max(0, index + step));
}

/** Move the focus among the choices of the element that listens. @param {KeyboardEvent} event */
export function moveFocus(event) {
  const { key, target, currentTarget } = event;
  if (!(key in STEPS) || !(currentTarget instanceof HTMLElement) || !(target instanceof Element)) return;
  const choices = /** @type {HTMLElement[]} */ ([...currentTarget.querySelectorAll("[data-pick]:not(:disabled)")]);
  const index = choices.findIndex((choice) => choice === target);
  if (index < 0) return;
  event.preventDefault();
  choices[stepTo(key, index, choices.length)].focus();
}

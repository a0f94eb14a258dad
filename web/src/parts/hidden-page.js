// Nothing is drawn while the page is hidden. The components that changed meanwhile are drawn together, as they are then,
// when somebody looks at the page again.
//
// So what must happen in a hidden page too is not an effect of a component, which follows its drawing, but of signals:
// sounds, the title, notifications, and requests.

import { options } from "preact";

/** The function that draws what has changed; null unless it waits for the page to be visible. @type {(() => void) | null} */
let held = null;

/** Let Preact draw before the next frame, or hold it while the page is hidden. */
export function drawOnlyWhileVisible() {
  // Preact calls this when the first component has changed, and again only after it has drawn.
  options.debounceRendering = (draw) => {
    if (document.hidden) held = draw;
    else queueMicrotask(draw);
  };
  document.addEventListener("visibilitychange", () => {
    if (document.hidden || !held) return;
    const draw = held;
    held = null;
    draw();
  });
}

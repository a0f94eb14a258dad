// The drawn scenes of the games. Their sheet is inserted into the document once: in a sheet of its own, gradients and
// patterns would keep the colours of the light theme.

import { useEffect } from "preact/hooks";
import { signal } from "@preact/signals";
import sheet from "../art/scenes.svg";
import "../style/scenes.css";

const isLoaded = signal(false);
let hasBegun = false;

/** Fetch the sheet and insert it. The page's policy allows no markup from strings, so the browser parses the response. */
function loadSheet() {
  if (hasBegun) return;
  hasBegun = true;
  const request = new XMLHttpRequest();
  request.open("GET", sheet);
  request.responseType = "document";
  request.overrideMimeType("image/svg+xml");
  request.onload = () => {
    const root = request.responseXML?.documentElement;
    if (!root) return;
    root.classList.add("scene-sheet");
    document.body.append(document.importNode(root, true));
    isLoaded.value = true;
  };
  // Without the drawing a card still has its name and its sentence.
  request.onerror = () => (hasBegun = false);
  request.send();
}

/** The scene of a game: 408 by 150, or the part of it that fits its box. @param {{game: string}} props */
export function Scene({ game }) {
  useEffect(loadSheet, []);
  return (
    <div class={`scene scene-of-${game}`} aria-hidden="true">
      <svg viewBox="0 0 408 150" preserveAspectRatio="xMidYMax slice">
        {isLoaded.value && <use href={`#scene-${game}`} width="408" height="150" />}
      </svg>
    </div>
  );
}

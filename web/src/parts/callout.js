// A box with text beside a place on the board. The caller positions it, so that it does not cover what it describes.

import "../style/callout.css";

/**
 * @param {object} props
 * @param {Record<string, string>} props.place the position inside the nearest positioned element
 * @param {"start" | "middle" | "end"} [props.side] which edge of the callout is at that position
 * @param {boolean} [props.isActing] whether it describes the effect of the current selection
 * @param {any} props.children
 */
export function Callout({ place, side = "middle", isActing = false, children }) {
  // Screen readers skip it: the element that it describes has the same text as its label.
  return (
    <div class={`callout callout-${side} ${isActing ? "acting" : ""}`} style={place} aria-hidden="true">
      {children}
    </div>
  );
}

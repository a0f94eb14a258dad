// Words beside what is looked at or chosen. Whoever draws it says where, so that it never covers what explains it.

import "../style/callout.css";

/**
 * @param {object} props
 * @param {Record<string, string>} props.place where, within the nearest positioned element
 * @param {"start" | "middle" | "end"} [props.side] which part of it stands at that place
 * @param {boolean} [props.isActing] whether it tells what your choice would do
 * @param {any} props.children
 */
export function Callout({ place, side = "middle", isActing = false, children }) {
  // What it says is also in the name of what it explains; it is for the eyes only.
  return (
    <div class={`callout callout-${side} ${isActing ? "acting" : ""}`} style={place} aria-hidden="true">
      {children}
    </div>
  );
}

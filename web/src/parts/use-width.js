// The width of an element, for drawings that have it as their own so that their texts keep their size.

import { useLayoutEffect, useState } from "preact/hooks";

/**
 * Return the width of an element, also when it changes.
 * @param {import("preact").RefObject<HTMLElement>} element @param {number} first the width before it is measured
 */
export function useWidth(element, first) {
  const [width, setWidth] = useState(first);
  useLayoutEffect(() => {
    const measure = () => setWidth(element.current?.clientWidth || width);
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(/** @type {HTMLElement} */ (element.current));
    return () => observer.disconnect();
  }, []);
  return width;
}

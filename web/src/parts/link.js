// A link to another page of this site, which does not load the document again.

import { navigate } from "../routes.js";

/**
 * A link. A click with a modifier key or the middle button opens a new tab, as with every link.
 * @param {{to: string, children: any, [attribute: string]: any}} props
 */
export function Link({ to, children, ...rest }) {
  const open = (/** @type {MouseEvent} */ event) => {
    if (event.button || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    navigate(to);
  };
  return (
    <a href={to} onClick={open} {...rest}>
      {children}
    </a>
  );
}

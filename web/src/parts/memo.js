// Memoisation of components.

import { Component } from "preact";

/**
 * Return a component that renders again only when one of its properties changed.
 * @template Props
 * @param {(props: Props) => any} draw
 * @returns {import("preact").ComponentType<Props>}
 */
export function memo(draw) {
  return class extends Component {
    /** @param {any} next */
    shouldComponentUpdate(next) {
      const now = /** @type {any} */ (this.props);
      return Object.keys({ ...now, ...next }).some((name) => now[name] !== next[name]);
    }

    render() {
      return draw(/** @type {Props} */ (this.props));
    }
  };
}

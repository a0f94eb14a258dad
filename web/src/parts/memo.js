// Memoisation of components.

import { Component } from "preact";

/**
 * Return a component that renders again only when one of its properties changed. It must not read signals that change
 * while it is shown. (A component that reads signals, as `t` does, compares its properties anyway.)
 * @template Props
 * @param {(props: Props) => any} draw
 * @returns {import("preact").ComponentType<Props>}
 */
export function memo(draw) {
  return class extends Component {
    static displayName = draw.name;

    /** @param {any} next */
    shouldComponentUpdate(next) {
      const now = /** @type {any} */ (this.props);
      for (const name in next) if (now[name] !== next[name]) return true;
      for (const name in now) if (!(name in next)) return true;
      return false;
    }

    render() {
      return draw(/** @type {Props} */ (this.props));
    }
  };
}

// The drawer of the rules. Where the page is wide it stands in a column of its own beside the table; elsewhere it is a
// sheet over the whole page, and the page below cannot be used meanwhile.

import { useCallback, useEffect, useRef, useState } from "preact/hooks";
import { t, withTexts } from "../catalogue/index.js";
import { Icon } from "./art.js";
import { layout } from "./layout.js";
import { lazy } from "./lazy.js";
import { onEscape } from "./on-escape.js";

/** Fetched when the rules are opened. */
const CONTENT = withTexts(() => import("../rules/drawer.js"), "rules");

/** @typedef {{rule: string | null}} Asked the rule that was asked for, if one was; a new object for each time */

/** @type {Asked} */
const NO_RULE = { rule: null };

/** Return whether the rules beside a table are open, perhaps at a rule, and what opens and closes them. */
export function useRules() {
  const [asked, setAsked] = useState(/** @type {Asked | null} */ (null));
  const openRule = useCallback((/** @type {string} */ rule) => setAsked({ rule }), []);
  return { asked, openRule, toggle: () => setAsked(asked ? null : NO_RULE), close: () => setAsked(null) };
}

/**
 * @param {object} props
 * @param {import("../store.js").TableModel} props.model
 * @param {import("../pages/table.js").Scene} props.scene
 * @param {Asked} [props.asked]
 * @param {() => void} props.onClose
 */
export function RulesDrawer({ model, scene, asked = NO_RULE, onClose }) {
  const view = model.gameView.value;
  const isSheet = layout.value !== "wide" && layout.value !== "short";
  const content = lazy(CONTENT);
  /** @type {import("preact").RefObject<HTMLElement>} */
  const drawer = useRef(null);
  // An element below a sheet loses the focus, so the opener is noted before, and gets it back after the sheet is gone.
  const opener = useRef(/** @type {Element | null} */ (document.activeElement));
  useEffect(() => {
    if (!isSheet) return;
    const node = drawer.current;
    const others = [...(node?.parentElement?.children ?? [])].filter((other) => other !== node);
    for (const other of others) other.toggleAttribute("inert", true);
    return () => others.forEach((other) => other.toggleAttribute("inert", false));
  }, [isSheet]);
  useEffect(() => {
    drawer.current?.querySelector("button")?.focus({ preventScroll: true });
    return () => /** @type {HTMLElement | null} */ (opener.current)?.focus();
  }, []);
  return (
    <aside
      class="rules-panel"
      ref={drawer}
      role={isSheet ? "dialog" : undefined}
      aria-modal={isSheet ? "true" : undefined}
      aria-label={t("table.rules")}
      onKeyDown={onEscape(onClose)}
    >
      <header>
        <h2>{t("table.rules")}</h2>
        <button class="tool" onClick={onClose} aria-label={t("rules.close")}>
          <Icon name="close" />
        </button>
      </header>
      {content && <content.DrawerContent scene={scene} view={view} asked={asked} />}
    </aside>
  );
}

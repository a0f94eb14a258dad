// The rules, opened at the part that explains the current stage. Where the page is wide they stand in a column of their
// own beside the table; elsewhere they are a sheet over the whole page, and the page below cannot be used meanwhile.

import { useEffect, useRef } from "preact/hooks";
import { t } from "../catalogue/index.js";
import { Icon } from "./art.js";
import { layout } from "./layout.js";

/** @param {{scene: import("../pages/table.js").Scene, view: any, onClose: () => void}} props */
export function RulesDrawer({ scene, view, onClose }) {
  const now = scene.rulesPart(view);
  const game = view.table.game;
  const isSheet = layout.value !== "wide" && layout.value !== "short";
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
    drawer.current?.querySelector(".now")?.scrollIntoView({ block: "center" });
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
      onKeyDown={(event) => event.key === "Escape" && onClose()}
    >
      <header>
        <h2>{t("table.rules")}</h2>
        <button class="tool" onClick={onClose} aria-label={t("rules.close")}>
          <Icon name="close" />
        </button>
      </header>
      <div class="rules-text" tabIndex={0} role="group" aria-label={t("table.rules")}>
        {scene.rules.map((part) => (
          <section key={part} class={part === now ? "now" : ""}>
            {part === now && <p class="small now-mark">{t("rules.now")}</p>}
            <h3>{t(`rules.${game}.${part}.title`)}</h3>
            <p>{t(`rules.${game}.${part}`)}</p>
          </section>
        ))}
      </div>
    </aside>
  );
}

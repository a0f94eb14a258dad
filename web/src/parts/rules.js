// The rules in a drawer, opened at the part that explains the current stage.

import { useEffect, useRef } from "preact/hooks";
import { t } from "../catalogue/index.js";
import { Icon } from "./art.js";

/** @param {{scene: import("../pages/table.js").Scene, view: any, onClose: () => void}} props */
export function RulesDrawer({ scene, view, onClose }) {
  const now = scene.rulesPart(view);
  const game = view.table.game;
  /** @type {import("preact").RefObject<HTMLElement>} */
  const drawer = useRef(null);
  useEffect(() => {
    drawer.current?.querySelector(".now")?.scrollIntoView({ block: "center" });
    drawer.current?.querySelector("button")?.focus();
  }, []);
  return (
    <aside class="drawer card" ref={drawer} aria-label={t("table.rules")} onKeyDown={(event) => event.key === "Escape" && onClose()}>
      <header>
        <h2>{t("table.rules")}</h2>
        <button class="tool" onClick={onClose} aria-label={t("rules.close")}>
          <Icon name="close" />
        </button>
      </header>
      {scene.rules.map((part) => (
        <section key={part} class={part === now ? "now" : ""}>
          {part === now && <p class="small now-mark">{t("rules.now")}</p>}
          <h3>{t(`rules.${game}.${part}.title`)}</h3>
          <p>{t(`rules.${game}.${part}`)}</p>
        </section>
      ))}
    </aside>
  );
}

// A link from a sentence of the table to its rule. A click opens the rules beside the table instead of another page.

import { createContext } from "preact";
import { useContext } from "preact/hooks";
import { t } from "../catalogue/index.js";
import "../style/rule-link.css";

/** Opens the rules at a rule; null where nothing can be opened. @type {import("preact").Context<((rule: string) => void) | null>} */
export const OpenRule = createContext(/** @type {((rule: string) => void) | null} */ (null));

/** @param {{game: string, rule: string | null}} props */
export function RuleLink({ game, rule }) {
  const open = useContext(OpenRule);
  if (!open || !rule) return null;
  const onClick = (/** @type {MouseEvent} */ event) => {
    if (event.button || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    open(rule);
  };
  const label = t("rules.rule", { number: rule });
  return (
    <a class="rule-link" href={`/rules/${game}#${rule}`} aria-label={label} title={label} onClick={onClick}>
      {rule}
    </a>
  );
}

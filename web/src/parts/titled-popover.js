// A popover with a title and a button that closes it; on a phone it is a sheet from below.

import { t } from "../catalogue/index.js";
import { Icon } from "./art.js";
import { Popover } from "./controls.js";
import "../style/titled-popover.css";

/**
 * @param {object} props
 * @param {string} props.label the title, and the name of the button
 * @param {any} props.icon the name of the icon of the button
 * @param {string} props.buttonClass
 * @param {boolean} [props.hasLabel] whether the button shows its name where there is room
 * @param {string} [props.sign] a short text that the button shows instead, where there is room
 * @param {string} [props.class] of the card
 * @param {"start" | "end"} [props.align]
 * @param {any} props.children
 */
export function TitledPopover({ label, icon, buttonClass, hasLabel = true, sign, class: name = "", align = "end", children }) {
  const button = (
    <>
      <Icon name={icon} />
      {sign ? <span class="tool-sign">{sign}</span> : hasLabel && <span class="tool-label">{label}</span>}
    </>
  );
  return (
    <Popover label={label} button={button} buttonClass={buttonClass} align={align} isSheet>
      {(close) => (
        <div class={`titled-popover ${name}`}>
          <CardTitle onClose={close}>{label}</CardTitle>
          {children}
        </div>
      )}
    </Popover>
  );
}

/** The title of a popover or a dialog. @param {{children: string, onClose: () => void}} props */
export function CardTitle({ children, onClose }) {
  return (
    <header class="card-title">
      <h2>{children}</h2>
      <button type="button" class="tool" aria-label={t("menu.close")} onClick={onClose}>
        <Icon name="close" />
      </button>
    </header>
  );
}

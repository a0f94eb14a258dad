// Controls of our own, with the keyboard that the WAI-ARIA patterns describe: Select (select-only combobox), Segmented
// (radio group), Disclosure, MenuButton (menu button) and Popover (a small dialog that is not modal).

import { useEffect, useId, useLayoutEffect, useRef, useState } from "preact/hooks";
import { Icon } from "./art.js";
import { Floating } from "./floating.js";
import "../style/controls.css";

/** @typedef {{value: any, label: string, note?: string, picture?: any}} Choice a value, its name, an explanation below the name, a drawing before it */

/** Return the position that a key leads to, or null for a key without a meaning here. @param {string} key @param {number} at @param {number} count */
export function stepTo(key, at, count) {
  const moves = { ArrowDown: at + 1, ArrowUp: at - 1, PageDown: at + 10, PageUp: at - 10, Home: 0, End: count - 1 };
  const to = moves[/** @type {keyof typeof moves} */ (key)];
  return to === undefined ? null : Math.max(0, Math.min(count - 1, to));
}

/**
 * Return the option that typed letters lead to: the next one after `at` whose name begins with them, or -1. The same
 * letter typed again goes on to the next name with this letter.
 * @param {string} typed @param {number} at @param {Choice[]} options
 */
export function findTyped(typed, at, options) {
  const isRepeated = [...typed].every((letter) => letter === typed[0]);
  const wanted = (isRepeated ? typed[0] : typed).toLocaleLowerCase();
  const from = isRepeated ? at + 1 : at;
  const order = options.map((_, index) => (from + index) % options.length);
  return order.find((index) => options[index].label.toLocaleLowerCase().startsWith(wanted)) ?? -1;
}

const TYPING_PAUSE = 600;

/**
 * A button that shows the chosen value and opens the list of values. It needs a label, or the id of a visible one.
 * @param {object} props
 * @param {string} [props.label] for screen readers
 * @param {string} [props.labelledBy] the id of a visible label, instead of `label`
 * @param {any} props.value
 * @param {Choice[]} props.options
 * @param {(value: any) => void} props.onChange
 * @param {any} [props.icon] the name of an icon before the value
 * @param {string} [props.id]
 * @param {string} [props.class]
 * @param {"start" | "end"} [props.align]
 */
export function Select({ label, labelledBy, value, options, onChange, icon, id, class: name = "", align }) {
  const [isOpen, setOpen] = useState(false);
  const chosen = Math.max(0, options.findIndex((option) => option.value === value));
  const [active, setActive] = useState(chosen);
  /** @type {import("preact").RefObject<HTMLButtonElement>} */
  const button = useRef(null);
  const typed = useRef({ text: "", at: 0 });
  const prefix = useId();
  const naming = labelledBy ? { "aria-labelledby": labelledBy } : { "aria-label": label };
  const open = (/** @type {number} */ at) => {
    setActive(at);
    setOpen(true);
  };
  const choose = (/** @type {number} */ index) => {
    setOpen(false);
    if (options[index].value !== value) onChange(options[index].value);
  };
  useEffect(() => {
    if (isOpen) document.getElementById(`${prefix}-${active}`)?.scrollIntoView({ block: "nearest" });
  }, [isOpen, active]);

  const onKeyDown = (/** @type {KeyboardEvent} */ event) => {
    const { key } = event;
    if (event.ctrlKey || event.metaKey) return;
    if (key === "Tab") {
      if (isOpen) choose(active);
      return;
    }
    const isType = key.length === 1 && (key !== " " || Date.now() - typed.current.at < TYPING_PAUSE);
    if (isType) {
      const now = Date.now();
      const text = now - typed.current.at < TYPING_PAUSE ? typed.current.text + key : key;
      typed.current = { text, at: now };
      const found = findTyped(text, isOpen ? active : chosen, options);
      if (found >= 0) open(found);
    } else if (!isOpen) {
      const to = { ArrowDown: chosen, ArrowUp: chosen, Enter: chosen, " ": chosen, Home: 0, End: options.length - 1 }[key];
      if (to === undefined) return;
      open(to);
    } else if (key === "Escape") {
      event.stopPropagation();
      setOpen(false);
    } else if (key === "Enter" || key === " " || (key === "ArrowUp" && event.altKey)) choose(active);
    else {
      const to = stepTo(key, active, options.length);
      if (to === null) return;
      setActive(to);
    }
    event.preventDefault();
  };

  return (
    <>
      <button
        ref={button}
        id={id}
        type="button"
        class={`select ${name}`}
        role="combobox"
        aria-haspopup="listbox"
        aria-expanded={isOpen}
        aria-controls={isOpen ? `${prefix}-list` : undefined}
        aria-activedescendant={isOpen ? `${prefix}-${active}` : undefined}
        {...naming}
        onClick={() => (isOpen ? setOpen(false) : open(chosen))}
        onKeyDown={onKeyDown}
      >
        {icon && <Icon name={icon} />}
        <span class="select-value">{options[chosen]?.label}</span>
        <Icon name="chevron" size={16} />
      </button>
      {isOpen && (
        <Floating
          anchor={button}
          onClose={() => setOpen(false)}
          align={align}
          isAsWide
          class="listbox"
          attributes={{ id: `${prefix}-list`, role: "listbox", ...naming }}
        >
          {options.map((option, index) => (
            <div
              key={index}
              id={`${prefix}-${index}`}
              role="option"
              aria-selected={index === chosen}
              class={index === active ? "active" : ""}
              // The button keeps the focus; a pointer that goes down here must not take it away.
              onPointerDown={(event) => event.preventDefault()}
              onClick={() => choose(index)}
              onPointerMove={() => active !== index && setActive(index)}
            >
              <span>
                {option.label}
                {option.note && <span class="small muted block">{option.note}</span>}
              </span>
              {index === chosen && <Icon name="check" size={16} />}
            </div>
          ))}
        </Floating>
      )}
    </>
  );
}

/**
 * A row of values of which one is chosen.
 * @param {{label: string, value: any, options: Choice[], onChange: (value: any) => void, class?: string}} props
 */
export function Segmented({ label, value, options, onChange, class: name = "" }) {
  const chosen = options.findIndex((option) => option.value === value);
  const onKeyDown = (/** @type {KeyboardEvent & {currentTarget: HTMLElement}} */ event) => {
    const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
    if (!step) return;
    event.preventDefault();
    const to = (Math.max(0, chosen) + step + options.length) % options.length;
    onChange(options[to].value);
    /** @type {HTMLElement} */ (event.currentTarget.children[to]).focus();
  };
  return (
    <div class={`segmented ${name}`} role="radiogroup" aria-label={label} onKeyDown={onKeyDown}>
      {options.map((option, index) => (
        <button
          key={option.value}
          type="button"
          role="radio"
          aria-checked={index === chosen}
          tabIndex={index === Math.max(0, chosen) ? 0 : -1}
          onClick={() => onChange(option.value)}
        >
          {option.picture}
          {option.label}
        </button>
      ))}
    </div>
  );
}

/** A heading that opens and closes what stands below it. @param {{summary: any, children: any, isOpen?: boolean, class?: string}} props */
export function Disclosure({ summary, children, isOpen: isOpenFirst = false, class: name = "" }) {
  const [isOpen, setOpen] = useState(isOpenFirst);
  const id = useId();
  return (
    <div class={`disclosure ${name}`}>
      <button type="button" class="disclosure-button" aria-expanded={isOpen} aria-controls={id} onClick={() => setOpen(!isOpen)}>
        <Icon name="chevron" size={16} />
        {summary}
      </button>
      <div id={id} class="disclosure-content" hidden={!isOpen}>
        {isOpen && children}
      </div>
    </div>
  );
}

/**
 * A button that opens a card with further controls.
 * @param {object} props
 * @param {string} props.label the name of the card, and of the button if `isLabelHidden`
 * @param {any} [props.button] what the button shows; the label if absent
 * @param {string} [props.buttonClass]
 * @param {"start" | "end"} [props.align]
 * @param {boolean} [props.isSheet] whether it is a sheet from below on a phone
 * @param {(close: () => void) => any} props.children
 */
export function Popover({ label, button, buttonClass = "", align, isSheet, children }) {
  const [isOpen, setOpen] = useState(false);
  /** @type {import("preact").RefObject<HTMLButtonElement>} */
  const anchor = useRef(null);
  const id = useId();
  const close = () => {
    setOpen(false);
    anchor.current?.focus();
  };
  // Before the next key: an effect after the paint may come too late.
  useLayoutEffect(() => {
    if (isOpen) document.getElementById(id)?.focus();
  }, [isOpen]);
  return (
    <>
      <button
        ref={anchor}
        type="button"
        class={buttonClass}
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        aria-label={button ? label : undefined}
        onClick={() => setOpen(!isOpen)}
      >
        {button ?? label}
      </button>
      {isOpen && (
        <Floating
          anchor={anchor}
          onClose={() => setOpen(false)}
          align={align}
          isSheet={isSheet}
          class="popover"
          attributes={{ id, role: "dialog", "aria-label": label, tabIndex: -1 }}
        >
          {children(close)}
        </Floating>
      )}
    </>
  );
}

/**
 * A button that opens a list of actions.
 * @param {object} props
 * @param {string} props.label the name of the menu, and of the button if `button` is given
 * @param {any} [props.button] what the button shows; the label if absent
 * @param {string} [props.buttonClass]
 * @param {"start" | "end"} [props.align]
 * @param {{label: string, note?: string, icon?: any, onSelect: () => void, isDisabled?: boolean}[]} props.items
 */
export function MenuButton({ label, button, buttonClass = "", align, items }) {
  const [isOpen, setOpen] = useState(false);
  /** @type {import("preact").RefObject<HTMLButtonElement>} */
  const anchor = useRef(null);
  const id = useId();
  const focusItem = (/** @type {number} */ index) => {
    const nodes = document.getElementById(id)?.querySelectorAll("[role=menuitem]") ?? [];
    /** @type {HTMLElement | undefined} */ (nodes[(index + nodes.length) % nodes.length])?.focus();
  };
  const first = useRef(0);
  useLayoutEffect(() => {
    if (isOpen) focusItem(first.current);
  }, [isOpen]);
  const open = (/** @type {number} */ at) => {
    first.current = at;
    setOpen(true);
  };
  const onButtonKey = (/** @type {KeyboardEvent} */ event) => {
    if (event.key !== "ArrowDown" && event.key !== "ArrowUp") return;
    event.preventDefault();
    open(event.key === "ArrowDown" ? 0 : -1);
  };
  const onItemKey = (/** @type {KeyboardEvent} */ event, /** @type {number} */ index) => {
    const to = { ArrowDown: index + 1, ArrowUp: index - 1, Home: 0, End: -1 }[event.key];
    if (event.key === "Tab") setOpen(false);
    if (to === undefined) return;
    event.preventDefault();
    focusItem(to);
  };
  return (
    <>
      <button
        ref={anchor}
        type="button"
        class={buttonClass}
        aria-haspopup="menu"
        aria-expanded={isOpen}
        aria-label={button ? label : undefined}
        onClick={() => (isOpen ? setOpen(false) : open(0))}
        onKeyDown={onButtonKey}
      >
        {button ?? label}
      </button>
      {isOpen && (
        <Floating
          anchor={anchor}
          onClose={() => setOpen(false)}
          align={align}
          class="menu-list"
          attributes={{ id, role: "menu", "aria-label": label }}
        >
          {items.map((item, index) => (
            <button
              key={index}
              type="button"
              role="menuitem"
              tabIndex={-1}
              aria-disabled={item.isDisabled || undefined}
              onKeyDown={(event) => onItemKey(event, index)}
              onClick={() => {
                if (item.isDisabled) return;
                setOpen(false);
                anchor.current?.focus();
                item.onSelect();
              }}
            >
              {item.icon && <Icon name={item.icon} />}
              <span>
                {item.label}
                {item.note && <span class="small muted block">{item.note}</span>}
              </span>
            </button>
          ))}
        </Floating>
      )}
    </>
  );
}

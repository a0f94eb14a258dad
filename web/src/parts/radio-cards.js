// Values of which one is chosen, each a card with a drawing and an explanation: a group of radio buttons.

import { useId } from "preact/hooks";
import "../style/radio-cards.css";

/**
 * @param {object} props
 * @param {string} props.label
 * @param {any} props.value
 * @param {import("./controls.js").Choice[]} props.options
 * @param {(value: any) => void} props.onChange
 * @param {boolean} [props.isPaired] whether two cards stand side by side
 */
export function RadioCards({ label, value, options, onChange, isPaired = false }) {
  const name = useId();
  return (
    <fieldset class={`radio-cards ${isPaired ? "paired" : ""}`}>
      <legend class="small muted">{label}</legend>
      {options.map((option) => (
        <label key={option.value} class={`radio-card ${option.value === value ? "chosen" : ""}`}>
          <input type="radio" name={name} checked={option.value === value} onChange={() => onChange(option.value)} />
          {option.picture}
          <span class="radio-text">
            {option.label}
            {option.note && <span class="small muted block">{option.note}</span>}
          </span>
        </label>
      ))}
    </fieldset>
  );
}

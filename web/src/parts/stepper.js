// A number with buttons to decrease and increase it.

import { t } from "../catalogue/index.js";
import "../style/stepper.css";

/** @param {{label: string, shown: string, value: number, step: number, most: number, onChange: (value: number) => void}} props */
export function Stepper({ label, shown, value, step, most, onChange }) {
  return (
    <span class="stepper" role="group" aria-label={label}>
      <button type="button" disabled={value <= 0} aria-label={t("stepper.less")} onClick={() => onChange(value - step)}>
        −
      </button>
      <output>{shown}</output>
      <button type="button" disabled={value + step > most} aria-label={t("stepper.more")} onClick={() => onChange(value + step)}>
        +
      </button>
    </span>
  );
}

// The form of one standing order: what it is about, its fields, and how long it holds.

import { useId, useState } from "preact/hooks";
import { t, hasText } from "../catalogue/index.js";
import { Select } from "../parts/controls.js";
import { isMoney, orderText, untilText, valueText } from "./sentences.js";

/** @typedef {import("./load.js").Order} Order */
/** @typedef {import("./load.js").OrderKind} OrderKind */
/** @typedef {import("./load.js").Field} Field */

/** Numbers up to this one are chosen from a list. */
const MAX_LISTED = 12;
/** The step of amounts in thousands of dollars: the value of the smallest cheque. */
const MONEY_STEP = 10;

/** Return the values of an order that nobody has changed yet. @param {OrderKind} kind @returns {Record<string, any>} */
export function defaultsOf({ fields }) {
  return Object.fromEntries(fields.map((field) => [field.name, field.default ?? null]));
}

/**
 * @param {object} props
 * @param {OrderKind[]} props.kinds those that the form offers
 * @param {string | null} props.period
 * @param {Order | null} props.order that is changed; null for a new one
 * @param {boolean} props.isBusy
 * @param {(order: Order) => void} props.onSave
 * @param {() => void} props.onCancel
 */
export function OrderForm({ kinds, period, order, isBusy, onSave, onCancel }) {
  const id = useId();
  const [draft, setDraft] = useState(/** @type {Order} */ (order ?? { kind: kinds[0].kind, values: defaultsOf(kinds[0]), until: period ? "period" : "once" }));
  const kind = kinds.find((each) => each.kind === draft.kind) ?? kinds[0];
  /** @param {string} name */
  const choose = (name) => {
    const next = /** @type {OrderKind} */ (kinds.find((each) => each.kind === name));
    setDraft({ ...draft, kind: name, values: defaultsOf(next) });
  };
  /** @param {string} name @param {any} value */
  const change = (name, value) => setDraft({ ...draft, values: { ...draft.values, [name]: value } });
  const holds = ["once", ...(period ? ["period"] : []), "changed"];
  return (
    <form
      class="order-form"
      onSubmit={(event) => {
        event.preventDefault();
        onSave(draft);
      }}
    >
      <div class="order-field">
        <span id={`${id}-kind`}>{t("orders.kind")}</span>
        <Select labelledBy={`${id}-kind`} value={draft.kind} options={kinds.map((each) => ({ value: each.kind, label: t(`orders.kind.${each.kind}`) }))} onChange={choose} />
      </div>
      {kind.fields.map((field) => (
        <OrderField key={`${kind.kind}.${field.name}`} kind={kind.kind} field={field} value={draft.values[field.name]} onChange={(value) => change(field.name, value)} />
      ))}
      <div class="order-field">
        <span id={`${id}-until`}>{t("orders.until")}</span>
        <Select labelledBy={`${id}-until`} value={draft.until} options={holds.map((value) => ({ value, label: untilText(value, period) }))} onChange={(until) => setDraft({ ...draft, until })} />
      </div>
      <p class="order-preview" role="status">
        {orderText(draft)}
      </p>
      <div class="order-end">
        <button type="button" onClick={onCancel}>
          {t("orders.cancel")}
        </button>
        <button class="bay" disabled={isBusy}>
          {t("orders.save")}
        </button>
      </div>
    </form>
  );
}

/** Return the label of a field. @param {string} kind @param {string} name */
function labelOf(kind, name) {
  const own = `orders.field.${kind}.${name}`;
  return t(hasText(own) ? own : `orders.field.${name}`);
}

/** @param {{kind: string, field: Field, value: any, onChange: (value: any) => void}} props */
function OrderField({ kind, field, value, onChange }) {
  const id = useId();
  const label = labelOf(kind, field.name);
  if (field.kind === "limit" && field.most > MAX_LISTED) {
    return (
      <div class="order-field">
        <label for={id}>{label}</label>
        <span class="order-number">
          <input
            id={id}
            type="number"
            inputMode="numeric"
            required
            min={field.least}
            max={field.most}
            step={isMoney(kind, field.name) ? MONEY_STEP : 1}
            value={value ?? ""}
            onInput={(event) => onChange(event.currentTarget.value === "" ? null : Number(event.currentTarget.value))}
          />
          {isMoney(kind, field.name) && <span class="small muted">{t("orders.thousands")}</span>}
        </span>
      </div>
    );
  }
  return (
    <div class="order-field">
      <span id={id}>{label}</span>
      <Select labelledBy={id} value={value ?? null} options={valuesOf(field).map((each) => ({ value: each, label: valueText(kind, field.name, each) }))} onChange={onChange} />
    </div>
  );
}

/** Return the values that a field can take, null among them if it may be empty. @param {Field} field @returns {any[]} */
function valuesOf(field) {
  if (field.kind === "pick") return field.values;
  const numbers = Array.from({ length: field.most - field.least + 1 }, (_, index) => field.least + index);
  return field.none ? [null, ...numbers] : numbers;
}

// The settings of a table: clocks, and the options of a game with an explanation for each.

import { useId } from "preact/hooks";
import { t } from "../catalogue/index.js";
import { Disclosure, Select } from "./controls.js";
import "../style/settings.css";

/** @typedef {{name: string, kind: string, help: string, default: any, [field: string]: any}} Option */

export const CLOCKS = {
  none: { kind: "none" },
  quick: { kind: "decision", seconds: 30 },
  calm: { kind: "decision", seconds: 90 },
  bank: { kind: "bank", seconds: 600, increment: 15 },
  days: { kind: "decision", seconds: 86_400 },
};

/** Units of time, the largest first, with the key of a clock in this unit. @type {[number, string][]} */
const UNITS = [
  [86_400, "clock.days"],
  [3600, "clock.hours"],
  [60, "clock.minutes"],
];

/** Return a clock in words: "45 s a decision", "1 day a move". @param {any} clock */
export function clockSettingText(clock) {
  if (clock.kind === "bank") return t("clock.bank", { minutes: Math.round(clock.seconds / 60), increment: clock.increment });
  if (clock.kind !== "decision") return t("clock.none");
  const unit = UNITS.find(([seconds]) => clock.seconds >= 2 * seconds || (clock.seconds === seconds && seconds > 60));
  if (!unit || clock.seconds % unit[0]) return t("clock.decision", { seconds: clock.seconds });
  return t(unit[1], { count: clock.seconds / unit[0] });
}

/**
 * Return the explanation of an option in the chosen language, or the server's English one.
 * @param {string} game @param {Option} option
 */
function helpOf(game, option) {
  const key = `option.${game}.${option.name}`;
  const text = t(key);
  return text === key ? option.help : text;
}

/** Return the name of an option or of one of its values. @param {string} key @param {string} otherwise */
function nameOf(key, otherwise) {
  const text = t(key);
  return text === key ? otherwise.replaceAll("_", " ") : text;
}

/**
 * @param {{game: string, options: Option[], values: Record<string, any>, onChange: (name: string, value: any) => void}} props
 */
export function OptionFields({ game, options, values, onChange }) {
  return options.map((option) => (
    <OptionField
      key={option.name}
      game={game}
      option={option}
      value={option.name in values ? values[option.name] : option.default}
      onChange={(value) => onChange(option.name, value)}
    />
  ));
}

/** @param {{game: string, option: Option, value: any, onChange: (value: any) => void}} props */
function OptionField({ game, option, value, onChange }) {
  const id = useId();
  const label = nameOf(`option.${game}.${option.name}.name`, option.name);
  return (
    <div class="option">
      {option.kind === "flag" ? (
        <label class="option-flag" for={id}>
          <input id={id} type="checkbox" checked={value} onChange={(event) => onChange(event.currentTarget.checked)} />
          {label}
        </label>
      ) : option.kind === "limit" ? (
        <label for={id}>{label}</label>
      ) : (
        <span id={id}>{label}</span>
      )}
      {option.kind === "pick" && (
        <Select
          labelledBy={id}
          value={value}
          options={option.values.map((/** @type {string} */ each) => ({ value: each, label: nameOf(`option.${game}.${option.name}.${each}`, each) }))}
          onChange={onChange}
        />
      )}
      {option.kind === "limit" && (
        <input
          id={id}
          type="number"
          min={option.least}
          max={option.most}
          value={value ?? ""}
          placeholder={option.none ? t("option.none") : undefined}
          onInput={(event) => {
            const text = event.currentTarget.value;
            onChange(text === "" ? null : Number(text));
          }}
        />
      )}
      {option.kind === "cards" && <CardsField game={game} option={option} value={value} onChange={onChange} />}
      <p class="small muted">{helpOf(game, option)}</p>
    </div>
  );
}

/**
 * A field for a list of cards, each up to its number of copies.
 * @param {{game: string, option: Option, value: string[], onChange: (value: string[]) => void}} props
 */
function CardsField({ game, option, value, onChange }) {
  /** @param {string} card @param {number} step */
  const change = (card, step) => {
    if (step > 0) onChange([...value, card]);
    else onChange(value.toSpliced(value.lastIndexOf(card), 1));
  };
  return (
    <Disclosure
      class="cards-field"
      summary={value.length ? t("option.cards_chosen", { count: value.length, size: option.size }) : t("option.cards_all")}
    >
      {Object.entries(option.supply).map(([card, supply]) => {
        const chosen = value.filter((each) => each === card).length;
        const name = nameOf(`card.${game}.${card}`, card);
        return (
          <div key={card} class="cards-row">
            <span>{name}</span>
            <button type="button" disabled={!chosen} onClick={() => change(card, -1)} aria-label={t("option.fewer", { name })}>
              −
            </button>
            <output>{chosen}</output>
            <button
              type="button"
              disabled={chosen >= Number(supply) || value.length >= option.size}
              onClick={() => change(card, 1)}
              aria-label={t("option.more", { name })}
            >
              +
            </button>
          </div>
        );
      })}
    </Disclosure>
  );
}

// The settings of a table: clocks, and the options of a game with an explanation for each.

import { useId } from "preact/hooks";
import { t, withTexts } from "../catalogue/index.js";
import { Disclosure, Segmented, Select } from "./controls.js";
import { lengthText } from "./figures.js";
import { lazy } from "./lazy.js";
import { isDayClock } from "./pace.js";
import "../style/settings.css";

/** @typedef {{name: string, kind: string, help: string, default: any, [field: string]: any}} Option */

export const CLOCKS = {
  none: { kind: "none" },
  quick: { kind: "decision", seconds: 30 },
  calm: { kind: "decision", seconds: 90 },
  bank: { kind: "bank", seconds: 600, increment: 15 },
};

/** Clocks of games that are played by the day. */
export const DAY_CLOCKS = {
  hours: { kind: "decision", seconds: 43_200 },
  days: { kind: "decision", seconds: 86_400 },
  days3: { kind: "decision", seconds: 259_200 },
  week: { kind: "decision", seconds: 604_800 },
  daybank: { kind: "bank", seconds: 432_000, increment: 43_200 },
};

/** Units of time, the largest first, with the key of a clock in this unit. @type {[number, string][]} */
const UNITS = [
  [86_400, "clock.days"],
  [3600, "clock.hours"],
  [60, "clock.minutes"],
];

/** Return a clock in words: "45 s a decision", "1 day a move", "5 days, and 12 h more a decision". @param {any} clock */
export function clockSettingText(clock) {
  if (isDayClock(clock) && clock.kind === "bank" && !clock.increment) return lengthText(clock.seconds * 1000);
  if (isDayClock(clock) && clock.kind === "bank") return t("clock.bank_long", { time: lengthText(clock.seconds * 1000), more: lengthText(clock.increment * 1000) });
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

/** @param {any} value of an option that may have none */
function hasValue(value) {
  return Array.isArray(value) ? value.length > 0 : value !== null && value !== undefined;
}

/** Return whether an option must have no value, since another one has. @param {Option} option @param {Record<string, any>} values */
export function isRuledOut({ unless }, values) {
  return unless !== undefined && hasValue(values[unless]);
}

/**
 * Return the values that change with an option: its own, and none for the options that must have none beside it.
 * @param {Option[]} options @param {string} name @param {any} value @returns {Record<string, any>}
 */
export function changedOptions(options, name, value) {
  const ruledOut = hasValue(value) ? options.filter(({ unless }) => unless === name) : [];
  return { [name]: value, ...Object.fromEntries(ruledOut.map((option) => [option.name, null])) };
}

/**
 * @param {{game: string, options: Option[], values: Record<string, any>, onChange: (changed: Record<string, any>) => void}} props
 */
export function OptionFields({ game, options, values, onChange }) {
  return options.map((option) => (
    <OptionField
      key={option.name}
      game={game}
      option={option}
      value={option.name in values ? values[option.name] : option.default}
      isDisabled={isRuledOut(option, values)}
      onChange={(value) => onChange(changedOptions(options, option.name, value))}
    />
  ));
}

/** @param {{game: string, option: Option, value: any, isDisabled: boolean, onChange: (value: any) => void}} props */
function OptionField({ game, option, value, isDisabled, onChange }) {
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
      {option.kind === "pick" && <PickField id={id} game={game} option={option} value={value} onChange={onChange} />}
      {option.kind === "limit" && (
        <input
          id={id}
          type="number"
          min={option.least}
          max={option.most}
          value={value ?? ""}
          disabled={isDisabled}
          placeholder={option.none ? nameOf(`option.${game}.${option.name}.none`, t("option.none")) : undefined}
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

/** The value of a list of values in a field for one: each thing has its own. */
const EACH = "each";

/** Drawings and names of things that have values of their own, fetched when they are first shown. @type {Record<string, () => Promise<any>>} */
const THINGS = { "builders.plot_sides": withTexts(() => import("../pages/waiting/plot-sides.js"), "builders") };

/**
 * A field for one of several values or, where the option has things, for a value of each.
 * @param {{id: string, game: string, option: Option, value: string | string[], onChange: (value: any) => void}} props
 */
function PickField({ id, game, option, value, onChange }) {
  const key = `option.${game}.${option.name}`;
  /** @param {string} each */
  const choice = (each) => ({ value: each, label: nameOf(`${key}.${each}`, each) });
  const isEach = Array.isArray(value);
  return (
    <>
      <Select
        labelledBy={id}
        value={isEach ? EACH : value}
        options={[...option.values, ...(option.each ? [EACH] : [])].map(choice)}
        onChange={(chosen) => onChange(chosen === EACH ? option.each.map(() => value) : chosen)}
      />
      {isEach && <EachField game={game} option={option} values={value} onChange={onChange} />}
    </>
  );
}

/**
 * A field for the value of each of several things.
 * @param {{game: string, option: Option, values: string[], onChange: (values: string[]) => void}} props
 */
function EachField({ game, option, values, onChange }) {
  const drawn = lazy(THINGS[`${game}.${option.name}`]);
  return (
    <ul class="each-field">
      {option.each.map((/** @type {string} */ thing, /** @type {number} */ index) => (
        <li key={thing}>
          {drawn && <drawn.Picture thing={thing} value={values[index]} />}
          <Segmented
            label={drawn ? drawn.textOf(thing, values[index]) : thing}
            value={values[index]}
            options={option.values.map((/** @type {string} */ each) => ({ value: each, label: nameOf(`option.${game}.${option.name}.each.${each}`, each) }))}
            onChange={(value) => onChange(values.with(index, value))}
          />
        </li>
      ))}
    </ul>
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

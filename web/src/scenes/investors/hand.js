// The hand of a player: influence cards, cheques and option tiles.

import { t } from "../../catalogue/index.js";
import { Chip, Icon, Symbol } from "../../parts/art.js";
import { capitalize } from "../../parts/names.js";
import { total } from "../../parts/prompt.js";
import { OPTION_TILES } from "./values.js";
import { money, targetText, thousands } from "./labels.js";

const CARDS = Array.from({ length: 10 }, (_, card) => card);
export const OPTIONS = Object.keys(OPTION_TILES);

/**
 * The ten influence cards. A card that is not offered says why.
 * @param {{offered: number[] | null, sealed: number | null, chosen?: number | null, influence: number, onPick?: (card: number) => void,
 *   onWhyNot?: (reason: string, sentence: string) => void}} props
 */
export function InfluenceCards({ offered, sealed, chosen = null, influence, onPick, onWhyNot }) {
  return (
    <ul class="influence-hand" aria-label={t("hand.influence")}>
      {CARDS.map((card) => {
        const can = offered?.includes(card) ?? false;
        const isSealed = card === sealed;
        const person = t(`influence.${card}`);
        const why = offered && !can ? t("hand.too_high", { card, influence }) : null;
        return (
          <li key={card}>
            <button
              type="button"
              class={`influence-card ${can ? "can" : ""} ${offered && !can ? "cannot" : ""} ${isSealed ? "sealed" : ""} ${card === chosen ? "chosen" : ""}`}
              aria-pressed={offered ? isSealed || card === chosen : undefined}
              tabIndex={offered ? 0 : -1}
              aria-disabled={!can}
              aria-describedby={why ? `why-${card}` : undefined}
              onClick={() => (can ? onPick?.(card) : why && onWhyNot?.("hand.too_high", why))}
            >
              <span class="card-number serif">{card}</span>{" "}
              <Symbol name={`influence-${card}`} width={50} class="portrait" />
              <span class="card-name">{isSealed ? t("hand.sealed") : person}</span>
              {isSealed && <span class="hidden-visually">{person}</span>}
              {isSealed && <Symbol name="seal" width={30} class="wax" />}
            </button>
            {why && (
              <span class="tip" role="tooltip" data-why id={`why-${card}`}>
                {why}
              </span>
            )}
          </li>
        );
      })}
    </ul>
  );
}

/** Return the CSS class of a banknote of this value. @param {number} value */
function noteClass(value) {
  return `note note-${value <= 20 ? "a" : value <= 40 ? "b" : value <= 60 ? "c" : value <= 80 ? "d" : value <= 90 ? "e" : "f"}`;
}

/** @param {{value: number}} props */
export function Note({ value }) {
  return (
    <svg class={noteClass(value)} viewBox="0 0 96 52" aria-hidden="true">
      <Symbol name="cheque" width={96} height={52} />
      <text x="89" y="33" text-anchor="end">
        {value}
        <tspan class="thousand">{t("inv.thousand")}</tspan>
      </text>
    </svg>
  );
}

/**
 * Cheques to select from. Several may have the same value, so they are selected by index.
 * @param {object} props
 * @param {number[]} props.cheques
 * @param {number[]} [props.locked] cheques already on the table
 * @param {number[]} props.chosen indices in the list
 * @param {Map<number, number>} [props.taken] indices of cheques that are assigned to a seat, and the seat
 * @param {boolean} [props.isFull]
 * @param {boolean} [props.isSealed]
 * @param {(index: number) => void} props.onToggle
 */
export function ChequePicker({ cheques, locked = [], chosen, taken, isFull = false, isSealed = false, onToggle }) {
  return (
    <ul class={`cheque-hand ${isSealed ? "sealed" : ""}`} aria-label={t("hand.cheques")}>
      {locked.map((value, index) => (
        <li key={`locked-${index}`}>
          <span class="cheque locked" role="img" aria-label={t("hand.locked", { amount: money(value) })}>
            <Note value={value} />
            <span class="mark">
              <Icon name="lock" size={14} />
            </span>
          </span>
        </li>
      ))}
      {cheques.map((value, index) => {
        const isChosen = chosen.includes(index);
        const seat = isChosen ? undefined : taken?.get(index);
        return (
          <li key={index}>
            <button
              type="button"
              class={`cheque ${isChosen ? "chosen" : ""} ${seat === undefined ? "" : "taken"}`}
              aria-pressed={isChosen}
              aria-label={t("hand.cheque", { short: thousands(value) })}
              disabled={isFull && !isChosen}
              onClick={() => onToggle(index)}
            >
              <Note value={value} />
              {isChosen && (
                <span class="mark">
                  <Icon name="check" size={14} />
                </span>
              )}
              {seat !== undefined && (
                <span class="mark">
                  <Chip seat={seat} size={22} />
                </span>
              )}
            </button>
          </li>
        );
      })}
    </ul>
  );
}

/** Return the values at these indices. @param {number[]} cheques @param {number[]} chosen */
export function valuesAt(cheques, chosen) {
  return chosen.map((index) => cheques[index]);
}

/** The cheques in hand while none can be selected. @param {{cheques: number[]}} props */
export function ChequeHand({ cheques }) {
  return (
    <div class="resting-cheques">
      <p class="small muted hand-title">
        <span>{t("hand.cheques")}</span>
        <span>{cheques.length ? t("hand.cheques_sum", { count: cheques.length, amount: money(total(cheques)) }) : ""}</span>
      </p>
      {cheques.length ? (
        <div class={cheques.length > 12 ? "fan many" : "fan"} role="img" aria-label={cheques.map((value) => money(value)).join(", ")}>
          {cheques.map((value, index) => (
            // Each cheque covers the next, and every value stays visible.
            <span key={index} class={value >= 100 ? "long" : ""} style={{ zIndex: cheques.length - index }}>
              <Note value={value} />
            </span>
          ))}
        </div>
      ) : (
        <p class="small muted">{t("hand.no_cheques")}</p>
      )}
    </div>
  );
}

/** @param {{offered: string[], sealed: string | null, chosen: string | null, onPick: (option: string) => void, onWhyNot: (reason: string, sentence: string) => void}} props */
export function OptionTiles({ offered, sealed, chosen, onPick, onWhyNot }) {
  return (
    <ul class="option-hand" aria-label={t("hand.options")}>
      {OPTIONS.map((option) => {
        const can = offered.includes(option);
        const isSealed = option === sealed;
        return (
          <li key={option}>
            <button
              type="button"
              class={`option-tile ${can ? "can" : "cannot"} ${isSealed ? "sealed" : ""} ${option === chosen ? "chosen" : ""}`}
              aria-pressed={isSealed || option === chosen}
              aria-disabled={!can}
              onClick={() => (can ? onPick(option) : onWhyNot("hand.option_closed", t("hand.option_closed")))}
            >
              <OptionDrawing option={option} width={108} />
              <span>{isSealed ? t("hand.sealed") : capitalize(targetText(option))}</span>
              {!can && <span class="small muted">{t("hand.option_closed")}</span>}
              {isSealed && <Symbol name="seal" width={30} class="wax" />}
            </button>
          </li>
        );
      })}
    </ul>
  );
}

/** @param {{option: string, width: number}} props */
export function OptionDrawing({ option, width }) {
  return <Symbol name={`option-${option.replace("_", "-")}`} width={width} height={(width * 2) / 3} />;
}

// The table of points: one row per seat, one column per source.

import { t } from "../catalogue/index.js";
import { Chip } from "./art.js";
import { BotMark } from "./bots.js";
import { nameOf } from "./names.js";
import { PersonName } from "./person-name.js";
import { pointsText } from "./points-text.js";
import "../style/points.css";

/**
 * @typedef {object} Column
 * @property {string} key
 * @property {string} label for screen readers and on hover
 * @property {any} [head] a drawing in place of the label
 * @property {(seat: number) => any} cell the content for a seat; null is shown as a dash
 */

export { pointsText };

/** Return the seats from the first place to the last. @param {{places: number[]}} outcome */
export function ranking(outcome) {
  return outcome.places.map((_, seat) => seat).sort((one, other) => outcome.places[one] - outcome.places[other] || one - other);
}

/**
 * @param {object} props
 * @param {any} props.view
 * @param {{scores: number[], places: number[], winners: number[], per_point?: number}} props.outcome
 * @param {Column[]} props.columns
 * @param {Column | null} [props.tie] the tie-breaker, after the totals; marked for tied seats
 */
export function Points({ view, outcome, columns, tie = null }) {
  const { scores, places } = outcome;
  const isEqual = (/** @type {number} */ seat) => scores.filter((score) => score === scores[seat]).length > 1;
  return (
    <div class="points-frame" role="region" aria-label={t("end.ranking")} tabIndex={0}>
      <table class="points">
        <caption class="small muted">{t("end.ranking")}</caption>
        <thead>
          <tr>
            <th scope="col">
              <span class="hidden-visually">{t("end.place")}</span>
            </th>
            <th scope="col" class="who">
              {t("end.player")}
            </th>
            {columns.map(({ key, label, head }) => (
              <th key={key} scope="col" title={label}>
                {head ?? label}
              </th>
            ))}
            <th scope="col" class="total-head">
              {t("end.total")}
            </th>
            {tie && <th scope="col">{tie.head ?? tie.label}</th>}
          </tr>
        </thead>
        <tbody>
          {ranking(outcome).map((seat) => (
            <tr key={seat} class={places[seat] === 1 ? "winner" : ""}>
              <td class="place">{t(`place.${places[seat]}`)}</td>
              <th scope="row" class="who">
                <Chip seat={seat} size={24} /> <PersonName person={view.seats[seat]}>{nameOf(view, seat)}</PersonName> <BotMark chair={view.seats[seat]} />
              </th>
              {columns.map(({ key, cell }) => (
                <td key={key}>{cell(seat) ?? <span class="muted">–</span>}</td>
              ))}
              <td class="total serif">{pointsText(scores[seat], outcome.per_point)}</td>
              {tie && <td class={isEqual(seat) ? "broke" : "muted"}>{tie.cell(seat)}</td>}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

// The result: the tokens of each district and of the cable cars with their tie-breaks, then all other points.

import { t } from "../../catalogue/index.js";
import { Chip } from "../../parts/art.js";
import { capitalize, nameInSentence, nameOf } from "../../parts/names.js";
import { narrow } from "../../parts/narrow.js";
import { ranking } from "../../parts/points.js";
import { COLUMNS, DISTRICTS, NO_CARD, ROWS, columnOf } from "./cards.js";
import { City } from "./city.js";
import { Symbol } from "./card-face.js";
import { categoryName, tone } from "./standings.js";
import { tieText, tiesOf } from "./ties.js";
import { halvesText, placeText, rowName } from "./labels.js";

/** @param {{view: any}} props */
export function End({ view }) {
  const game = view.play?.game;
  const outcome = view.play?.outcome;
  if (!outcome) return null;
  const seats = ranking(outcome);
  return (
    <>
      <p class="pl-why">{endText(view)}</p>
      <div class="pl-end-room" tabIndex={0} role="region" aria-label={t("end.ranking")}>
        <table class="pl-end">
          <caption class="hidden-visually">{t("end.ranking")}</caption>
          <thead>
            <tr>
              <th scope="col" class="small muted">
                {t("planners.end.legend")}
              </th>
              {seats.map((seat) => (
                <th key={seat} scope="col" class={outcome.places[seat] === 1 ? "winner" : ""}>
                  <span class="pl-end-head">
                    <Chip seat={seat} size={24} />
                    <span class="pl-end-name" title={nameOf(view, seat)}>
                      {nameOf(view, seat)}
                    </span>
                    <span class="pl-end-place small">{placeText(outcome.places[seat])}</span>
                  </span>
                </th>
              ))}
              {!narrow.value && <th scope="col">{t("planners.end.ties")}</th>}
            </tr>
          </thead>
          <tbody>
            {game.standings.map((/** @type {any[]} */ standings, /** @type {number} */ category) => (
              <Category key={category} view={view} seats={seats} category={category} standings={standings} />
            ))}
            <Part view={view} seats={seats} symbol="skyscraper" part="towers" count={(seat) => game.seats[seat].towers.length} />
            <Part view={view} seats={seats} symbol="medal" part="medal" count={(seat) => Number(game.medal === seat)} />
            <Part
              view={view}
              seats={seats}
              symbol="hex"
              part="rows"
              label={(seat) => DISTRICTS.flatMap((_, row) => (game.completed[row] === seat ? [rowName(row)] : [])).join(", ")}
            />
            <Part view={view} seats={seats} symbol="points" part="tokens" count={(seat) => game.seats[seat].point_tokens} />
          </tbody>
          <tfoot>
            <tr>
              <th scope="row" class="serif">
                {t("end.total")}
              </th>
              {seats.map((seat) => (
                <td key={seat} class={outcome.places[seat] === 1 ? "winner" : ""}>
                  <b class="pl-end-total serif">{halvesText(outcome.scores[seat])}</b>
                </td>
              ))}
              {!narrow.value && <td class="small muted">{tieBreakText(view)}</td>}
            </tr>
          </tfoot>
        </table>
      </div>
      {narrow.value && tieBreakText(view) && <p class="small muted">{tieBreakText(view)}</p>}
    </>
  );
}

/** Return how the game ended, as a sentence. @param {any} view */
function endText(view) {
  const { reason, seat } = view.play.game.stage;
  const isYou = seat === view.mine;
  return t(`planners.end.${reason}${isYou ? ".you" : ""}`, { name: nameOf(view, seat) });
}

/** Return what decided between seats with equal points. @param {any} view */
function tieBreakText(view) {
  const { outcome, game } = view.play;
  if (!outcome.tie_break) return "";
  const best = Math.max(...outcome.scores);
  const equal = ranking(outcome).filter((seat) => outcome.scores[seat] === best);
  if (equal.length < 2) return t("planners.end.cars");
  const cars = equal.map((seat) => t("planners.end.cars.of", { name: capitalize(nameInSentence(view, seat)), count: game.seats[seat].cars.length }));
  return t(outcome.winners.length > 1 ? "planners.end.cars.shared" : "planners.end.cars.decided", { cars: cars.join(", ") });
}

/** @param {{view: any, seats: number[], category: number, standings: any[]}} props */
function Category({ view, seats, category, standings }) {
  const { game, outcome } = view.play;
  const ties = tiesOf(game, category);
  const sentences = ties.map((tie) => tieText(view, tie));
  const why = sentences.length ? (
    sentences.map((sentence) => <p key={sentence}>{sentence}</p>)
  ) : (
    <p class="muted">{t("planners.end.no_tie")}</p>
  );
  const marked = (/** @type {number} */ seat) => new Set(ties.filter(({ by, better, worse }) => by !== "row" && (better === seat || worse === seat)).map(({ at }) => at));
  return (
    <>
      <tr>
        <th scope="row">
          <span class={`pl-end-category tone-${DISTRICTS[category] ?? "cars"}`}>
            <span class="pl-end-emblem">
              <Symbol name={category < ROWS ? `emblem-${DISTRICTS[category]}` : "car"} width={28} />
            </span>
            <span>{categoryName(category)}</span>
          </span>
        </th>
        {seats.map((seat) => {
          const { total, points } = standings.find((each) => each.seat === seat);
          return (
            <td key={seat} class={outcome.places[seat] === 1 ? "winner" : ""}>
              <span class="pl-end-cell">
                <b class="serif">{total}</b>
                <Medallion points={points} />
                <Parts game={game} seat={seat} category={category} marked={marked(seat)} />
              </span>
            </td>
          );
        })}
        {!narrow.value && <td class="pl-end-ties small">{why}</td>}
      </tr>
      {narrow.value && sentences.length > 0 && (
        <tr class="pl-end-tie-row">
          <td colSpan={seats.length + 1} class="small">
            {why}
          </td>
        </tr>
      )}
    </>
  );
}

/** An advantage token. @param {{points: number}} props */
function Medallion({ points }) {
  return <span class={`pl-medallion ${tone(points)}`}>{halvesText(points)}</span>;
}

/**
 * The parts of a total, from the left: the cards of a row, or the cable cars by column.
 * @param {{game: any, seat: number, category: number, marked: Set<number | null>}} props
 */
function Parts({ game, seat, category, marked }) {
  const own = game.seats[seat];
  const places = Array.from({ length: COLUMNS }, (_, column) => {
    if (category === ROWS) return { at: column, value: own.cars.filter((/** @type {number} */ space) => columnOf(space) === column).length, isEmpty: false };
    const space = category * COLUMNS + column;
    return { at: space, value: own.values[space], isEmpty: own.cards[space] === NO_CARD };
  });
  return (
    <span class="pl-end-parts">
      {places.map(({ at, value, isEmpty }) => (
        <i key={at} class={`${isEmpty ? "bare" : ""} ${marked.has(at) ? "broke" : ""}`}>
          {isEmpty && !marked.has(at) ? "" : value}
        </i>
      ))}
    </span>
  );
}

/**
 * A source of points without a ranking.
 * @param {{view: any, seats: number[], symbol: string, part: string, count?: (seat: number) => number, label?: (seat: number) => string}} props
 */
function Part({ view, seats, symbol, part, count, label }) {
  const { outcome } = view.play;
  return (
    <tr class="pl-end-small">
      <th scope="row">
        <span class="pl-end-category">
          <span class="pl-end-emblem tone-yellow">
            <Symbol name={symbol} width={24} />
          </span>
          <span>{t(`planners.part.${part}`)}</span>
        </span>
      </th>
      {seats.map((seat) => {
        const points = outcome.breakdown[seat][part] ?? 0;
        return (
          <td key={seat} class={outcome.places[seat] === 1 ? "winner" : ""}>
            <span class="pl-end-cell">
              <span class="pl-end-icons">
                {Array.from({ length: count?.(seat) ?? 0 }, (_, index) => (
                  <Symbol key={index} name={symbol} width={18} />
                ))}
              </span>
              <b class={`serif ${points ? "" : "muted"}`}>{points ? halvesText(points) : "–"}</b>
              {label && <span class="pl-end-text small muted">{label(seat)}</span>}
            </span>
          </td>
        );
      })}
      {!narrow.value && <td class="pl-end-ties small muted">{t(`planners.part.${part}.why`)}</td>}
    </tr>
  );
}

/** All final cities. @param {{view: any}} props */
export function EndBoard({ view }) {
  return (
    <div class="pl-cities">
      {ranking(view.play.outcome ?? { places: view.seats.map(() => 1) }).map((seat) => (
        <section key={seat} class="pl-end-city">
          <h3>
            <Chip seat={seat} size={20} /> {seat === view.mine ? t("planners.city.yours") : t("planners.city.of", { name: nameOf(view, seat) })}
          </h3>
          <div class="pl-room">
            <City view={view} seat={seat} isSmall />
          </div>
        </section>
      ))}
    </div>
  );
}

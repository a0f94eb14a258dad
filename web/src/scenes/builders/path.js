// The path of the year: the year, the action cards 1 to 6, and the next year with its income. Where the page is wide, all
// stops stand in one row and the current one is expanded. Elsewhere a line of numbers stands above its spaces.

import { t } from "../../catalogue/index.js";
import { ActionCard, isYearsEnd } from "./action-cards.js";
import { AREAS, LAST_YEAR, YEARS, YEAR_BOARD, spacesOf } from "./game-data.js";
import { CardSpaces, IncomeSpaces } from "./spaces.js";
import { dollars } from "./labels.js";
import { IncomeStop, NextYearStop, YearStop } from "./year-board.js";

/** @typedef {import("./interaction.js").Interaction} Interaction */
/** @typedef {{view: any, game: any, interaction: Interaction}} PathProps `game`: as shown, current or after the selected command */

export const CARD_AREAS = Array.from({ length: AREAS }, (_, index) => index + 1);
/** The number of the last stop, the next year. */
const NEXT = AREAS + 1;

/** Return the year of the cards on the path, and the stop that is expanded: 0, a card, or the next year. @param {any} game */
export function pathState(game) {
  const ends = isYearsEnd(game);
  return { year: ends ? game.year - 1 : game.year, expanded: ends ? NEXT : game.area };
}

/**
 * Return the style of a stop. Stops are moved by transforms, which the browser animates and does not count as layout shifts.
 * @param {number} stop @param {number} expanded
 */
function styleOf(stop, expanded) {
  const width = stop === 0 ? "var(--year)" : stop === NEXT ? "var(--next)" : "var(--card)";
  const before = stop === 0 ? "0px" : `var(--year) + ${stop - 1} * var(--card) + ${stop} * var(--gap)`;
  return {
    width: stop === expanded ? `calc(${width} + var(--spare))` : width,
    transform: `translateX(calc(${before} + ${stop > expanded ? "var(--spare)" : "0px"}))`,
  };
}

/** @param {PathProps & {did: Map<number, string>, highlighted: number[] | undefined}} props `did`: what the viewer did on each card */
export function Path({ view, game, interaction, did, highlighted }) {
  const current = view.play.game;
  const { year, expanded } = pathState(current);
  const isFirstYear = current.area === YEAR_BOARD && current.year === YEARS[0].year;
  const next = isFirstYear ? year + 1 : Math.min(year + 1, LAST_YEAR);
  return (
    <div class="path" role="group" aria-label={t("builders.path")}>
      {isFirstYear ? <IncomeStop view={view} game={game} interaction={interaction} style={styleOf(0, expanded)} /> : <YearStop view={view} year={year} style={styleOf(0, expanded)} />}
      {CARD_AREAS.map((area) => (
        <ActionCard
          key={area}
          view={view}
          game={game}
          area={area}
          interaction={interaction}
          did={did.get(area) ?? null}
          isHighlighted={highlighted?.includes(area)}
          style={styleOf(area, expanded)}
        />
      ))}
      {expanded === NEXT ? <IncomeStop view={view} game={game} interaction={interaction} style={styleOf(NEXT, expanded)} /> : <NextYearStop year={next} style={styleOf(NEXT, expanded)} />}
    </div>
  );
}

/** The path in one line, and the spaces of the current stop below it. @param {PathProps} props */
export function CompactPath({ view, game, interaction }) {
  const { area, costs, year, stage } = view.play.game;
  const isYearBoard = area === YEAR_BOARD;
  const ends = isYearsEnd(view.play.game);
  const next = ends ? year : year + 1;
  return (
    <div class="compact-path">
      <div class="progress">
        <b class="year-number serif">{ends ? year - 1 : year}</b>
        <span class="small muted">{t("builders.year.cost", { amount: dollars(costs.build) })}</span>
        <ol class="progress-cards" aria-label={t("builders.progress")}>
          {CARD_AREAS.map((each) => (
            <li key={each} class={each === area ? "now" : ends || each < area ? "past" : ""} aria-current={each === area ? "step" : undefined}>
              {each}
            </li>
          ))}
          {next <= LAST_YEAR && (
            <li class={`progress-year ${ends ? "now" : ""}`} aria-current={ends ? "step" : undefined}>
              {next}
            </li>
          )}
        </ol>
      </div>
      {stage.name !== "over" && !(isYearBoard && year === LAST_YEAR) && (
        <div class={`current-spaces ${isYearBoard ? "income-stop" : "action-card"} now`}>
          {isYearBoard ? (
            <IncomeSpaces view={view} game={game} interaction={interaction} />
          ) : (
            <CardSpaces view={view} game={game} area={area} spaces={spacesOf(game, area)} interaction={interaction} />
          )}
        </div>
      )}
    </div>
  );
}

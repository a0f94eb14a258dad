// The middle of the table: the city, the six action cards in a horseshoe around it, the displays between them, and the
// years below. A phone shows the city and the current card; a tab has the rest.

import { t } from "../../catalogue/index.js";
import { Chip } from "../../parts/art.js";
import { nameOf } from "../../parts/names.js";
import { narrow } from "../../parts/narrow.js";
import { ActionCard } from "./action-cards.js";
import { AREAS, YEAR_BOARD } from "./game-data.js";
import { City } from "./city.js";
import { GoalDisplay, PermitDisplay, Stock } from "./displays.js";
import { SeatStats } from "./seat-stats.js";
import { interactionOf } from "./interaction.js";
import { pickablePlots } from "./turn.js";
import { dollars } from "./labels.js";
import { Incomes, YearBoard } from "./year-board.js";

/** @typedef {import("../../store.js").TableModel} TableModel */
/** @typedef {import("./interaction.js").Interaction} Interaction */

const ALL_AREAS = Array.from({ length: AREAS }, (_, index) => index + 1);

/** @param {{model: TableModel, highlighted: any}} props */
export function Board({ model, highlighted }) {
  const view = model.view.value;
  const interaction = interactionOf(model);
  const game = interaction.preview?.game ?? view.play.game;
  const city = <ActiveCity view={view} game={game} interaction={interaction} highlighted={highlighted?.plots} />;
  if (narrow.value) {
    return (
      <div class="builders">
        <Progress view={view} />
        <CurrentArea view={view} game={game} interaction={interaction} />
        {city}
      </div>
    );
  }
  return (
    <div class="builders">
      <div class="plan">
        {ALL_AREAS.map((area) => (
          <ActionCard key={area} view={view} game={game} area={area} interaction={interaction} highlighted={highlighted?.areas} />
        ))}
        <PermitDisplay view={view} interaction={interaction} />
        <Stock view={view} game={game} interaction={interaction} />
        {city}
        <GoalDisplay view={view} game={game} interaction={interaction} />
        <YearBoard view={view} game={game} interaction={interaction} />
      </div>
    </div>
  );
}

/** @param {{view: any, game: any, interaction: Interaction, highlighted: number[] | undefined}} props */
function ActiveCity({ view, game, interaction, highlighted }) {
  const plots = pickablePlots(view, interaction.selection);
  const { stage } = view.play.game;
  return (
    <City
      view={view}
      shown={game}
      open={plots?.plots}
      reach={stage.name === "composing" && !plots ? stage.plots : undefined}
      chosen={interaction.chosen?.plot ?? null}
      highlighted={highlighted}
      onPick={(plot) => plots && interaction.pick({ do: plots.command, plot })}
    />
  );
}

/** The year, the cost of building and the current card in one line, for phones. @param {{view: any}} props */
function Progress({ view }) {
  const { area, year, costs } = view.play.game;
  return (
    <div class="progress">
      <b class="serif">{year}</b>
      <span class="muted">{t("builders.year.cost", { amount: dollars(costs.build) })}</span>
      <ol class="progress-cards" aria-label={t("builders.progress")}>
        {ALL_AREAS.map((each) => (
          <li key={each} class={each === area ? "now" : each < area ? "past" : ""} aria-current={each === area ? "step" : undefined}>
            {each}
          </li>
        ))}
      </ol>
    </div>
  );
}

/** @param {{view: any, game: any, interaction: Interaction}} props */
function CurrentArea({ view, game, interaction }) {
  const { area } = view.play.game;
  if (area === YEAR_BOARD) return <Incomes view={view} game={game} interaction={interaction} />;
  return <ActionCard view={view} game={game} area={area} interaction={interaction} />;
}

/** All cards and displays around the city in one column, for phones. @param {{model: TableModel}} props */
export function AllDisplays({ model }) {
  const view = model.view.value;
  const interaction = interactionOf(model);
  const { game } = view.play;
  return (
    <>
      {game.seats.map((/** @type {any} */ _, /** @type {number} */ seat) => (
        <section key={seat} class="panel-card" aria-label={nameOf(view, seat)}>
          <header>
            <b>{nameOf(view, seat)}</b>
            <Chip seat={seat} size={22} />
          </header>
          <SeatStats model={model} seat={seat} />
        </section>
      ))}
      <PermitDisplay view={view} interaction={interaction} />
      <GoalDisplay view={view} game={game} interaction={interaction} />
      <Stock view={view} game={game} interaction={interaction} />
      {ALL_AREAS.map((area) => (
        <ActionCard key={area} view={view} game={game} area={area} interaction={interaction} />
      ))}
      <YearBoard view={view} game={game} interaction={interaction} />
    </>
  );
}

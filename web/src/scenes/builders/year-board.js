// The year board: the cost of building and the bonuses of each year, and the income spaces.

import { t } from "../../catalogue/index.js";
import { choiceOf } from "../../parts/prompt.js";
import { FirstMark } from "./action-cards.js";
import { INCOME_SPACES, LAST_YEAR, YEARS, YEAR_BOARD } from "./game-data.js";
import { Symbol } from "./pieces.js";
import { Space } from "./spaces.js";
import { commandOf } from "./turn.js";
import { bonusText, dollars } from "./labels.js";

/** @typedef {import("./interaction.js").Interaction} Interaction */
/** @typedef {import("./game-data.js").Year} Year */

/** @param {{view: any, game: any, interaction: Interaction}} props */
export function YearBoard({ view, game, interaction }) {
  return (
    <section class="year-board" aria-label={t("builders.years")}>
      <ol class="calendar">
        {YEARS.map((year) => (
          <YearCell key={year.year} view={view} year={year} interaction={interaction} />
        ))}
      </ol>
      <Incomes view={view} game={game} interaction={interaction} />
    </section>
  );
}

/** The income spaces, on which each year begins. @param {{view: any, game: any, interaction: Interaction}} props */
export function Incomes({ view, game, interaction }) {
  const isNow = view.play.game.area === YEAR_BOARD && view.play.game.stage.name !== "over";
  return (
    <div class={`incomes ${isNow ? "now" : ""}`}>
      <header>
        <b>{t("builders.income")}</b>
        <FirstMark />
      </header>
      <div class="spaces of-4">
        {INCOME_SPACES.map((amount, index) => (
          <Space key={index} view={view} game={game} area={YEAR_BOARD} index={index} purpose={t("builders.income.space", { amount: dollars(amount) })} interaction={interaction}>
            <b class="coin serif">{dollars(amount)}</b>
          </Space>
        ))}
      </div>
    </div>
  );
}

/** @param {{view: any, year: Year, interaction: Interaction}} props */
function YearCell({ view, year, interaction }) {
  const now = view.play.game.year;
  const state = year.year < now ? "past" : year.year === now ? "now" : year.year === LAST_YEAR ? "final" : "next";
  const bonuses = [...year.given, ...year.choice];
  return (
    <li class={`year ${state}`} aria-current={state === "now" ? "date" : undefined}>
      <b class="serif">{year.year}</b>
      <span class="year-cost">{t("builders.year.cost", { amount: dollars(year.build_cost) })}</span>
      <span class="year-bonus">
        {bonuses.map((bonus, index) => (
          <>
            {index > 0 && <span class="bonus-or">{index <= year.given.length ? "+" : "/"}</span>}
            <Bonus view={view} year={year} bonus={bonus} interaction={interaction} isNow={state === "now"} />
          </>
        ))}
      </span>
    </li>
  );
}

/** @param {{view: any, year: Year, bonus: string, interaction: Interaction, isNow: boolean}} props */
function Bonus({ view, year, bonus, interaction, isNow }) {
  const label = bonusText(year, bonus);
  const command = { do: commandOf(bonus) };
  const can = isNow && view.play.decision?.about === "bonus" && choiceOf(view, command.do) !== undefined;
  const inner = bonus === "money" ? <BonusMoney year={year} /> : <Symbol name={bonus} width={22} />;
  if (!can) {
    return (
      <span class="bonus" role="img" aria-label={label} title={label}>
        {inner}
      </span>
    );
  }
  const isChosen = interaction.chosen?.do === command.do;
  return (
    <button type="button" data-pick="bonus" class={`bonus can ${isChosen ? "chosen" : ""}`} aria-pressed={isChosen} aria-label={label} title={label} onClick={() => interaction.pick(command)}>
      {inner}
    </button>
  );
}

/** @param {{year: Year}} props */
function BonusMoney({ year: { money = { fixed: 0, per_building: 0 } } }) {
  return (
    <b class="bonus-money">
      {dollars(money.fixed || money.per_building)}
      {money.per_building > 0 && <Symbol name="buildings" width={16} />}
    </b>
  );
}

// The years: the stop of the current year, the stop with the income and the bonuses of the next, and a list of all.

import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { t } from "../../catalogue/index.js";
import { Icon } from "../../parts/art.js";
import { FirstMark } from "./action-cards.js";
import { INCOME_SPACES, LAST_YEAR, YEARS, YEAR_BOARD, yearOf } from "./game-data.js";
import { Symbol } from "./pieces.js";
import { IncomeSpaces } from "./spaces.js";
import { bonusText, dollars } from "./labels.js";

/** @typedef {import("./interaction.js").Interaction} Interaction */
/** @typedef {import("./game-data.js").Year} Year */

/** The year that is under way, its cost of building, and how far the years have come. @param {{view: any, year: number, style: Record<string, string>}} props */
export function YearStop({ view, year, style }) {
  const [isOpen, setOpen] = useState(false);
  /** @type {import("preact").RefObject<HTMLElement>} */
  const stop = useRef(null);
  // Before the next key, which may close the list as soon as it is shown.
  useLayoutEffect(() => {
    if (!isOpen) return undefined;
    const close = (/** @type {Event} */ event) => {
      const isInside = event.target instanceof Node && stop.current?.contains(event.target);
      if (event instanceof KeyboardEvent ? event.key === "Escape" : !isInside) {
        // Escape closes the list and does nothing else.
        event.stopPropagation();
        setOpen(false);
      }
    };
    addEventListener("keydown", close, { capture: true });
    addEventListener("pointerdown", close);
    return () => {
      removeEventListener("keydown", close, { capture: true });
      removeEventListener("pointerdown", close);
    };
  }, [isOpen]);
  return (
    <section ref={stop} class="stop year-stop" style={style} aria-label={t("builders.years")}>
      <b class="year-number serif">{year}</b>
      <span class="small muted">{t("builders.year.cost", { amount: dollars(yearOf(year).build_cost) })}</span>
      <span class="year-dots" aria-hidden="true">
        {YEARS.map((each) => (
          <i key={each.year} class={each.year < year ? "past" : each.year === year ? "now" : ""} />
        ))}
      </span>
      <button type="button" class="plain all-years small" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        {t("builders.years.all")} <Icon name="next" size={14} />
      </button>
      {isOpen && (
        <div class="years-card card">
          <Calendar year={view.play.game.year} />
        </div>
      )}
    </section>
  );
}

/** All years with their costs and bonuses. @param {{year: number}} props the current one */
export function Calendar({ year: now }) {
  return (
    <ol class="calendar">
      {YEARS.map((year) => {
        const state = year.year < now ? "past" : year.year === now ? "now" : "";
        return (
          <li key={year.year} class={`year ${state}`} aria-current={state === "now" ? "date" : undefined}>
            <b class="serif">{year.year}</b>
            <span class="muted">{t("builders.year.cost", { amount: dollars(year.build_cost) })}</span>
            <Bonuses year={year} />
          </li>
        );
      })}
    </ol>
  );
}

/** The stop at the end of the path, before its year has begun. @param {{year: number, style: Record<string, string>}} props */
export function NextYearStop({ year, style }) {
  return (
    <section class="stop next-year" style={style} aria-label={t("builders.year.next", { year })}>
      <header>
        <b>{t("builders.year.next", { year })}</b>
        <span class="muted">{t("builders.year.cost", { amount: dollars(yearOf(year).build_cost) })}</span>
      </header>
      {year === LAST_YEAR ? (
        <p class="last-year small muted">{t("builders.year.last")}</p>
      ) : (
        <div class="coins" aria-hidden="true">
          {INCOME_SPACES.map((amount) => (
            <b key={amount} class="coin serif">
              {dollars(amount)}
            </b>
          ))}
        </div>
      )}
      <Bonuses year={yearOf(year)} />
    </section>
  );
}

/**
 * The stop of a year that begins: the income spaces, then what the year gives.
 * @param {{view: any, game: any, interaction: Interaction, style: Record<string, string>}} props
 */
export function IncomeStop({ view, game, interaction, style }) {
  const current = view.play.game;
  const isMine = current.turn === view.mine;
  const isChoosing = isMine && current.stage.name === "placing";
  return (
    <section class={`stop income-stop now ${isMine ? "mine" : ""}`} style={style} aria-label={t("builders.income")}>
      <header>
        <b class="card-state">{t(isChoosing ? "builders.income.choose" : isMine ? "builders.income.bonus" : "builders.income.year", { year: current.year })}</b>
        {current.year !== LAST_YEAR && <FirstMark area={YEAR_BOARD} year={current.year} />}
      </header>
      {current.year !== LAST_YEAR && <IncomeSpaces view={view} game={game} interaction={interaction} />}
      <p class="year-gives small muted">
        {current.year !== LAST_YEAR && t("builders.year.gives")} <Bonuses year={yearOf(current.year)} /> <span class="year-cost">{t("builders.year.cost", { amount: dollars(current.costs.build) })}</span>
      </p>
    </section>
  );
}

/** What a year gives: all that is given, and one of the others. @param {{year: Year}} props */
function Bonuses({ year }) {
  const bonuses = [...year.given, ...year.choice];
  return (
    <span class="year-bonus">
      {bonuses.map((bonus, index) => (
        <>
          {index > 0 && <span class="bonus-or">{index <= year.given.length ? "+" : t("builders.or")}</span>}
          <Bonus key={bonus} year={year} bonus={bonus} />
        </>
      ))}
    </span>
  );
}

/** @param {{year: Year, bonus: string}} props */
function Bonus({ year, bonus }) {
  const { fixed, per_building: each } = year.money ?? { fixed: 0, per_building: 0 };
  const label = bonusText(year, bonus);
  return (
    <span class="bonus" role="img" aria-label={label} title={label}>
      {bonus !== "money" && <Symbol name={bonus} width={20} />}
      {bonus === "money" && <b>{dollars(fixed || each)}</b>}
      {bonus === "money" && each > 0 && <Symbol name="buildings" width={16} />}
    </span>
  );
}

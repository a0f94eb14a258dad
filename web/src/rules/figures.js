// The figures of the rules: positions that the rules themselves have produced (figures/*.json, written by
// tests/web/rule_figures.py), drawn by the scenes of the table.

import { t, withTexts } from "../catalogue/index.js";
import { lazy } from "../parts/lazy.js";
import "../style/rule-figures.css";

/**
 * A figure: the rule that it illustrates, and a component that draws its position.
 * @typedef {{rule: string, Drawing: (props: {figure: any}) => any, [field: string]: any}} Figure
 */

/** Fetched with the texts of the game, because its drawings have labels. @type {Record<string, () => Promise<{FIGURES: Record<string, Figure>}>>} */
const FIGURES = {
  investors: withTexts(() => import("./figures/investors.js"), "investors", "reader"),
  planners: withTexts(() => import("./figures/planners.js"), "planners", "reader"),
  builders: withTexts(() => import("./figures/builders.js"), "builders", "reader"),
};

/** Return the figures of a game by name; none while they are fetched. @param {string} game */
export function useFigures(game) {
  const figures = lazy(FIGURES[game])?.FIGURES ?? {};
  return Object.entries(figures).map(([name, figure]) => ({ key: `${game}.${name}`, figure }));
}

/** The figures of a rule. @param {{figures: {key: string, figure: Figure}[], rule: string}} props */
export function FiguresOf({ figures, rule }) {
  return (
    <>
      {figures
        .filter(({ figure }) => figure.rule === rule)
        .map(({ key, figure }) => (
          <figure key={key} class="rule-figure" data-figure={key} data-game={key.split(".")[0]}>
            {/* The caption says what is to be seen; nothing in a drawing can be used. */}
            <div class="rule-drawing" inert aria-hidden="true">
              <figure.Drawing figure={figure} />
            </div>
            <figcaption class="small">{t(`rulebook.figure.${key}`)}</figcaption>
          </figure>
        ))}
    </>
  );
}

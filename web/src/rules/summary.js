// The summary card of a game: its rules in a dozen lines, to keep open beside the table. Each line names its rule.

import { t } from "../catalogue/index.js";
import { RuleLink } from "./rule-link.js";

/** The rules that the card of each game names, by part. @type {Record<string, Record<string, string[]>>} */
export const CARDS = {
  investors: {
    turn: ["3.1", "4.1", "4.3", "4.6", "5.1", "7.1"],
    mind: ["4.2", "5.2", "5.3", "2.5"],
    points: ["2.2", "7.5"],
    end: ["11.1", "11.2"],
  },
  planners: {
    turn: ["3.1", "3.4", "3.6", "4.2"],
    mind: ["5.1", "5.3", "5.5", "5.6", "6.1"],
    points: ["8.1", "8.5"],
    end: ["7.1", "7.2", "8.6"],
  },
  builders: {
    turn: ["3.2", "4.1", "4.2", "6.1"],
    mind: ["7.1", "7.2", "7.3", "7.4", "8.1", "5.5", "5.6"],
    points: ["8.5", "11.2"],
    end: ["11.1", "11.3"],
  },
};

/** @param {{game: string}} props */
export function SummaryCard({ game }) {
  return (
    <div class="summary-card">
      {Object.entries(CARDS[game]).map(([part, rules]) => (
        <section key={part}>
          <h3>{t(`rulebook.card.${part}`)}</h3>
          <ul>
            {rules.map((rule) => (
              <li key={rule}>
                {t(`rulebook.card.${game}.${rule}`)}
                <RuleLink game={game} rule={rule} />
              </li>
            ))}
          </ul>
        </section>
      ))}
    </div>
  );
}

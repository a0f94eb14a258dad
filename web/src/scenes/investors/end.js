// The result: the points by source, the tie-breaker, and the final city.

import { t } from "../../catalogue/index.js";
import { Symbol } from "../../parts/art.js";
import { capitalize } from "../../parts/names.js";
import { Points } from "../../parts/points.js";
import { CityMap } from "./map.js";
import { kindName } from "./labels.js";

const SOURCES = ["hall", "bank", "factory", "office", "market", "leisure", "villa", "residential", "bonus"];

/** @param {{view: any}} props */
export function End({ view }) {
  const outcome = view.play?.outcome ?? null;
  if (!outcome) return null;
  const { sticks } = view.play.game;
  const sources = SOURCES.filter((source) => outcome.breakdown.some((/** @type {any} */ parts) => parts[source]));
  const tie = {
    key: "sticks",
    label: t("end.sticks"),
    cell: (/** @type {number} */ seat) => sticks.filter((/** @type {number} */ owner) => owner === seat).length,
  };
  return (
    <>
      <p class="muted">{t(`end.reason.${outcome.reason}`)}</p>
      <Points view={view} outcome={outcome} columns={sources.map((source) => column(source, outcome))} tie={outcome.tie_break ? tie : null} />
      {outcome.tie_break && <TieBreak outcome={outcome} />}
    </>
  );
}

/** @param {string} source @param {any} outcome @returns {import("../../parts/points.js").Column} */
function column(source, outcome) {
  const isBonus = source === "bonus";
  const label = isBonus ? t("end.bonus") : kindName(source);
  return {
    key: source,
    label: capitalize(label),
    head: <Symbol name={isBonus ? "action-bonus" : `${source}-built`} width={isBonus ? 22 : 30} label={label} />,
    cell: (seat) => outcome.breakdown[seat][source],
  };
}

/** @param {{outcome: any}} props */
function TieBreak({ outcome }) {
  const isShared = new Set(outcome.places).size < outcome.places.length;
  return (
    <p class="small">
      {t(`end.tie.${outcome.tie_break}`)} {isShared && t("end.tie.still")}
    </p>
  );
}

/** @param {{view: any}} props */
export function EndBoard({ view }) {
  return <CityMap view={view} />;
}

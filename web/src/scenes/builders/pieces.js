// The drawings of permits, goals, houses and pawns.

import sheet from "../../art/builders.svg";
import { t } from "../../catalogue/index.js";
import { Icon, SEAT_COLOURS, symbolsFrom } from "../../parts/art.js";
import { memo } from "../../parts/memo.js";
import { BUILDINGS, goalParts, permitOf } from "./game-data.js";
import { goalShort, permitText, plain } from "./labels.js";

export const { Symbol } = symbolsFrom(sheet);

/** The number of a plot or a permit, on its plate. @param {{number: number}} props */
export function Plate({ number }) {
  return <span class="plate serif">{number}</span>;
}

/** The front of a permit. The element around it has the label. */
export const PermitFace = memo(function PermitFace(/** @type {{permit: number}} */ { permit }) {
  const { colour, number, symbols } = permitOf(permit);
  return (
    <span class={`permit land-${colour ?? "wild"}`} aria-hidden="true">
      <span class="permit-land">{number === null ? <WildMark /> : <Plate number={number} />}</span>
      <span class="permit-symbols">
        {symbols.map((symbol) => (
          <Symbol key={symbol} name={symbol} width={26} />
        ))}
      </span>
    </span>
  );
});

function WildMark() {
  return (
    <span class="wild-mark">
      <Symbol name="colour_set" width={26} />
      <b class="serif">{t("builders.any")}</b>
    </span>
  );
}

/** A small permit in front of a seat. @param {{permit: number}} props */
export function SmallPermit({ permit }) {
  const { colour, number } = permitOf(permit);
  const label = permitText(permit);
  return (
    <li class={`small-permit land-${colour ?? "wild"}`} title={label}>
      <b class="serif" aria-hidden="true">
        {number ?? "∗"}
      </b>
      <span class="hidden-visually">{label}</span>
    </li>
  );
}

/** The symbol of a goal. @param {{goal: string, width: number}} props */
export function GoalMark({ goal, width }) {
  const { kind, subject } = goalParts(goal);
  if (kind === "card") return <Symbol name={/** @type {string} */ (subject)} width={width} />;
  return <Symbol name={kind === "money" ? "income" : kind} width={width} class={subject ? `land-${subject}` : ""} />;
}

/** The front of a goal card. @param {{goal: string, seats: number}} props */
export function GoalFace({ goal, seats }) {
  const { worth, of } = goalShort(goal, seats);
  const isMajority = goalParts(goal).kind === "majority";
  return (
    <span class="goal-face" aria-hidden="true">
      <GoalMark goal={goal} width={20} />
      {worth && <b class={isMajority ? "places" : ""}>{worth}</b>}
      <span class="goal-of">{isMajority ? t("builders.goal.most", { subject: of }) : of}</span>
    </span>
  );
}

/** The houses of a seat: built, taken, and left in the supply. @param {{seat: number, built: number, front: number, supply: number}} props */
export function Houses({ seat, built, front, supply }) {
  const label = t("builders.stats.houses", { built, front, supply });
  return (
    <span class="houses" title={label}>
      {Array.from({ length: BUILDINGS }, (_, index) => (
        <Symbol
          key={index}
          name={index < built ? `house-${SEAT_COLOURS[seat]}` : "house-plan"}
          width={22}
          class={index < built + front ? "" : "in-supply"}
        />
      ))}
      <span class="hidden-visually">{label}</span>
    </span>
  );
}

/** @param {{seat: number, width: number, class?: string}} props */
export function Pawn({ seat, ...rest }) {
  return <Symbol name={`pawn-${SEAT_COLOURS[seat]}`} {...rest} />;
}

/** A mark on what only this viewer sees. */
export function OnlyYou() {
  return (
    <span class="only-you" title={t("builders.only_you")}>
      <Icon name="hidden" size={15} />
      <span class="hidden-visually">{t("builders.only_you")}</span>
    </span>
  );
}

/** A number of points, and what it would become. @param {{now: number, later: number}} props */
export function PointsChange({ now, later }) {
  if (now === later) return <b class="worth-now serif">{plain(now)}</b>;
  return (
    <b class="worth-now serif">
      <s>{plain(now)}</s> <em>{plain(later)}</em>
    </b>
  );
}

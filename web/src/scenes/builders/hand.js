// The player's permits, and the player's goals with their current points.

import { t } from "../../catalogue/index.js";
import { capitalize } from "../../parts/names.js";
import { MAX_PERMITS } from "./game-data.js";
import { GoalMark, OnlyYou, PermitFace, PointsChange } from "./pieces.js";
import { goalsOf } from "./preview.js";
import { pickable } from "./turn.js";
import { goalName, goalText, permitText } from "./labels.js";

/** @typedef {import("./interaction.js").Interaction} Interaction */

/**
 * @param {object} props
 * @param {any} props.view
 * @param {Interaction} props.interaction
 * @param {(permit: number) => void} props.onReturn undo laying out this permit
 */
export function Permits({ view, interaction, onReturn }) {
  const { seats, stage } = view.play.game;
  const own = seats[view.mine].permits;
  const laid = stage.name === "composing" && view.play.game.turn === view.mine ? stage.permits : [];
  const open = pickable(view, interaction.selection, "choose_permit", "permit");
  return (
    <div class="my-permits">
      <p class="small hand-title">
        <b>{t("builders.hand.permits")}</b> <span class="muted">{t("builders.hand.of", { count: own.length, most: MAX_PERMITS })}</span>
      </p>
      <ul class="permit-hand">
        {own.map((/** @type {number} */ permit) => (
          <li key={permit} data-own-permit={permit}>
            <MyPermit permit={permit} isLaid={laid.includes(permit)} can={open.includes(permit)} interaction={interaction} onReturn={onReturn} />
          </li>
        ))}
        {!own.length && <li class="small muted none">{t("builders.hand.no_permits")}</li>}
      </ul>
    </div>
  );
}

/** @param {{permit: number, isLaid: boolean, can: boolean, interaction: Interaction, onReturn: (permit: number) => void}} props */
function MyPermit({ permit, isLaid, can, interaction, onReturn }) {
  const label = permitText(permit);
  if (!can && !isLaid) {
    return (
      <span class="permit-slot" role="img" aria-label={label} title={label}>
        <PermitFace permit={permit} />
      </span>
    );
  }
  const onClick = () => (isLaid ? onReturn(permit) : interaction.pick({ do: "choose_permit", permit }));
  const isChosen = isLaid || interaction.selection.permit === permit;
  return (
    <button type="button" data-pick={isLaid ? undefined : "permit"} class={`permit-slot can ${isChosen ? "chosen" : ""}`} aria-pressed={isChosen} aria-label={label} title={label} onClick={onClick}>
      <PermitFace permit={permit} />
    </button>
  );
}

/** The most permits and goals, in pixels, beside which goals have room for their sentences. */
const ROOM = 520;
const PERMIT_WIDTH = 60;
const GOAL_WIDTH = 112;

/** @param {{view: any, interaction: Interaction, hasNeighbours: boolean}} props `hasNeighbours`: whether more choices stand beside them */
export function Goals({ view, interaction, hasNeighbours }) {
  const { game } = view.play;
  const seats = game.seats.length;
  const now = goalsOf(game, view.mine, view.mine);
  const later = interaction.preview ? goalsOf(interaction.preview.game, view.mine, view.mine) : now;
  const hidden = game.hidden_goals ?? {};
  const goals = Object.keys(later);
  const isDense = hasNeighbours || game.seats[view.mine].permits.length * PERMIT_WIDTH + goals.length * GOAL_WIDTH > ROOM;
  return (
    <div class={`my-goals ${isDense ? "dense" : ""}`}>
      <p class="small hand-title">
        <b>{t("builders.hand.goals")}</b> <span class="muted">{t("builders.hand.now")}</span>
      </p>
      <ul class={`goal-hand of-${goals.length}`}>
        {goals.map((goal) => (
          <li key={goal} class={`my-goal ${goal in now ? "" : "coming"}`} title={goalText(goal, seats)}>
            <span class="my-goal-head">
              <GoalMark goal={goal} width={22} />
              <PointsChange now={now[goal] ?? later[goal]} later={later[goal]} />
              {goal in hidden && <OnlyYou />}
            </span>
            <span class="my-goal-text">{capitalize(goalName(goal))}</span>
          </li>
        ))}
      </ul>
    </div>
  );
}

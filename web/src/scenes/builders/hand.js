// The player's permits, and the player's goals with their current points.

import { t } from "../../catalogue/index.js";
import { MAX_PERMITS } from "./game-data.js";
import { GoalMark, OnlyYou, PermitFace, PointsChange } from "./pieces.js";
import { goalsOf } from "./preview.js";
import { pickable } from "./turn.js";
import { goalText, permitText } from "./labels.js";

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
          <li key={permit}>
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

/** @param {{view: any, interaction: Interaction}} props */
export function Goals({ view, interaction }) {
  const { game } = view.play;
  const seats = game.seats.length;
  const now = goalsOf(game, view.mine, view.mine);
  const later = interaction.preview ? goalsOf(interaction.preview.game, view.mine, view.mine) : now;
  const hidden = game.hidden_goals ?? {};
  return (
    <div class="my-goals">
      <p class="small hand-title">
        <b>{t("builders.hand.goals")}</b>
      </p>
      <ul class="goal-hand">
        {Object.keys(later).map((goal) => (
          <li key={goal} class={`my-goal ${goal in now ? "" : "coming"}`} title={goalText(goal, seats)}>
            <span class="my-goal-head">
              <GoalMark goal={goal} width={24} />
              <PointsChange now={now[goal] ?? later[goal]} later={later[goal]} />
              {goal in hidden && <OnlyYou />}
            </span>
            <span class="small">{goalText(goal, seats)}</span>
          </li>
        ))}
      </ul>
    </div>
  );
}

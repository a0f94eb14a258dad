// What only a seat knew at a moment of a finished game: its hidden goals, and their points then.

import { t, valueText } from "../../catalogue/index.js";
import { Icon } from "../../parts/art.js";
import { capitalize } from "../../parts/names.js";
import { goalName } from "./labels.js";

/** @param {{open: {game: any}}} props */
export function OpenHand({ open }) {
  const goals = Object.entries(open.game.hidden_goals ?? {});
  if (!goals.length) return null;
  const text = goals.map(([goal, points]) => `${capitalize(goalName(goal))} ${valueText(Number(points))}`).join(" · ");
  return (
    <p class="open-line" title={`${t("replay.open.goals")}: ${text}`}>
      <Icon name="hidden" size={16} />
      <span>
        <span class="hidden-visually">{t("replay.open.goals")}: </span>
        {text}
      </span>
    </p>
  );
}

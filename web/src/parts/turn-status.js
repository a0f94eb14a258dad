// The seats that must decide, and what they decide; always visible at the top of a table.

import { t } from "../catalogue/index.js";
import { Chip, Icon } from "./art.js";
import { TurnClock } from "./clock.js";
import { isOpening } from "./device-seals.js";
import { formatNames } from "./names.js";
import { isMyMove } from "./your-move.js";

/** Return who must decide what, while a decision is open. @param {any} view */
export function turnText(view) {
  const { about, awaited } = view.play.decision;
  const names = formatNames(view, awaited);
  if (isOpening(view)) return t("await.opening", { names });
  const what = t(`about.${view.table.game}.${about}`);
  return isMyMove(view) ? t("await.you", { what }) : t("await.others", { names, what, count: awaited.length });
}

/**
 * @param {object} props
 * @param {import("../store.js").TableModel} props.model
 * @param {boolean} [props.isQuiet] whether the end of the game is only read aloud, where something else shows it
 * @param {any} [props.children] a sign at its end
 */
export function TurnStatus({ model, isQuiet = false, children }) {
  const view = model.gameView.value;
  const decision = view.play?.decision;
  if (view.table.paused || !decision) {
    const text = view.table.paused ? "table.paused" : view.table.abandoned ? "table.abandoned" : "table.over";
    return (
      <span class={isQuiet ? "hidden-visually" : "await"} role="status">
        <span class="await-text">{t(text)}</span>
        {children}
      </span>
    );
  }
  const mine = isMyMove(view);
  const text = turnText(view);
  const isAlone = mine || decision.awaited.length === 1;
  return (
    <span class={`await ${mine ? "you" : ""}`} role="status" title={text}>
      {isAlone ? <Chip seat={mine ? view.mine : decision.awaited[0]} size={20} /> : <Icon name="hourglass" size={20} />}
      <span class="await-text">{text}</span>
      <TurnClock model={model} seat={mine ? view.mine : decision.awaited[0]} />
      {children}
    </span>
  );
}

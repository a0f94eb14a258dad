// The seats that must decide, and what they decide; always visible at the top of a table.

import { t } from "../catalogue/index.js";
import { Chip, Icon } from "./art.js";
import { Clock } from "./clock.js";
import { formatList, nameOf } from "./names.js";
import { isMyMove } from "./your-move.js";

/** @param {{model: import("../store.js").TableModel}} props */
export function TurnStatus({ model }) {
  const view = model.gameView.value;
  const decision = view.play?.decision;
  if (view.table.paused || !decision) {
    const text = view.table.paused ? "table.paused" : view.table.abandoned ? "table.abandoned" : "table.over";
    return (
      <span class="await" role="status">
        <span class="await-text">{t(text)}</span>
      </span>
    );
  }
  const mine = isMyMove(view);
  const what = t(`about.${view.table.game}.${decision.about}`);
  const names = decision.awaited.map((/** @type {number} */ seat) => nameOf(view, seat));
  const text = mine ? t("await.you", { what }) : t("await.others", { names: formatList(names), what, count: names.length });
  const isAlone = mine || names.length === 1;
  return (
    <span class={`await ${mine ? "you" : ""}`} role="status" title={text}>
      {isAlone ? <Chip seat={mine ? view.mine : decision.awaited[0]} size={20} /> : <Icon name="hourglass" size={20} />}
      <span class="await-text">{text}</span>
      <Clock model={model} seat={mine ? view.mine : decision.awaited[0]} />
    </span>
  );
}

// Beside the log: the remaining bonuses and a legend. On a phone also the standings, which have no room beside the
// city.

import { useState } from "preact/hooks";
import { t } from "../../catalogue/index.js";
import { Icon } from "../../parts/art.js";
import { previewOf } from "../../parts/use-preview.js";
import { layout } from "../../parts/layout.js";
import { narrow } from "../../parts/narrow.js";
import { selectionOf } from "../../parts/selection.js";
import { Symbol } from "./card-face.js";
import { ScoreBoard } from "./standings.js";
import { interactionOf } from "./interaction.js";
import { hasStandings } from "./ranks.js";

const LEGEND = ["worker", "tracks", "depot", "square", "foundation", "seaside", "compass", "hex"];

/** @param {{model: import("../../store.js").TableModel}} props */
export function Aside({ model }) {
  const view = model.gameView.value;
  const [isOpen, setOpen] = useState(false);
  if (!view.play) return null;
  // On a low window, the log needs the height more than the legend does.
  const isFolded = layout.value === "short";
  const after = previewOf(model, interactionOf(view, selectionOf(model)).previewable)?.game ?? null;
  return (
    <section class="pl-aside" aria-label={t("planners.aside")}>
      {(narrow.value || layout.value === "side") && hasStandings(after ?? view.play.game) && (
        <>
          <h2>{t(after ? "planners.standings.after" : "planners.standings.now")}</h2>
          <ScoreBoard view={view} after={after} />
        </>
      )}
      <h2>{t("planners.bonuses")}</h2>
      <Bonuses game={after ?? view.play.game} />
      {isFolded ? (
        <h2>
          <button type="button" class="plain pl-fold" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
            {t("planners.legend")}
            <Icon name="next" size={16} />
          </button>
        </h2>
      ) : (
        <h2>{t("planners.legend")}</h2>
      )}
      {(isOpen || !isFolded) && (
        <ul class="pl-legend small">
          {LEGEND.map((name) => (
            <li key={name} class="tone-yellow">
              <Symbol name={name} width={22} />
              {t(`planners.legend.${name}`)}
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

/** How many of each bonus are left. @param {{game: any}} props */
function Bonuses({ game }) {
  return (
    <ul class="pl-bonuses">
      {Object.entries(game.bonuses).map(([bonus, left]) => {
        const label = t("planners.bonus.left", { bonus: t(`planners.bonus.${bonus}`), left: Number(left) });
        return (
          <li key={bonus} class={left ? "" : "faint"} title={label}>
            <Symbol name={bonus} width={22} />
            <span aria-hidden="true">{Number(left)}</span>
            <span class="hidden-visually">{label}</span>
          </li>
        );
      })}
    </ul>
  );
}

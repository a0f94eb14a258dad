// The middle of the table: the path of the year above the city.

import { layout } from "../../parts/layout.js";
import { sayWhyNot } from "../../parts/selection.js";
import { City } from "./city.js";
import { interactionOf } from "./interaction.js";
import { isCompact } from "./layouts.js";
import { useOwnActions } from "./own-actions.js";
import { CompactPath, Path } from "./path.js";
import { pickablePlots } from "./turn.js";

/** @typedef {import("../../store.js").TableModel} TableModel */
/** @typedef {import("./interaction.js").Interaction} Interaction */

/** @param {{model: TableModel, highlighted: any}} props */
export function Board({ model, highlighted }) {
  const view = model.gameView.value;
  const interaction = interactionOf(model);
  const game = interaction.preview?.game ?? view.play.game;
  const did = useOwnActions(model);
  const path = { view, game, interaction };
  return (
    <div class={`builders seats-${game.seats.length}`}>
      {isCompact(layout.value) ? <CompactPath {...path} /> : <Path {...path} did={did} highlighted={highlighted?.areas} />}
      <ActiveCity model={model} view={view} game={game} interaction={interaction} highlighted={highlighted?.plots} />
    </div>
  );
}

/** @param {{model: TableModel, view: any, game: any, interaction: Interaction, highlighted: number[] | undefined}} props */
function ActiveCity({ model, view, game, interaction, highlighted }) {
  const plots = pickablePlots(view, interaction.selection);
  const { stage } = view.play.game;
  return (
    <City
      view={view}
      shown={game}
      open={plots?.plots}
      reach={stage.name === "composing" && !plots ? stage.plots : undefined}
      chosen={interaction.chosen?.plot ?? null}
      highlighted={highlighted}
      onWhyNot={(reason, sentence) => sayWhyNot(model, reason, sentence)}
      onPick={(plot) => plots && interaction.pick({ do: plots.command, plot })}
    />
  );
}

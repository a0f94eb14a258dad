// The figures in the rules of Builders.

import { ActionCard } from "../../scenes/builders/action-cards.js";
import { City } from "../../scenes/builders/city.js";
import { PermitFace } from "../../scenes/builders/pieces.js";
import { DevelopmentBoard } from "../../scenes/builders/side-boards.js";
import { pickablePlots } from "../../scenes/builders/turn.js";
import "../../style/builders.css";
import "../../style/builders-aside.css";
import "../../style/builders-city.css";
import "../../style/builders-displays.css";
import "../../style/builders-path.css";
import "../../style/builders-pieces.css";
import positions from "./builders.json";
import { viewOf } from "./figure-view.js";

/** Nothing is chosen in a figure. */
const NO_INTERACTION = { selection: {}, chosen: null, command: null, preview: null, endsTurn: false, pick: () => {}, finish: () => {} };

/** @param {{figure: any}} props */
function OneCard({ figure }) {
  const view = viewOf("builders", figure);
  return (
    <div class="figure-card">
      <ActionCard view={view} game={view.play.game} area={figure.area} interaction={NO_INTERACTION} />
    </div>
  );
}

/** @param {{figure: any}} props */
function Town({ figure }) {
  const view = viewOf("builders", figure);
  return (
    <div class="figure-town">
      <City view={view} open={pickablePlots(view, {})?.plots} />
    </div>
  );
}

/** The permits that are used, and the plots that they open. @param {{figure: any}} props */
function PermitsAndTown({ figure }) {
  return (
    <>
      <div class="figure-permits">
        {figure.permits.map((/** @type {number} */ permit) => (
          <PermitFace key={permit} permit={permit} />
        ))}
      </div>
      <Town figure={figure} />
    </>
  );
}

/** @param {{figure: any}} props */
function Development({ figure }) {
  return (
    <div class="figure-development">
      <DevelopmentBoard view={viewOf("builders", figure)} after={null} />
    </div>
  );
}

/** @type {Record<string, import("../figures.js").Figure>} */
export const FIGURES = {
  order_of_pawns: { ...positions.order_of_pawns, Drawing: OneCard },
  other_action: { ...positions.other_action, Drawing: OneCard },
  development: { ...positions.development, Drawing: Development },
  two_permits: { ...positions.two_permits, Drawing: PermitsAndTown },
  pairs: { ...positions.pairs, Drawing: Town },
};

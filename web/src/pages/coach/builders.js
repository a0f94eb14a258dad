// The coach of Builders: what its commands are called, and where they are in the city.

import { t } from "../../catalogue/index.js";
import { capitalize } from "../../parts/names.js";
import { City } from "../../scenes/builders/city.js";
import { BLIND, INCOME_SPACES, NO_PLOT, YEAR_BOARD, yearOf } from "../../scenes/builders/game-data.js";
import { actionText, bonusText, dollars, goalName, permitText, plotText, symbolText } from "../../scenes/builders/labels.js";
import { PermitFace, Symbol } from "../../scenes/builders/pieces.js";
import { actionOf, currentSpaces } from "../../scenes/builders/turn.js";
import "../../style/builders.css";
import "../../style/builders-city.css";
import "../../style/builders-displays.css";
import "../../style/builders-pieces.css";

/** Return the space on which the pawn of a seat stands; null where it is not on the current card. @param {any} game @param {number} seat */
function ownSpace(game, seat) {
  const [area, space] = game.pawns[seat] ?? [];
  return area === game.area ? (currentSpaces(game)[space] ?? null) : null;
}

/** @param {any} command @param {any} view @param {number} seat */
export function commandText(command, view, seat) {
  const { game } = view.play;
  switch (command.do) {
    case "place_pawn":
      return placeText(command.space, game);
    case "take_income": {
      const space = ownSpace(game, seat);
      return space?.amount === undefined ? t("coach.do.builders.income") : t("builders.do.income", { amount: dollars(space.amount) });
    }
    case "take_permit":
      return t("coach.do.builders.permit", { permit: permitText(command.permit) });
    case "choose_permit":
      return t("coach.do.builders.choose_permit", { permit: permitText(command.permit) });
    case "take_goal":
      return command.goal === BLIND ? t("coach.do.builders.goal.blind") : t("coach.do.builders.goal", { goal: goalName(command.goal) });
    case "clean_up":
      return command.plot === NO_PLOT ? t("coach.do.builders.step") : t("coach.do.builders.clean_up", { plot: plotText(game, command.plot) });
    case "choose_plot":
      return t("coach.do.builders.plot", { plot: plotText(game, command.plot) });
    case "take_card":
      return t("coach.do.builders.card", { symbol: symbolText(command.symbol) });
    case "decline_card":
      return t("builders.do.decline");
    case "take_money":
    case "take_step":
      return capitalize(bonusText(yearOf(game.year), command.do.slice("take_".length), true));
    case "confirm":
      return t("builders.do.confirm");
    default:
      return capitalize(actionText({ action: actionOf(command.do) ?? command.do }));
  }
}

/** Return what a pawn goes for: an action, or an income at the beginning of the year. @param {number} space @param {any} game */
function placeText(space, game) {
  if (game.area === YEAR_BOARD) return t("coach.do.builders.year", { amount: dollars(INCOME_SPACES[space]) });
  const found = currentSpaces(game)[space];
  return t("coach.do.builders.place", { space: found ? t(`builders.space.${found.action}`) : String(space + 1) });
}

/** Return the symbol of a command; null for none. @param {any} command @param {any} game */
function symbolOf(command, game) {
  if (command.do === "place_pawn") return game.area === YEAR_BOARD ? "income" : (currentSpaces(game)[command.space]?.action ?? null);
  if (command.do === "take_card") return command.symbol;
  if (command.do === "choose_plot") return "build";
  if (command.do === "choose_permit" || command.do === "decline_card" || command.do === "confirm") return null;
  return actionOf(command.do);
}

/** Symbols of actions that the sheet has. */
const DRAWN = ["income", "material", "permit", "goal", "clean_up", "develop", "build", "build_subsidised", "pass", "dollar", "step", "light", "tram", "hydrant", "park"];

/** @param {{command: any, view: any}} props */
function Picture({ command, view }) {
  if (command.permit !== undefined) {
    return (
      <span class="coach-permit">
        <PermitFace permit={command.permit} />
      </span>
    );
  }
  const name = symbolOf(command, view.play.game);
  return name && DRAWN.includes(name) ? <Symbol name={name} width={36} /> : null;
}

/** Return the plots that a command names. @param {any} command */
const plotsOf = ({ plot = NO_PLOT }) => (plot === NO_PLOT ? [] : [plot]);

/** @type {import("./scenes.js").CoachScene} */
export const coach = {
  commandText,
  Picture,
  hasPlace: ({ better, played }) => plotsOf(better).length + plotsOf(played).length > 0,
  Place: ({ point: { better, played }, view }) => (
    <div class="coach-town">
      <City view={view} highlighted={plotsOf(better).length ? plotsOf(better) : plotsOf(played)} />
    </div>
  ),
  isWide: true,
  priceText: dollars,
};

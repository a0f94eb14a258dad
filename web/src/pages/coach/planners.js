// The coach of Planners: what its commands are called, and where they are in a city or on the project board.

import { t } from "../../catalogue/index.js";
import { bonusCard, nextSpace } from "../../scenes/planners/cards.js";
import { CardFace, Symbol } from "../../scenes/planners/card-face.js";
import { City } from "../../scenes/planners/city.js";
import { cardName, columnLetter, rowName, spaceName } from "../../scenes/planners/labels.js";
import "../../style/planners-cards.css";
import "../../style/planners-city.css";
import "../../style/planners-standings.css";

/** Commands that take a bonus begin so. */
const TAKE = "take_";

/** Return the space of a city to which a command leads; null for none. @param {any} command @param {any} view @param {number} seat */
export function spaceOf(command, view, seat) {
  const row = command.do === "place" ? command.placement[1] : command.row;
  if (row !== undefined) return nextSpace(view.play.game.seats[seat].cards, row);
  return command.space ?? null;
}

/** @param {any} command @param {any} view @param {number} seat */
export function commandText(command, view, seat) {
  if (command.do.startsWith(TAKE)) {
    const bonus = t(`planners.bonus.${command.do.slice(TAKE.length)}`);
    if (command.row !== undefined) return t("coach.do.planners.take.at", { bonus, place: rowName(command.row) });
    if (command.space !== undefined) return t("coach.do.planners.take.at", { bonus, place: spaceName(command.space) });
    return t("coach.do.planners.take", { bonus });
  }
  switch (command.do) {
    case "lay":
      return t("planners.do.lay", { letter: columnLetter(command.column) });
    case "finalize":
      return t("planners.choice.take", { letter: columnLetter(command.column) });
    case "place": {
      const [card, row] = command.placement;
      const space = spaceOf(command, view, seat);
      return t("coach.do.planners.place", { card: cardName(card), space: space === null ? rowName(row) : spaceName(space) });
    }
    case "discard":
      return t("coach.do.planners.discard", { card: cardName(command.card) });
    case "release":
      return t("planners.do.release", { count: command.count });
    case "draw":
      return t("planners.choice.draw");
    default:
      return t(`planners.do.${command.do}`);
  }
}

/** Return the cards that a command is about. @param {any} command @param {any} view @returns {number[]} */
export function cardsOf(command, view) {
  const game = view.play.game;
  if (command.do === "place") return [command.placement[0]];
  if (command.do === "discard") return [command.card];
  if (command.do === "finalize") return game.columns[command.column];
  if (command.do === "lay") return game.stage.card ? [game.stage.card] : [];
  const bonus = command.do.startsWith(TAKE) ? bonusCard(command.do.slice(TAKE.length)) : null;
  return bonus === null ? [] : [bonus];
}

/** The most cards of a column that are drawn. */
const MAX_CARDS = 3;

/** @param {{command: any, view: any}} props */
function Picture({ command, view }) {
  const cards = cardsOf(command, view);
  if (!cards.length) {
    const bonus = command.do.startsWith(TAKE) ? command.do.slice(TAKE.length) : null;
    return bonus ? <Symbol name={bonus} width={34} /> : null;
  }
  return (
    <span class="coach-faces">
      {cards.slice(0, MAX_CARDS).map((card) => (
        <span key={card} class="coach-face">
          <CardFace id={card} isSmall />
        </span>
      ))}
    </span>
  );
}

/** @type {import("./scenes.js").CoachScene} */
export const coach = {
  commandText,
  Picture,
  hasPlace: ({ better, played }) => [better, played].some((command) => command.do === "place" || command.row !== undefined || command.space !== undefined),
  Place: ({ point: { better, played }, view, seat }) => {
    const space = spaceOf(better, view, seat) ?? spaceOf(played, view, seat);
    return (
      <div class="coach-pl-city">
        <City view={view} seat={seat} isSmall highlighted={space === null ? [] : [{ seat, space }]} />
      </div>
    );
  },
  isWide: true,
  priceText: (amount) => String(amount),
};

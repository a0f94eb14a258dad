// The six action cards: the current one, past ones and later ones.

import { t } from "../../catalogue/index.js";
import { capitalize } from "../../parts/names.js";
import { spacesOf } from "./game-data.js";
import { Symbol } from "./pieces.js";
import { Space } from "./spaces.js";
import { actionText, dollars } from "./labels.js";

/** @param {any} game @param {number} area */
function cardState(game, area) {
  if (game.area === area && game.stage.name !== "over") return "now";
  return area <= game.area ? "past" : "next";
}

/**
 * @param {object} props
 * @param {any} props.view
 * @param {any} props.game the game as shown: current, or after the selected command
 * @param {number} props.area 1 to 6
 * @param {import("./interaction.js").Interaction} props.interaction
 * @param {number[]} [props.highlighted] areas that the log highlights
 */
export function ActionCard({ view, game, area, interaction, highlighted }) {
  const state = cardState(view.play.game, area);
  const isMine = state === "now" && view.play.game.turn === view.mine;
  const spaces = spacesOf(game.action_cards[area - 1], game.seats.length);
  return (
    <section class={`action-card area-${area} ${state} ${isMine ? "mine" : ""} ${highlighted?.includes(area) ? "highlighted" : ""}`} aria-label={t("builders.card", { number: area })}>
      <header>
        <b class="area-number">{area}</b>
        <span class="card-state">{t(isMine ? "builders.card.mine" : `builders.card.${state}`)}</span>
        <FirstMark />
      </header>
      <div class={`spaces of-${spaces.length}`}>
        {spaces.map((space, index) => (
          <Space key={index} view={view} game={game} area={area} index={index} purpose={capitalize(actionText(space))} interaction={interaction}>
            <SpaceMark space={space} />
          </Space>
        ))}
      </div>
    </section>
  );
}

/** A mark at the right end of a card: the pawn furthest to the right moves first on the next card. */
export function FirstMark() {
  return (
    <span class="first-mark" title={t("builders.first.more")}>
      {t("builders.first")} ▸
    </span>
  );
}

/** The symbol of a space. @param {{space: import("./game-data.js").Space, width?: number}} props */
function SpaceMark({ space, width = 28 }) {
  return (
    <span class="space-mark" aria-hidden="true">
      <Symbol name={space.action} width={width} />
      {space.action === "income" && <b class="amount serif">{dollars(space.amount ?? 0)}</b>}
    </span>
  );
}

// The six action cards, and how each stands to the present moment.

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
 * @param {any} props.game as it is shown: now, or after what is chosen
 * @param {number} props.area 1 to 6
 * @param {import("./interaction.js").Interaction} props.interaction
 * @param {number[]} [props.highlighted] areas that the log speaks of
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

/** Who stands furthest to the right goes on first. */
export function FirstMark() {
  return (
    <span class="first-mark" title={t("builders.first.more")}>
      {t("builders.first")} ▸
    </span>
  );
}

/** What a space is for, drawn. @param {{space: import("./game-data.js").Space, width?: number}} props */
function SpaceMark({ space, width = 28 }) {
  return (
    <span class="space-mark" aria-hidden="true">
      <Symbol name={space.action} width={width} />
      {space.action === "income" && <b class="amount serif">{dollars(space.amount ?? 0)}</b>}
    </span>
  );
}

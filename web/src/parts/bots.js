// Texts and controls about bots, shared by every page that shows a bot.

import { t } from "../catalogue/index.js";
import { strength as preferred } from "./preferences.js";

/** Return the bot strengths of a game, the weakest first. @param {any} game as the server describes it */
export function strengthsOf(game) {
  return /** @type {string[]} */ (game?.strengths ?? []);
}

/** Return the strength that the visitor prefers if the game has it, else the weakest. @param {any} game */
export function preferredStrength(game) {
  const strengths = strengthsOf(game);
  return strengths.includes(preferred.value) ? preferred.value : (strengths[0] ?? null);
}

/** The styles that a host can choose for a bot; `plain` is none. */
export const STYLES = ["cautious", "greedy", "spoiler", "plain"];

/** "Normal bot", or "Normal bot, greedy" @param {string} strength @param {string | null} [style] */
export function botText(strength, style) {
  return withStyle(t(`bot.${strength}`), style);
}

/** Return a text about a bot with its style, if it has one; games from before there were styles have none. @param {string} bot @param {string | null} [style] */
export function withStyle(bot, style) {
  return style ? t("bot.styled", { bot, style: t(`style.inside.${style}`) }) : bot;
}

/** The strength and style of a bot where there is little room; screen readers read them in full. @param {{strength: string, style?: string | null}} props */
export function ShortBotText({ strength, style }) {
  const text = botText(strength, style);
  return (
    <span class="seat-note" title={text}>
      <span aria-hidden="true">{style ? t("bot.styled.short", { strength: t(`strength.${strength}`), style: t(`style.inside.${style}`) }) : text}</span>
      <span class="hidden-visually">{text}</span>
    </span>
  );
}

/** The strength of the bot that plays for a seat; nothing if a person does. @param {{chair: any}} props */
export function BotMark({ chair }) {
  if (!chair.bot && !chair.stand_in) return null;
  return <span class="small muted">{chair.bot ? botText(chair.bot, chair.style) : t(`bot.stand_in.${chair.stand_in}`)}</span>;
}

/** Return the name of the person or bot at a seat, for a list of tables. @param {any} seat */
export function sitterText(seat) {
  if (seat.bot) return seat.name ? t("bot.named", { name: seat.name }) : t("seat.bot");
  return seat.name ?? t("seat.free");
}

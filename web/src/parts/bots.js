// What is said of bots, the same wherever one is shown: that it is one, and how well it plays.

import { t } from "../catalogue/index.js";
import { strength as preferred } from "./preferences.js";

/** The strengths that a game has, the weakest first. @param {any} game as the server describes it */
export function strengthsOf(game) {
  return /** @type {string[]} */ (game?.strengths ?? []);
}

/** The strength that this person wants to play against, if the game has it. @param {any} game */
export function preferredStrength(game) {
  const strengths = strengthsOf(game);
  return strengths.includes(preferred.value) ? preferred.value : (strengths[0] ?? null);
}

/** "Normal bot". @param {string} strength */
export function botText(strength) {
  return t(`bot.${strength}`);
}

/** That a bot decides for a seat, if one does. @param {{chair: any}} props */
export function BotMark({ chair }) {
  if (!chair.bot && !chair.stand_in) return null;
  return <span class="small muted">{chair.bot ? botText(chair.bot) : t(`bot.stand_in.${chair.stand_in}`)}</span>;
}

/** Somebody in a list of tables. @param {any} seat */
export function sitterText(seat) {
  if (seat.bot) return seat.name ? t("bot.named", { name: seat.name }) : t("seat.bot");
  return seat.name ?? t("seat.free");
}

/**
 * A choice of strength. Where there is none, nothing is shown, but where bots play by chance it says so.
 * @param {{strengths: string[], value: string | null, onChange: (strength: string) => void, label: string}} props
 */
export function StrengthChoice({ strengths, value, onChange, label }) {
  if (strengths.length < 2) return strengths[0] === "random" ? <span class="small muted">{t("bot.only_chance")}</span> : null;
  return (
    <span class="strengths">
      <span class="small muted">{label}</span>
      <span class="segmented" role="group" aria-label={label}>
        {strengths.map((strength) => (
          <button key={strength} type="button" aria-pressed={strength === value} onClick={() => onChange(strength)}>
            {t(`strength.${strength}`)}
          </button>
        ))}
      </span>
    </span>
  );
}

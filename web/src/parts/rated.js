// What belongs to ratings on every page: the badge of rated games, the laurel of a win, the choice for a new table.

import { useId } from "preact/hooks";
import { t } from "../catalogue/index.js";
import { Link } from "./link.js";
import "../style/rated.css";

/** A laurel for the first place. @param {{size?: number}} props */
export function Laurel({ size = 18 }) {
  return (
    <svg class="laurel" width={size} height={size} viewBox="0 0 24 24" aria-hidden="true">
      <path
        fill="none"
        stroke="currentColor"
        stroke-width="1.8"
        stroke-linecap="round"
        stroke-linejoin="round"
        d="M12 20c-5-1-8-5-8-11M12 20c5-1 8-5 8-11M5 12l3 .5M6.500 16l3-.5M19 12l-3 .5M17.500 16l-3-.5M4.500 8.500l2.500 1M19.500 8.500l-2.500 1"
      />
      <path fill="currentColor" d="M12 4l1.300 2.700 3 .4-2.200 2.100.5 3-2.600-1.400-2.600 1.400.5-3-2.200-2.100 3-.4z" />
    </svg>
  );
}

/** "Rated", on rows of tables and games. */
export function RatedBadge() {
  return (
    <span class="rated-badge" title={t("rated.why")}>
      {t("rated.badge")}
    </span>
  );
}

/**
 * Return the settings with another choice of rated games: these have no hints, so the choice of hints that was there
 * comes back when the table is no longer rated.
 * @template {{rated?: boolean, hints?: string}} Settings
 * @param {Settings} settings @param {boolean} isRated @param {string} hintsBefore
 * @returns {Settings}
 */
export function ratedSettings(settings, isRated, hintsBefore) {
  return { ...settings, rated: isRated, hints: isRated ? "none" : settings.hints === "none" ? hintsBefore : settings.hints };
}

/**
 * The switch for rated games, with one sentence. Guests cannot use it: the sentence says what it takes.
 * @param {{isRated: boolean, hasAccount: boolean, onChange: (isRated: boolean) => void}} props
 */
export function RatedField({ isRated, hasAccount, onChange }) {
  const id = useId();
  const isOff = !hasAccount && !isRated;
  return (
    <div class="rated-field">
      <label class={`option-flag ${isOff ? "muted" : ""}`}>
        <input
          type="checkbox"
          role="switch"
          checked={isRated}
          disabled={isOff}
          aria-describedby={id}
          onChange={(event) => onChange(event.currentTarget.checked)}
        />
        <span>{t("rated.choice")}</span>
      </label>
      <p id={id} class="small muted">
        {hasAccount ? (
          t("rated.choice.help")
        ) : (
          <>
            {t("rated.choice.guest")} <Link to="/you">{t("rated.choice.keep")}</Link>
          </>
        )}
      </p>
    </div>
  );
}

// Why a finished game cannot be seen.

import { hasText, t } from "../catalogue/index.js";
import { Link } from "../parts/link.js";
import { NotFound } from "../parts/not-found.js";

/** The titles of refusals that asking again does not change. @type {Record<string, string>} */
const TITLES = {
  no_such_table: "replay.unknown",
  no_such_game: "replay.unknown",
  no_spectators: "replay.unknown",
  wrong_phase: "replay.running",
  table_unavailable: "replay.failed",
};

/** Return the sentence of a refusal. @param {import("../refusal.js").Refusal} refusal */
export function refusalText({ code, message }) {
  return hasText(`replay.refused.${code}`) ? t(`replay.refused.${code}`) : message;
}

/** A button that loads the game once more; nothing where that does not help. @param {{error: import("../refusal.js").Refusal, onAgain: () => void}} props */
export function AgainButton({ error, onAgain }) {
  if (error.code in TITLES) return null;
  return (
    <button type="button" class="bay" onClick={onAgain}>
      {t("log.again")}
    </button>
  );
}

/** @param {{store: import("../store.js").Store, game: {id: string, key: string | null}, error: import("../refusal.js").Refusal, onAgain: () => void}} props */
export function RefusedGame({ store, game, error, onAgain }) {
  return (
    <NotFound store={store} title={t(TITLES[error.code] ?? "replay.failed")} sentence={refusalText(error)}>
      <AgainButton error={error} onAgain={onAgain} />
      {error.code === "wrong_phase" && (
        <Link to={`/t/${game.id}${game.key ? `#k=${game.key}` : ""}`} class="button">
          {t("replay.to_table")}
        </Link>
      )}
    </NotFound>
  );
}

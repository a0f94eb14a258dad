// Where a game comes from: a step of a finished game from which it goes on, or a file.

import { t } from "../catalogue/index.js";
import { momentPath } from "../replay-address.js";
import { Icon } from "./art.js";
import { Link } from "./link.js";

/** Return the step of another game from which a game goes on; null for a game of its own. @param {string | null | undefined} origin "table:step" */
export function originOf(origin) {
  const [, table, step] = origin?.match(/^([a-z0-9]{4,32}):(\d+)$/) ?? [];
  return table ? { table, step: Number(step) } : null;
}

/** @param {{view: any}} props */
export function Origin({ view }) {
  const { origin } = view.table;
  if (origin === "file") return <span class="small muted origin">{t("origin.file")}</span>;
  const from = originOf(origin);
  if (!from) return null;
  return (
    <Link to={momentPath(from.table, { step: from.step })} class="small origin">
      <Icon name="branch" size={16} />
      {t("origin.step", { step: from.step })}
    </Link>
  );
}

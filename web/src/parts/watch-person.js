// The way to the table where somebody plays now.

import { t } from "../catalogue/index.js";
import { Icon } from "./art.js";
import { watchableTable } from "./friends.js";
import { Link } from "./link.js";
import { tableName } from "./table-texts.js";

/** @param {{person: {name: string, tables?: any[]}, me: string | null}} props nothing where nobody can watch */
export function WatchPerson({ person, me }) {
  const table = watchableTable(person, me);
  if (!table) return null;
  return (
    <Link to={`/t/${table.table}`} class="button" title={tableName(table)}>
      <Icon name="eye" />
      {t("watch.person", { name: person.name })}
    </Link>
  );
}

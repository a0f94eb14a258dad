// The filters above a list of finished games.

import { t } from "../../catalogue/index.js";
import { Select } from "../../parts/controls.js";
import { SearchField } from "../../parts/list-query.js";

/** @typedef {import("./query.js").GamesQuery} GamesQuery */

/**
 * @param {object} props
 * @param {import("../../store.js").Store} props.store
 * @param {GamesQuery} props.query
 * @param {Map<string, string>} props.people names by user id
 * @param {(query: GamesQuery) => void} props.onChange
 */
export function Filters({ store, query, people, onChange }) {
  const games = store.games.value;
  const counts = [...new Set(games.flatMap((game) => game.seats))].sort();
  const change = (/** @type {Partial<GamesQuery>} */ fields) => onChange({ ...query, ...fields });
  const others = [...people].filter(([user]) => user !== store.me.value?.id || query.isAll || query.of).sort(([, one], [, other]) => one.localeCompare(other));
  const isKnown = !query.with || others.some(([user]) => user === query.with);
  return (
    <div class="filters games-filters">
      <Select
        class="tool"
        label={t("home.filter_game")}
        value={query.game}
        options={[{ value: "", label: t("home.any_game") }, ...games.map(({ name }) => ({ value: name, label: t(`game.${name}`) }))]}
        onChange={(game) => change({ game })}
      />
      <Select
        class="tool"
        label={t("lobby.filter_seats")}
        value={query.seats}
        options={[{ value: 0, label: t("lobby.any_seats") }, ...counts.map((count) => ({ value: count, label: t("lobby.seats", { count }) }))]}
        onChange={(seats) => change({ seats })}
      />
      <Select
        class="tool"
        label={t("games.rated")}
        value={query.rated}
        options={[
          { value: null, label: t("games.rated.any") },
          { value: true, label: t("games.rated.yes") },
          { value: false, label: t("games.rated.no") },
        ]}
        onChange={(rated) => change({ rated })}
      />
      {(others.length > 0 || query.with) && (
        <Select
          class="tool"
          label={t("games.with")}
          value={query.with}
          options={[
            { value: null, label: t("games.with.any") },
            ...(isKnown ? [] : [{ value: query.with, label: t("lobby.somebody") }]),
            ...others.map(([value, name]) => ({ value, label: t("played.with", { names: name }) })),
          ]}
          onChange={(other) => change({ with: other })}
        />
      )}
      <SearchField label={t("games.search")} value={query.search} onChange={(search) => change({ search })} />
    </div>
  );
}

// The people whom the visitor follows, with their tables, and those whom the visitor blocks.

import { useEffect } from "preact/hooks";
import { t } from "../../catalogue/index.js";
import { Face } from "../../parts/face.js";
import { Link } from "../../parts/link.js";
import { PersonName } from "../../parts/person-name.js";
import { askForRelations, blocked, setBlocked } from "../../parts/relations.js";
import { tableName } from "../../parts/table-texts.js";
import { openTablesOf, wayToTable } from "../../parts/friends.js";
import { RefusalLine, useWork } from "../../parts/use-work.js";

/** @param {{store: import("../../store.js").Store, socket: import("../../socket.js").Socket}} props */
export function People({ store, socket }) {
  const work = useWork();
  useEffect(() => void askForRelations(socket), []);
  const people = store.people.value ?? [];
  const unfollow = async (/** @type {string} */ user) => {
    await socket.request({ type: "follow", user, follow: false });
    // The server sends the people too, a moment later.
    store.people.value = people.filter(({ id }) => id !== user);
  };
  const hidden = [...(blocked.value?.values() ?? [])];
  const hasAccount = Boolean(store.me.value?.handle);
  // Guests follow nobody; they see this part only to unblock.
  if (!hasAccount && !hidden.length) return null;
  return (
    <section class="card you-card" aria-labelledby="people-title" id="people">
      {hasAccount && (
        <>
          <h2 id="people-title">{t("people.title")}</h2>
          {people.length ? (
            <ul class="you-list">
              {people.map((/** @type {any} */ person) => (
                <Followed
                  key={person.id}
                  person={person}
                  me={store.me.value?.id ?? null}
                  isBusy={work.isBusy}
                  onUnfollow={() => work.run(() => unfollow(person.id))}
                />
              ))}
            </ul>
          ) : (
            <p class="small muted">{t("people.none")}</p>
          )}
        </>
      )}
      {hidden.length > 0 && (
        <>
          <h2 id={hasAccount ? undefined : "people-title"}>{t("people.blocked")}</h2>
          <p class="small muted">{t("people.blocked.why")}</p>
          <ul class="you-list">
            {hidden.map((person) => (
              <li key={person.id}>
                <Face user={person.id} name={person.name} size={32} />
                <div class="you-list-text">
                  <PersonName person={person} class="cut" />
                </div>
                <button
                  type="button"
                  aria-label={t("relation.unblock_name", { name: person.name })}
                  aria-disabled={work.isBusy}
                  onClick={() => work.run(() => setBlocked(socket, person, false))}
                >
                  {t("relation.unblock")}
                </button>
              </li>
            ))}
          </ul>
        </>
      )}
      <RefusalLine work={work} />
    </section>
  );
}

/** @param {{person: any, me: string | null, isBusy: boolean, onUnfollow: () => void}} props */
function Followed({ person, me, isBusy, onUnfollow }) {
  return (
    <li class="followed">
      <Face user={person.id} name={person.name} size={36} />
      <div class="you-list-text">
        <span class="followed-name">
          <PersonName person={person} class="cut" />
          {person.online && <span class="small live live-open">{t("people.online")}</span>}
        </span>
        <span class="small muted">@{person.handle}</span>
      </div>
      <button
        type="button"
        aria-label={t("people.unfollow_name", { name: person.name })}
        aria-disabled={isBusy}
        onClick={onUnfollow}
      >
        {t("people.unfollow")}
      </button>
      {openTablesOf(person).map((table) => {
        const way = wayToTable(table, me);
        return (
          <div key={table.table} class="followed-table small">
            <span class="cut">
              {tableName(table)} · {t(`friends.${table.phase}`)}
            </span>
            {way && <Link to={`/t/${table.table}`}>{t(`friends.way.${way}`)}</Link>}
          </div>
        );
      })}
    </li>
  );
}

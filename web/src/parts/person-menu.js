// What the visitor can do about somebody at a table: watch a friend's game, open the profile, block, unblock.

import { t } from "../catalogue/index.js";
import { navigate, route } from "../routes.js";
import { Icon } from "./art.js";
import { MenuButton } from "./controls.js";
import { Link } from "./link.js";
import { profilePath } from "./person-name.js";
import { watchableTable } from "./friends.js";
import { askForRelations, followed, isBlocked, setBlocked } from "./relations.js";
import { tableName } from "./table-texts.js";
import { useEffect } from "preact/hooks";
import { useRequest } from "./use-request.js";

/** @typedef {import("./relations.js").Person} Person */
/** @typedef {import("./relations.js").Requests} Requests */

/**
 * Return the items of the menu about somebody.
 * @param {Requests} socket @param {Person} person @param {(work: () => Promise<any>) => any} run
 */
export function personItems(socket, person, run) {
  const { name, handle } = person;
  const isHidden = isBlocked(person.id);
  const table = watchableTable(followed.value.find(({ id }) => id === person.id), null, route.value.id ?? undefined);
  return [
    ...(table ? [{ label: t("watch.person", { name }), note: tableName(table), icon: "eye", onSelect: () => navigate(`/t/${table.table}`) }] : []),
    ...(handle ? [{ label: t("relation.profile_name", { name }), icon: "people", onSelect: () => navigate(profilePath(handle)) }] : []),
    {
      label: t(isHidden ? "relation.unblock_name" : "relation.block_name", { name }),
      note: isHidden ? undefined : t("relation.block_note"),
      icon: isHidden ? "undo" : "hidden",
      onSelect: () => run(() => setBlocked(socket, person, !isHidden)),
    },
  ];
}

/** A small button beside a name. @param {{socket: Requests, person: Person}} props */
export function PersonMenu({ socket, person }) {
  const [run, { refusal }] = useRequest();
  return (
    <>
      <MenuButton
        label={t("relation.about", { name: person.name })}
        button={<Icon name="more" size={16} />}
        buttonClass="plain person-menu"
        align="end"
        items={personItems(socket, person, run)}
      />
      {refusal && (
        <span class="error" role="alert">
          {refusal}
        </span>
      )}
    </>
  );
}

/** The other people at a table, inside its menu. @param {{model: import("../store.js").TableModel, me: {id: string} | null}} props */
export function TablePeople({ model, me }) {
  const [run, { refusal }] = useRequest();
  useEffect(() => void askForRelations(model.socket), []);
  const people = model.gameView.value.seats.filter((/** @type {any} */ { user, former }) => user && user !== me?.id && !former);
  if (!people.length) return null;
  return (
    <section class="menu-part" aria-labelledby="table-people">
      <h3 id="table-people" class="small muted">
        {t("relation.people")}
      </h3>
      {people.map((/** @type {any} */ { user, name, handle }) => (
        <div key={user} class="menu-row">
          {handle ? <Link to={profilePath(handle)}>{name}</Link> : <span>{name}</span>}
          <button
            class="quiet"
            aria-label={t(isBlocked(user) ? "relation.unblock_name" : "relation.block_name", { name })}
            onClick={() => run(() => setBlocked(model.socket, { id: user, name, handle }, !isBlocked(user)))}
          >
            {t(isBlocked(user) ? "relation.unblock" : "relation.block")}
          </button>
        </div>
      ))}
      {refusal && (
        <p class="error" role="alert">
          {refusal}
        </p>
      )}
    </section>
  );
}

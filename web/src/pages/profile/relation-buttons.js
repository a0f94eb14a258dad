// Follow, invite and block. A server that does not know relations between people shows none of them.

import { useEffect, useState } from "preact/hooks";
import { t } from "../../catalogue/index.js";
import { Icon } from "../../parts/art.js";
import { MenuButton } from "../../parts/controls.js";
import { Link } from "../../parts/link.js";
import { askForRelations, hasRelations, noteBlocked } from "../../parts/relations.js";
import { tableName } from "../../parts/table-texts.js";
import { useWork } from "../../parts/use-work.js";
import { tablePath } from "../../routes.js";

/** @param {import("../../main.js").PageProps & {person: any, onChange: () => void}} props */
export function RelationButtons(props) {
  const { socket, person, onChange } = props;
  const [note, setNote] = useState("");
  const { run, isBusy, refusal } = useWork();
  useEffect(() => void askForRelations(socket), []);
  if (!hasRelations.value) return null;
  const relate = (/** @type {"follow" | "block"} */ type, /** @type {boolean} */ isOn) =>
    run(async () => {
      setNote("");
      await socket.request({ type, user: person.id, [type]: isOn });
      if (type === "block") noteBlocked({ id: person.id, name: person.name, handle: person.handle }, isOn);
      onChange();
    });
  const { name, follows, blocked } = person;
  return (
    <>
      {!blocked && (
        <button
          class={follows ? "" : "bay"}
          aria-label={follows ? `${t("profile.following")}. ${t("profile.unfollow", { name })}` : t("profile.follow_name", { name })}
          aria-disabled={isBusy}
          onClick={() => relate("follow", !follows)}
        >
          <Icon name={follows ? "check" : "people"} />
          {t(follows ? "profile.following" : "profile.follow")}
        </button>
      )}
      {!blocked && <InviteMenu {...props} run={run} onNote={setNote} />}
      <button
        class={blocked ? "" : "profile-block"}
        aria-label={t(blocked ? "relation.unblock_name" : "relation.block_name", { name })}
        aria-disabled={isBusy}
        onClick={() => relate("block", !blocked)}
      >
        <Icon name={blocked ? "undo" : "close"} />
        {t(blocked ? "relation.unblock" : "relation.block")}
      </button>
      <p class="small profile-note" role="status">
        {blocked ? t("profile.blocked", { name }) : note}
      </p>
      {refusal && (
        <p class="error profile-note" role="alert">
          {refusal.sentence} {refusal.code === "no_account" && <Link to="/you">{t("rated.choice.keep")}</Link>}
        </p>
      )}
    </>
  );
}

/**
 * The open tables at which the visitor sits, and a new one.
 * @param {import("../../main.js").PageProps & {person: any, run: import("../../parts/use-work.js").Work["run"], onNote: (note: string) => void}} props
 */
function InviteMenu({ store, socket, navigate, person, run, onNote }) {
  const invite = (/** @type {string} */ table, /** @type {string | null} */ key = null) =>
    socket.request({ type: "invite", table, handle: person.handle, ...(key ? { key } : {}) });
  const inviteTo = (/** @type {string} */ table) =>
    run(async () => {
      onNote("");
      await invite(table);
      onNote(t("profile.invited", { name: person.name }));
    });
  const inviteToNew = (/** @type {string} */ game, /** @type {number[]} */ seats) =>
    run(async () => {
      onNote("");
      const settings = { game, seats: seats.includes(2) ? 2 : seats[0], private: true };
      const { table, key } = await socket.request({ type: "create_table", settings });
      try {
        await invite(table, key);
      } catch (refusal) {
        // Nobody wants the table without the guest.
        await socket.request({ type: "leave_seat", table });
        throw refusal;
      }
      navigate(tablePath(table, key));
    });
  // Somebody invited to a private table needs its key, which only the page of the table knows.
  const open = store.yourTables.value.filter((/** @type {any} */ { phase, settings }) => phase === "open" && !settings?.private);
  const items = [
    ...open.map((/** @type {any} */ table) => ({
      label: tableName(table),
      note: t(`game.${table.game}`),
      icon: "play",
      onSelect: () => inviteTo(table.table),
    })),
    ...store.games.value.map(({ name, seats }) => ({
      label: t(`game.${name}`),
      note: t("profile.invite_new"),
      icon: "plus",
      onSelect: () => inviteToNew(name, seats),
    })),
  ];
  return (
    <MenuButton
      label={t("profile.invite")}
      button={
        <>
          <Icon name="send" />
          {t("profile.invite")}
        </>
      }
      items={items}
      align="end"
    />
  );
}

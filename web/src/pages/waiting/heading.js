// The name of the table, which the host can change, its game and its host.

import { useEffect, useRef, useState } from "preact/hooks";
import { t } from "../../catalogue/index.js";
import { Icon } from "../../parts/art.js";
import { Face } from "../../parts/face.js";
import { onEscape } from "../../parts/on-escape.js";
import { Origin } from "../../parts/origin.js";
import { GameBadge } from "../../parts/site-art.js";
import { freeSeats, hostName } from "./status.js";

/** @typedef {import("./room.js").Room} Room */

const MAX_NAME_LENGTH = 40;

/** Return the name of a table, or one made of its host's. @param {any} view */
export function tableName(view) {
  const host = hostName(view);
  return view.table.settings.name ?? (host ? t("waiting.table_of", { name: host }) : t("waiting.table", { game: t(`game.${view.table.game}`) }));
}

/** @param {{room: Room, onLeave: () => void}} props */
export function Heading({ room, onLeave }) {
  const { view, isHost } = room;
  const [isEditing, setEditing] = useState(false);
  /** @type {import("preact").RefObject<HTMLButtonElement>} */
  const pencil = useRef(null);
  const wasEditing = useRef(false);
  useEffect(() => {
    if (!isEditing && wasEditing.current) pencil.current?.focus();
    wasEditing.current = isEditing;
  }, [isEditing]);
  const game = t(`game.${view.table.game}`);
  const host = hostName(view);
  const taken = view.seats.length - freeSeats(view).length;
  const isInvited = view.mine === null && room.wanted !== null && host;
  return (
    <div class={`waiting-head ${isInvited ? "invited" : ""}`}>
      {isInvited ? <Face user={view.table.host} name={host} size={48} /> : <GameBadge game={view.table.game} size={44} />}
      {isEditing ? (
        <NameForm room={room} onDone={() => setEditing(false)} />
      ) : (
        <div class="waiting-names">
          <h1 class="waiting-title">
            {isInvited ? t("waiting.keeps", { name: host }) : tableName(view)}
            {isHost && room.canChange && (
              <button ref={pencil} class="plain pencil" onClick={() => setEditing(true)} aria-label={t("waiting.rename")}>
                <Icon name="pencil" />
              </button>
            )}
          </h1>
          <p class="muted waiting-about">
            {isInvited && view.table.settings.name && <>{view.table.settings.name} · </>}
            {isHost ? t("waiting.hosted.you", { game }) : isInvited ? game : t("waiting.hosted", { game, name: host })}
            {" · "}
            <span class="waiting-taken">{t("waiting.taken", { count: taken, seats: view.seats.length })}</span>
          </p>
          <Origin view={view} />
        </div>
      )}
      {view.mine !== null && (
        <button class="quiet waiting-leave" onClick={onLeave} disabled={room.isBusy}>
          <Icon name="leave" />
          <span class="waiting-leave-text">{t("waiting.leave")}</span>
        </button>
      )}
    </div>
  );
}

/** @param {{room: Room, onDone: () => void}} props */
function NameForm({ room, onDone }) {
  const [name, setName] = useState(room.settings.name ?? "");
  /** @type {import("preact").RefObject<HTMLInputElement>} */
  const field = useRef(null);
  useEffect(() => field.current?.select(), []);
  const save = (/** @type {Event} */ event) => {
    event.preventDefault();
    room.run(async () => {
      await room.model.request("change_settings", { settings: { ...room.settings, name: name.trim() || null } });
      onDone();
    });
  };
  return (
    <form class="table-name-form" onSubmit={save} onKeyDown={onEscape(onDone)}>
      <input
        ref={field}
        aria-label={t("waiting.table_name")}
        placeholder={t("waiting.table_name")}
        value={name}
        maxLength={MAX_NAME_LENGTH}
        onInput={(event) => setName(event.currentTarget.value)}
      />
      <button class="bay" disabled={room.isBusy}>
        {t("waiting.save")}
      </button>
      <button type="button" class="quiet" onClick={onDone}>
        {t("waiting.cancel")}
      </button>
    </form>
  );
}

// The bar at the bottom: what the table waits for, and the one thing that the visitor can do about it. Begin is never
// disabled: bots take free chairs, and where somebody is not ready it says who.

import { useEffect, useRef, useState } from "preact/hooks";
import { t } from "../../catalogue/index.js";
import { untilCommitted } from "../../fairness/begin.js";
import { Icon } from "../../parts/art.js";
import { preferredStrength, strengthsOf } from "../../parts/bots.js";
import { Segmented } from "../../parts/controls.js";
import { Face } from "../../parts/face.js";
import { Link } from "../../parts/link.js";
import { strength as preferred } from "../../parts/preferences.js";
import { expectedPeople } from "../../parts/rematch.js";
import { NameField } from "./name-field.js";
import { beginObstacle, freeSeats, hostName, isShuffling, isUncounted, voidedText, waitingStatus } from "./status.js";

/** @typedef {import("./room.js").Room} Room */

/** @param {{room: Room}} props */
export function BeginBar({ room }) {
  const { view } = room;
  const [isWatching, setWatching] = useState(false);
  if (view.mine !== null) return <SeatedBar room={room} />;
  if (room.isBarred && !isWatching) return <GuestBar room={room} onWatch={() => setWatching(true)} />;
  if (room.wanted === null || isWatching) return <WatchBar room={room} onSitDown={room.wanted === null ? null : () => setWatching(false)} />;
  return <SitDownBar room={room} onWatch={() => setWatching(true)} />;
}

/** @param {{title: string, more: string, alert?: string | null}} props */
function Status({ title, more, alert }) {
  return (
    <div class="begin-status">
      <p class="serif begin-title" role="status">
        {title}
      </p>
      {alert ? (
        <p class="begin-alert" role="alert">
          {alert}
        </p>
      ) : (
        <p class="muted begin-more">{more}</p>
      )}
    </div>
  );
}

/** @param {{room: Room}} props */
function SeatedBar({ room }) {
  const { view, isHost } = room;
  const status = waitingStatus(view, room.me?.id, expectedPeople(view.table.id));
  const [obstacle, setObstacle] = useState(/** @type {string | null} */ (null));
  const hasChanged = useChangedSettings(room);
  // An obstacle is about the table as it was when the host pressed Begin.
  useEffect(() => setObstacle(null), [beginObstacle(view)]);
  const isBusy = room.isBusy || isShuffling(view);
  const begin = () => {
    if (isBusy) return;
    const found = beginObstacle(view);
    setObstacle(found);
    if (found) return;
    const strength = preferredStrength(room.game);
    const isFilled = freeSeats(view).length > 0;
    room.run(async () => {
      await untilCommitted(room.model);
      if (isFilled) await room.model.request("fill_with_bots", strength ? { strength } : {});
      // A table that begins when it is full has begun now.
      if (!isFilled || room.settings.begin !== "full") await room.model.request("start");
    });
  };
  const mine = view.seats[view.mine];
  const changed = hasChanged && !mine.ready ? t("waiting.changed", { name: hostName(view) }) : null;
  const more = changed ?? (isUncounted(view) && !isShuffling(view) ? t("waiting.rated_alone") : status.more);
  const voided = voidedText(view, room.model.voided.value);
  return (
    <section class="begin-bar" aria-label={t("waiting.bar")}>
      <div class="begin-inner">
        <Status title={status.title} more={more} alert={obstacle ?? room.refusal ?? voided} />
        {isHost && <BotStrength room={room} />}
        {isHost ? (
          <button class="primary begin-button begin-host" onClick={begin} aria-disabled={isBusy}>
            <Icon name="play" />
            {t("waiting.start")}
          </button>
        ) : (
          <button class={`begin-button ${mine.ready ? "" : "primary"}`} aria-disabled={isBusy} onClick={() => !isBusy && room.act("ready", { ready: !mine.ready })}>
            <Icon name={mine.ready ? "undo" : "check"} />
            {t(mine.ready ? "waiting.not_ready" : "waiting.ready")}
          </button>
        )}
      </div>
    </section>
  );
}

/** Return whether the host has changed the settings since the visitor came. @param {Room} room */
function useChangedSettings(room) {
  const now = JSON.stringify({ ...room.settings, name: null });
  const first = useRef(now);
  return first.current !== now;
}

/** The strength of bots that sit down from now on; it keeps its place while there is no free chair. @param {{room: Room}} props */
function BotStrength({ room }) {
  const strengths = strengthsOf(room.game);
  if (strengths.length < 2 || !room.settings.bots) return null;
  const isNeeded = freeSeats(room.view).length > 0;
  return (
    <div class={`begin-strength ${isNeeded ? "" : "unneeded"}`}>
      <span class="small muted">{t("bot.play")}</span>
      <Segmented
        label={t("bot.play")}
        value={preferredStrength(room.game)}
        options={strengths.map((value) => ({ value, label: t(`strength.${value}`) }))}
        onChange={(strength) => (preferred.value = strength)}
      />
    </div>
  );
}

/** Somebody without a chair: a name and one button. @param {{room: Room, onWatch: () => void}} props */
function SitDownBar({ room, onWatch }) {
  const { me } = room;
  const [name, setName] = useState(/** @type {string | null} */ (null));
  if (!me) return null;
  const sitDown = (/** @type {Event} */ event) => {
    event.preventDefault();
    if (!room.isBusy) room.sitDown(room.wanted, name ?? me.name);
  };
  return (
    <section class="begin-bar" aria-label={t("waiting.bar")}>
      <form class="begin-inner sit-down" onSubmit={sitDown}>
        <Face user={me.id} name={me.name} size={44} />
        <NameField name={me.name} label={t("waiting.your_name")} onInput={setName} />
        <div class="sit-down-buttons">
          <button class="primary begin-button" aria-disabled={room.isBusy}>
            {t("waiting.sit_down")}
          </button>
          <button type="button" class="begin-button watch-button" onClick={onWatch}>
            <Icon name="eye" />
            {t("waiting.watch")}
          </button>
        </div>
        {room.refusal && (
          <p class="begin-alert" role="alert">
            {room.refusal}
          </p>
        )}
      </form>
    </section>
  );
}

/** A guest at a rated table: what it takes, and watching. @param {{room: Room, onWatch: () => void}} props */
function GuestBar({ room, onWatch }) {
  return (
    <section class="begin-bar" aria-label={t("waiting.bar")}>
      <div class="begin-inner">
        <Status title={t("waiting.rated_guest")} more={t("rated.choice.guest")} alert={room.refusal} />
        <Link to="/you" class="button begin-button">
          {t("rated.choice.keep")}
        </Link>
        <button type="button" class="begin-button watch-button" onClick={onWatch}>
          <Icon name="eye" />
          {t("waiting.watch")}
        </button>
      </div>
    </section>
  );
}

/** @param {{room: Room, onSitDown: (() => void) | null}} props */
function WatchBar({ room, onSitDown }) {
  const { title, more } = waitingStatus(room.view, room.me?.id);
  return (
    <section class="begin-bar" aria-label={t("waiting.bar")}>
      <div class="begin-inner">
        <Status title={title} more={more} alert={room.refusal} />
        {onSitDown && (
          <button class="primary begin-button" onClick={onSitDown}>
            {t("waiting.sit_down")}
          </button>
        )}
      </div>
    </section>
  );
}

// The waiting room of a table: who sits where, what will be played and how, the invitation, chat, and the start.

import { t } from "../catalogue/index.js";
import { ConnectionBanner } from "../parts/banner.js";
import { Chat } from "../parts/chat.js";
import { Invite } from "../parts/invite.js";
import { narrow } from "../parts/narrow.js";
import { lazy } from "../parts/lazy.js";
import { COMMENTARY } from "../parts/commentary-part.js";
import { Scene } from "../parts/scenes.js";
import { SiteBar } from "../parts/site-bar.js";
import { BeginBar } from "./waiting/begin-bar.js";
import { Chairs } from "./waiting/chairs.js";
import { Heading } from "./waiting/heading.js";
import { HowCard } from "./waiting/how-card.js";
import { InviteByName } from "./waiting/invite-by-name.js";
import { useRoom } from "./waiting/room.js";
import { SettingsCard } from "./waiting/settings-card.js";
import { YouCard } from "./waiting/you-card.js";
import "../style/waiting.css";
import "../style/waiting-sizes.css";
import "../style/waiting-table.css";

/** @param {import("../main.js").PageProps & {model: import("../store.js").TableModel}} props */
export function WaitingRoom({ store, socket, navigate, model }) {
  const room = useRoom({ store, socket, model });
  const { view, me } = room;
  const leave = () =>
    room.run(async () => {
      await model.request("leave_seat");
      navigate("/");
    });
  const canInvite = !room.settings.private || view.table.key || model.key;
  const commentary = view.table.commentary ? lazy(COMMENTARY) : null;
  const watching = room.presence?.spectators ?? 0;
  return (
    <div class="site waiting">
      <SiteBar store={store} active="home" />
      <ConnectionBanner store={store} />
      {view.mine === null && narrow.value && <Scene game={view.table.game} />}
      <main class="site-wrap waiting-main">
        <Heading room={room} onLeave={leave} />
        <div class={`waiting-grid ${view.mine === null ? "for-visitor" : ""}`}>
          <div class="waiting-left">
            <SettingsCard room={room} />
            {view.mine !== null && <YouCard room={room} />}
          </div>
          <div class="waiting-middle">
            <Chairs room={room} />
            <HowCard room={room} />
          </div>
          <div class="waiting-right">
            {canInvite && (
              <section class="card waiting-card invite-card" aria-labelledby="invite-title">
                <h2 id="invite-title">{t("waiting.invite")}</h2>
                <Invite model={model} isCodeOpen={!narrow.value} />
                {room.isHost && view.table.commentary && commentary && <commentary.CommentaryPart model={model} me={me} />}
                {view.mine !== null && <InviteByName people={store.people.value} model={model} />}
              </section>
            )}
            <section class="card chat-card" aria-labelledby="chat-title">
              <div class="card-head">
                <h2 id="chat-title">{t("waiting.chat")}</h2>
                <span class="small muted">{watching > 0 && t("waiting.watching", { count: watching })}</span>
              </div>
              <Chat model={model} me={me} />
            </section>
          </div>
        </div>
      </main>
      <BeginBar room={room} />
    </div>
  );
}

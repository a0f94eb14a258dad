// The waiting room of a table: seats, bots, invitation, chat and start.

import { t } from "../catalogue/index.js";
import { Chip, Icon, Symbol } from "./art.js";
import { ConnectionBanner } from "./banner.js";
import { botText, preferredStrength, StrengthChoice, strengthsOf } from "./bots.js";
import { LanguageChoice, ThemeSwitch } from "./chrome.js";
import { useRequest } from "./use-request.js";
import { BotPortrait } from "./bot-portrait.js";
import { Invite } from "./invite.js";
import { strength as preferred } from "./preferences.js";
import { Chat } from "./chat.js";
import "../style/waiting.css";

/** @param {import("../main.js").PageProps & {model: import("../store.js").TableModel}} props */
export function WaitingRoom({ store, navigate, model }) {
  const view = model.view.value;
  const me = store.me.value;
  const [run, { isBusy, refusal }] = useRequest();
  const isHost = view.table.host === me?.id;
  const mine = view.mine;
  const free = view.seats.filter((/** @type {any} */ seat) => !seat.user && !seat.bot).length;
  const unready = view.seats.filter((/** @type {any} */ seat) => seat.user && seat.user !== view.table.host && !seat.ready).length;
  const game = store.games.value.find(({ name }) => name === view.table.game);
  const strengths = strengthsOf(game);
  const chosen = preferredStrength(game);
  const withStrength = chosen ? { strength: chosen } : {};
  return (
    <div class="waiting">
      <header class="lobby-bar">
        <button class="plain home" onClick={() => navigate("/")} aria-label={t("table.to_lobby")}>
          <Symbol name="hall-built" width={32} />
        </button>
        <span class="serif brand">{t(`game.${view.table.game}`)}</span>
        <span class="spread" />
        <LanguageChoice />
        <ThemeSwitch />
      </header>
      <ConnectionBanner store={store} />
      <main class="waiting-columns">
        <section class="card panel" aria-labelledby="waiting-title">
          <h1 id="waiting-title" class="waiting-title">
            {t("waiting.title")}
          </h1>
          <ul class="chairs">
            {view.seats.map((/** @type {any} */ chair, /** @type {number} */ seat) => (
              <li key={seat}>
                {chair.bot ? <BotPortrait name={chair.name} strength={chair.bot} seat={seat} /> : <Chip seat={seat} size={36} />}
                <ChairText chair={chair} isMine={seat === mine} isHost={chair.user !== null && chair.user === view.table.host} />
                {!chair.user && !chair.bot && mine === null && (
                  <button onClick={() => run(() => model.request("take_seat", { seat, ...(model.key ? { key: model.key } : {}) }))}>
                    {t("waiting.sit")}
                  </button>
                )}
                {isHost && !chair.user && !chair.bot && view.table.settings.bots && (
                  <button class="quiet" onClick={() => run(() => model.request("add_bot", { seat, ...withStrength }))}>
                    <Icon name="robot" />
                    {t("waiting.add_bot")}
                  </button>
                )}
                {isHost && chair.bot && strengths.length > 1 && (
                  <select
                    class="strength-select"
                    aria-label={t("waiting.strength_of", { name: chair.name ?? t("seat.bot") })}
                    value={chair.bot}
                    onChange={(event) => {
                      const strength = event.currentTarget.value;
                      run(() => model.request("change_bot", { seat, strength }));
                    }}
                  >
                    {strengths.map((strength) => (
                      <option key={strength} value={strength}>
                        {t(`strength.${strength}`)}
                      </option>
                    ))}
                  </select>
                )}
                {isHost && chair.bot && (
                  <button class="quiet" onClick={() => run(() => model.request("remove_bot", { seat }))} aria-label={t("waiting.remove")}>
                    <Icon name="close" />
                    <span class="remove-label">{t("waiting.remove")}</span>
                  </button>
                )}
                {isHost && chair.user && seat !== mine && (
                  <button class="quiet" onClick={() => run(() => model.request("kick", { seat }))}>
                    {t("waiting.kick")}
                  </button>
                )}
              </li>
            ))}
          </ul>
          {refusal && (
            <p class="error" role="alert">
              {refusal}
            </p>
          )}
          {isHost && free > 0 && view.table.settings.bots && (
            <StrengthChoice
              strengths={strengths}
              value={chosen}
              onChange={(strength) => (preferred.value = strength)}
              label={t("bot.play")}
            />
          )}
          <div class="waiting-actions">
            {isHost && free > 0 && view.table.settings.bots && (
              <button disabled={isBusy} onClick={() => run(() => model.request("fill_with_bots", withStrength))}>
                <Icon name="robot" />
                {t("waiting.fill")}
              </button>
            )}
            {isHost && (
              <button class="primary" disabled={isBusy || free > 0 || unready > 0} onClick={() => run(() => model.request("start"))}>
                <Icon name="play" />
                {t("waiting.start")}
              </button>
            )}
            {mine !== null && !isHost && (
              <button
                class={view.seats[mine].ready ? "" : "primary"}
                onClick={() => run(() => model.request("ready", { ready: !view.seats[mine].ready }))}
              >
                {t(view.seats[mine].ready ? "waiting.not_ready" : "waiting.ready")}
              </button>
            )}
            {mine !== null && (
              <button class="quiet" onClick={() => run(() => model.request("leave_seat").then(() => navigate("/")))}>
                {t("waiting.leave")}
              </button>
            )}
          </div>
          <p class="muted small" role="status">
            {free ? t("waiting.free", { count: free }) : unready ? t("waiting.unready", { count: unready }) : t("waiting.all_here")}
          </p>
        </section>
        <section class="card panel">
          {mine !== null && <Invite model={model} />}
          <Chat model={model} me={me} />
        </section>
      </main>
    </div>
  );
}

/** @param {{chair: any, isMine: boolean, isHost: boolean}} props */
function ChairText({ chair, isMine, isHost }) {
  const state = isHost ? "host" : chair.bot ? null : chair.ready ? "ready" : chair.user ? "not_ready" : null;
  return (
    <div class="chair-text">
      <strong>{isMine ? t("seat.you") : (chair.name ?? t(chair.bot ? "seat.bot" : "seat.free"))}</strong>
      {chair.bot && <span class="small muted">{botText(chair.bot)}</span>}
      {state && <span class="small muted">{t(`chair.${state}`)}</span>}
    </div>
  );
}

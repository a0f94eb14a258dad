// The menu of a table: invite, pause, resign, propose to abandon, leave; and what can be changed without leaving: name,
// language, theme, sound and notifications.

import { useId, useState } from "preact/hooks";
import { language, languageNames, setLanguage, t, withTexts } from "../catalogue/index.js";
import { Segmented, Select } from "./controls.js";
import { useRequest } from "./use-request.js";
import { Invite } from "./invite.js";
import { lazy } from "./lazy.js";
import { Origin } from "./origin.js";
import { TablePeople } from "./person-menu.js";
import { NotificationSwitch } from "./next-game.js";
import { sound, themeChoice } from "./preferences.js";
import { TitledPopover } from "./titled-popover.js";
import { TipsSwitch } from "../tips/switch.js";
import { useNow } from "./waiting-time.js";

/** @typedef {import("../store.js").TableModel} TableModel */
/** @typedef {import("../store.js").Store} Store */

/** @param {{store: Store, model: TableModel, navigate: (path: string) => void, children?: any}} props */
export function TableMenu({ store, model, navigate, children }) {
  return (
    <TitledPopover label={t("menu.title")} icon="leave" buttonClass="tool" class="menu">
      <button class="quiet" onClick={() => navigate("/")}>
        {t("table.to_lobby")}
      </button>
      <Origin view={model.gameView.value} />
      {children}
      <Invite model={model} />
      <Proposals model={model} />
      <Channel store={store} model={model} />
      <TablePeople model={model} me={store.me.value} />
      <Preferences store={store} model={model} />
    </TitledPopover>
  );
}

/** Fetched on its own, since only hosts with an account need it. */
const CHANNEL = withTexts(() => import("../notifications/table-webhook.js"), "notifications");

/** The channel that the host of a table lets know. @param {{store: Store, model: TableModel}} props */
function Channel({ store, model }) {
  const me = store.me.value;
  const { table } = model.gameView.value;
  if (!me?.handle || table.host !== me.id || table.phase === "over") return null;
  const channel = lazy(CHANNEL);
  return channel && <channel.TableWebhook model={model} />;
}

/** What a player can propose to the others, and giving the seat away. @param {{model: TableModel}} props */
function Proposals({ model }) {
  const [asks, setAsks] = useState(/** @type {string | null} */ (null));
  const [run, { refusal }] = useRequest();
  const view = model.view.value;
  const isPlaying = view.mine !== null && view.table.phase === "running" && !view.seats[view.mine].resigned;
  if (!isPlaying) return null;
  /** @param {string} name @param {() => Promise<any>} work */
  const sure = (name, work) =>
    asks === name ? (
      <button class="primary" onClick={() => run(work).then(() => setAsks(null))}>
        {t(`menu.${name}_sure`)}
      </button>
    ) : (
      <button class="quiet" onClick={() => setAsks(name)}>
        {t(`menu.${name}`)}
      </button>
    );
  const hasVoted = (/** @type {string} */ on) => view.votes[on]?.includes(view.mine);
  return (
    <section class="menu-part">
      {!view.table.paused && !hasVoted("pause") && (
        <button class="quiet" onClick={() => run(() => model.request("vote", { on: "pause", agree: true }))}>
          {t("menu.pause")}
        </button>
      )}
      {!hasVoted("abandon") && sure("abandon", () => model.request("vote", { on: "abandon", agree: true }))}
      <Holiday view={view} onTake={(on) => run(() => model.request("take_holiday", { on }))} />
      {sure("resign", () => model.request("resign"))}
      {refusal && (
        <p class="error" role="alert">
          {refusal}
        </p>
      )}
    </section>
  );
}

/** Beginning or ending the visitor's holiday at a table that is played by the day. @param {{view: any, onTake: (on: boolean) => void}} props */
function Holiday({ view, onTake }) {
  const now = useNow();
  const clock = view.clock.days?.[view.mine];
  if (!clock) return null;
  if (clock.holiday !== null && now < clock.holiday) {
    return (
      <button class="quiet" onClick={() => onTake(false)}>
        {t("menu.holiday_end")}
      </button>
    );
  }
  if (!clock.holidays) return null;
  return (
    <button class="quiet" onClick={() => onTake(true)}>
      {t("menu.holiday", { count: clock.holidays })}
    </button>
  );
}

/** @param {{store: Store, model: TableModel}} props */
function Preferences({ store, model }) {
  const id = useId();
  return (
    <section class="menu-part">
      <NameForm store={store} model={model} />
      <div class="menu-row">
        <span id={`${id}-language`}>{t("chrome.language")}</span>
        <Select
          labelledBy={`${id}-language`}
          value={language.value}
          options={Object.entries(languageNames).map(([value, label]) => ({ value, label }))}
          onChange={setLanguage}
          align="end"
        />
      </div>
      <div class="menu-row">
        <span>{t("chrome.theme")}</span>
        <Segmented
          label={t("chrome.theme")}
          value={themeChoice.value}
          options={["system", "light", "dark"].map((value) => ({ value, label: t(`chrome.theme.${value}`) }))}
          onChange={(value) => (themeChoice.value = value)}
        />
      </div>
      <div class="menu-row">
        <span>{t("table.sound")}</span>
        <Segmented
          label={t("table.sound")}
          value={sound.value}
          options={["on", "off"].map((value) => ({ value, label: t(`chrome.${value}`) }))}
          onChange={(value) => (sound.value = value)}
        />
      </div>
      {model.gameView.value.mine !== null && (
        <div class="menu-row">
          <span>{t("chrome.tips")}</span>
          <TipsSwitch open={{ game: model.gameView.value.table.game, table: model.id }} />
        </div>
      )}
      <NotificationSwitch />
    </section>
  );
}

/** @param {{store: Store, model: TableModel}} props */
function NameForm({ store, model }) {
  const me = store.me.value;
  const [edited, setEdited] = useState(/** @type {string | null} */ (null));
  const [run, { isBusy, refusal }] = useRequest();
  const id = useId();
  const isChanged = edited !== null && edited !== me?.name;
  const rename = (/** @type {Event} */ event) => {
    event.preventDefault();
    if (!isChanged) return;
    run(async () => {
      await store.rename(model.socket, edited);
      setEdited(null);
    });
  };
  return (
    <>
      <form class="menu-row" onSubmit={rename}>
        <label for={id}>{t("you.name")}</label>
        <span class="menu-name">
          <input id={id} value={edited ?? me?.name ?? ""} maxLength={24} onInput={(event) => setEdited(event.currentTarget.value)} />
          {isChanged && (
            <button class="bay" disabled={isBusy}>
              {t("you.save")}
            </button>
          )}
        </span>
      </form>
      {refusal && (
        <p class="error" role="alert">
          {refusal}
        </p>
      )}
    </>
  );
}

// How a person with an account signs in: the handle, passkeys, recovery codes, devices.

import { useEffect, useId, useState } from "preact/hooks";
import { t } from "../../catalogue/index.js";
import { post } from "../../parts/account-requests.js";
import { Icon } from "../../parts/art.js";
import { Disclosure } from "../../parts/controls.js";
import { deviceName } from "../../parts/device-name.js";
import { dateText, dayText, momentText } from "../../parts/figures.js";
import { Link } from "../../parts/link.js";
import { canUsePasskeys } from "../../parts/passkeys.js";
import { profilePath } from "../../parts/person-name.js";
import { HandleField } from "./handle-field.js";
import { addPasskey } from "./keep-name.js";
import { RefusalLine, SureButton, useWork } from "../../parts/use-work.js";

/** @typedef {import("./account.js").AccountProps} AccountProps */

/** Milliseconds for which a one-time code is valid. */
const CODE_LIFETIME = 5 * 60_000;

/** Return the name of a device in the language of the page; the server calls it "Firefox on Windows". @param {string} name */
export function deviceText(name) {
  const [, browser, system] = name.match(/^(.+) on (.+)$/) ?? [];
  if (system) return t("devices.name", { browser, system });
  return name && name !== "Program" ? name : t(name ? "devices.program" : "devices.unnamed");
}

/** Return the sentence about when something was last used. @param {number | null} used */
function usedText(used) {
  return used ? t("ways.used", { when: dayText(used) }) : t("ways.unused");
}

/** @param {AccountProps} props */
export function HandleCard({ socket, account, onHandle }) {
  const work = useWork();
  const change = (/** @type {string} */ handle) => work.run(async () => onHandle((await socket.request({ type: "keep_name", handle })).handle));
  return (
    <section class="card you-card" aria-labelledby="handle-title">
      <div class="you-line">
        <h2 id="handle-title">@{account.handle}</h2>
        <Link to={profilePath(account.handle)} class="button">
          {t("account.profile")}
        </Link>
      </div>
      <p class="small muted">{t("account.since", { date: dateText(account.since) })}</p>
      {account.earlier.map((/** @type {any} */ { handle, until }) => (
        <p key={handle} class="small muted">
          {t("account.earlier", { handle, date: dateText(until) })}
        </p>
      ))}
      <Disclosure summary={t("account.change_handle")}>
        <p class="small muted">{t("account.change_handle.why")}</p>
        <HandleField key={account.handle} label={t("account.new_handle")} button={t("account.change")} first="" work={work} onSend={change} />
      </Disclosure>
    </section>
  );
}

/** @param {AccountProps} props */
export function Passkeys({ socket, account, again }) {
  const work = useWork();
  const [name, setName] = useState(deviceName());
  const id = useId();
  const { passkeys } = account;
  const isOnlyWay = passkeys.length === 1 && !account.recovery?.left;
  const remove = (/** @type {string} */ passkey) =>
    work.run(async () => {
      await socket.request({ type: "remove_passkey", passkey });
      again();
    });
  const add = (/** @type {Event} */ event) => {
    event.preventDefault();
    work.run(async () => {
      await addPasskey(socket, name);
      again();
    });
  };
  return (
    <section class="card you-card" aria-labelledby="passkeys-title">
      <h2 id="passkeys-title">{t("passkeys.title")}</h2>
      <p class="small muted">{t("passkeys.why")}</p>
      {passkeys.length > 0 && (
        <ul class="you-list">
          {passkeys.map((/** @type {any} */ passkey) => (
            <li key={passkey.id}>
              <Icon name="lock" />
              <div class="you-list-text">
                <strong>{passkey.name}</strong>
                <span class="small muted">
                  {t("ways.added", { date: dateText(passkey.created) })} · {usedText(passkey.used)}
                  {passkey.synced && ` · ${t("passkeys.synced")}`}
                </span>
              </div>
              {!isOnlyWay && (
                <SureButton
                  label={t("ways.remove")}
                  sure={t("ways.remove_sure")}
                  name={t("passkeys.remove_name", { name: passkey.name })}
                  isBusy={work.isBusy}
                  onSure={() => remove(passkey.id)}
                />
              )}
            </li>
          ))}
        </ul>
      )}
      {isOnlyWay && <p class="small you-warning">{t("passkeys.only")}</p>}
      {canUsePasskeys() ? (
        <form onSubmit={add} class="passkey-form">
          <label for={id}>{t("passkeys.name")}</label>
          <div class="you-name-row">
            <input id={id} value={name} maxLength={40} onInput={(event) => setName(event.currentTarget.value)} />
            <button aria-disabled={work.isBusy}>
              <Icon name="plus" />
              {t("passkeys.add")}
            </button>
          </div>
        </form>
      ) : (
        <p class="small">{t("passkey.trouble.unsupported")}</p>
      )}
      <RefusalLine work={work} />
    </section>
  );
}

/** @param {AccountProps} props */
export function RecoveryCodes({ socket, account, onCodes }) {
  const work = useWork();
  const left = account.recovery?.left ?? 0;
  const make = () => work.run(async () => onCodes((await socket.request({ type: "make_recovery_codes" })).codes));
  return (
    <section class="card you-card" aria-labelledby="recovery-title">
      <h2 id="recovery-title">{t("recovery.title")}</h2>
      <p class={left > 2 ? "" : "you-warning"}>
        {account.recovery ? t("recovery.left", { count: left, date: dateText(account.recovery.made) }) : t("recovery.none")}
      </p>
      <div class="you-actions">
        {account.recovery ? (
          <SureButton label={t("recovery.new")} sure={t("recovery.new_sure")} isBusy={work.isBusy} onSure={make} />
        ) : (
          <button type="button" aria-disabled={work.isBusy} onClick={make}>
            {t("recovery.make")}
          </button>
        )}
      </div>
      {account.recovery && <p class="small muted">{t("recovery.new.why")}</p>}
      <RefusalLine work={work} />
    </section>
  );
}

/** The devices on which the person is signed in; guests have them too. @param {AccountProps} props */
export function Devices({ socket, account, again }) {
  const work = useWork();
  const [made, setMade] = useState(/** @type {string | null} */ (null));
  const { devices } = account;
  useEffect(() => {
    const timer = made ? setTimeout(() => setMade(null), CODE_LIFETIME) : undefined;
    return () => clearTimeout(timer);
  }, [made]);
  const signOut = (/** @type {string} */ device) =>
    work.run(async () => {
      await socket.request({ type: "sign_out", device });
      again();
    });
  const signOutOthers = () =>
    work.run(async () => {
      await socket.request({ type: "forget_devices" });
      again();
    });
  return (
    <section class="card you-card" aria-labelledby="devices-title">
      <h2 id="devices-title">{t("devices.title")}</h2>
      <ul class="you-list">
        {devices.map((/** @type {any} */ device) => (
          <li key={device.id}>
            <Icon name="panel" />
            <div class="you-list-text">
              <strong>{deviceText(device.name)}</strong>
              <span class="small muted">
                {device.current ? (
                  <b class="this-device">{t("devices.this")}</b>
                ) : (
                  device.used && <span title={momentText(device.used)}>{usedText(device.used)}</span>
                )}
              </span>
            </div>
            {!device.current && (
              <SureButton
                label={t("devices.sign_out")}
                sure={t("devices.sign_out_sure")}
                name={t("devices.sign_out_name", { name: deviceText(device.name) })}
                isBusy={work.isBusy}
                onSure={() => signOut(device.id)}
              />
            )}
          </li>
        ))}
      </ul>
      <div class="you-actions">
        {devices.length > 1 && <SureButton label={t("devices.others")} sure={t("devices.others_sure")} isBusy={work.isBusy} onSure={signOutOthers} />}
        {made ? (
          <output>{t("you.code", { code: `${made.slice(0, 5)} ${made.slice(5)}` })}</output>
        ) : (
          <button type="button" onClick={() => work.run(async () => setMade((await socket.request({ type: "make_code" })).code))}>
            {t("you.second_device")}
          </button>
        )}
      </div>
      <RefusalLine work={work} />
    </section>
  );
}

/** @param {{account: any}} props */
export function SignOutHere({ account }) {
  const work = useWork();
  const end = () =>
    work.run(async () => {
      await post("/api/session/end");
      location.replace("/");
    });
  return (
    <section class="card you-card" aria-labelledby="sign-out-title">
      <h2 id="sign-out-title">{t("sign_out.title")}</h2>
      <p class="small muted">{t("sign_out.why", { handle: account.handle })}</p>
      <div class="you-actions">
        <button type="button" aria-disabled={work.isBusy} onClick={end}>
          <Icon name="leave" />
          {t("sign_out.button")}
        </button>
      </div>
      <RefusalLine work={work} />
    </section>
  );
}

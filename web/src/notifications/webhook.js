// A webhook: an address to which the server sends messages, for a channel of a group or a program.

import { useId, useState } from "preact/hooks";
import { t } from "../catalogue/index.js";
import { Segmented } from "../parts/controls.js";
import { CopyField } from "../parts/copy-field.js";
import { RefusalLine, SureButton, useWork } from "../parts/use-work.js";
import { ContactRow } from "./contact-row.js";

/** Return an address as browsers write it; as it was typed if it is none. @param {string} typed */
export function cleanUrl(typed) {
  try {
    return new URL(typed.trim()).href;
  } catch {
    return typed.trim();
  }
}

/** Return the form of the webhook at an address: that of Discord if it leads there. @param {string} url */
export function formOf(url) {
  return /^https:\/\/([a-z]+\.)?discord(app)?\.com\//.test(url) ? "discord" : "json";
}

/**
 * @param {object} props
 * @param {any} props.contact the webhook; undefined if there is none
 * @param {(message: any) => Promise<any>} props.request sends a request about the recipient
 * @param {() => void} props.again reads the contacts again
 */
export function Webhook({ contact, request, again }) {
  const [typed, setTyped] = useState("");
  const [chosenForm, setForm] = useState(/** @type {string | null} */ (null));
  const [secret, setSecret] = useState("");
  const work = useWork();
  const id = useId();
  const form = chosenForm ?? formOf(typed);
  const keep = (/** @type {any} */ message) =>
    work.run(async () => {
      setSecret((await request(message)).secret);
      setTyped("");
      again();
    });
  const add = (/** @type {Event} */ event) => {
    event.preventDefault();
    if (typed.trim()) keep({ type: "set_webhook", url: cleanUrl(typed), form });
  };
  return (
    <div class="webhook">
      {contact ? (
        <ul class="notify-list">
          <ContactRow contact={contact} name={contact.address} request={request} work={work} again={again}>
            {contact.form === "json" && (
              <SureButton
                label={t("notify.renew")}
                sure={t("notify.renew_sure")}
                isBusy={work.isBusy}
                onSure={() => keep({ type: "renew_secret", contact: contact.id })}
              />
            )}
          </ContactRow>
        </ul>
      ) : (
        <form onSubmit={add} class="notify-form">
          <label for={id}>{t("notify.webhook_address")}</label>
          <input id={id} type="url" inputMode="url" value={typed} maxLength={1000} autoComplete="off" placeholder="https://" onInput={(event) => setTyped(event.currentTarget.value)} />
          <div class="notify-actions">
            <Segmented
              label={t("notify.form")}
              value={form}
              options={["discord", "json"].map((value) => ({ value, label: t(`notify.form.${value}`) }))}
              onChange={setForm}
            />
            <button aria-disabled={work.isBusy || !typed.trim()}>{t("notify.add")}</button>
          </div>
        </form>
      )}
      {secret && contact?.form === "json" && (
        <div role="status">
          <p class="small notify-warning">{t("notify.secret_once")}</p>
          <CopyField label={t("notify.secret")} text={secret} />
        </div>
      )}
      <RefusalLine work={work} />
    </div>
  );
}

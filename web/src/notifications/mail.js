// Messages by mail: the address, and the code that confirms it.

import { useId, useState } from "preact/hooks";
import { t } from "../catalogue/index.js";
import { RefusalLine, SureButton, useWork } from "../parts/use-work.js";
import { ContactRow, errorText } from "./contact-row.js";

/**
 * @param {object} props
 * @param {any} props.contact the address; undefined if there is none
 * @param {(message: any) => Promise<any>} props.request
 * @param {() => void} props.again reads the contacts again
 */
export function Mail({ contact, request, again }) {
  const [address, setAddress] = useState("");
  const [code, setCode] = useState("");
  const [failure, setFailure] = useState("");
  const work = useWork();
  const id = useId();
  const send = (/** @type {string} */ to) =>
    work.run(async () => {
      const { delivered, error } = await request({ type: "set_mail", address: to });
      setFailure(delivered ? "" : errorText(error));
      setCode("");
      again();
    });
  const onAddress = (/** @type {Event} */ event) => {
    event.preventDefault();
    if (address.trim()) send(address.trim());
  };
  const onCode = (/** @type {Event} */ event) => {
    event.preventDefault();
    if (code.trim())
      work.run(async () => {
        await request({ type: "confirm_mail", code });
        again();
      });
  };
  if (contact?.confirmed) {
    return (
      <>
        <ul class="notify-list">
          <ContactRow contact={contact} name={contact.address} request={request} work={work} again={again} />
        </ul>
        <RefusalLine work={work} />
      </>
    );
  }
  if (contact) {
    return (
      <form onSubmit={onCode} class="notify-form">
        <label for={id}>{t("notify.code", { address: contact.address })}</label>
        <div class="notify-row">
          <input id={id} value={code} inputMode="numeric" autoComplete="one-time-code" maxLength={12} onInput={(event) => setCode(event.currentTarget.value)} />
          <button class="bay" aria-disabled={work.isBusy || !code.trim()}>
            {t("notify.confirm")}
          </button>
        </div>
        <div class="notify-actions">
          <button type="button" aria-disabled={work.isBusy} onClick={() => send(contact.address)}>
            {t("notify.code_again")}
          </button>
          <SureButton
            label={t("notify.remove")}
            sure={t("notify.remove_sure")}
            name={t("notify.remove_name", { name: contact.address })}
            isBusy={work.isBusy}
            onSure={() => work.run(async () => (await request({ type: "remove_contact", contact: contact.id }), again()))}
          />
        </div>
        {failure && (
          <p class="error" role="alert">
            {failure}
          </p>
        )}
        <RefusalLine work={work} />
      </form>
    );
  }
  return (
    <form onSubmit={onAddress} class="notify-form">
      <label for={id}>{t("notify.mail_address")}</label>
      <div class="notify-row">
        <input id={id} type="email" value={address} autoComplete="email" maxLength={254} onInput={(event) => setAddress(event.currentTarget.value)} />
        <button aria-disabled={work.isBusy || !address.trim()}>{t("notify.send_code")}</button>
      </div>
      <RefusalLine work={work} />
    </form>
  );
}

// One contact through which somebody is told: its switch, its state, and a test.

import { useState } from "preact/hooks";
import { hasText, t } from "../catalogue/index.js";
import { dayText } from "../parts/figures.js";
import { SureButton } from "../parts/use-work.js";

/** Return why the last message could not be delivered. @param {string} code */
export function errorText(code) {
  const key = `notify.error.${code}`;
  return hasText(key) ? t(key) : t("notify.error.server_error");
}

/** Return the sentence about the state of a contact. @param {any} contact */
export function stateText(contact) {
  if (contact.gave_up) return `${t("notify.gave_up")} ${errorText(contact.error)}`;
  if (contact.error) return errorText(contact.error);
  if (!contact.on) return t("notify.is_off");
  return contact.sent ? t("notify.sent", { when: dayText(contact.sent) }) : t("notify.is_on");
}

/**
 * @param {object} props
 * @param {any} props.contact
 * @param {string} props.name
 * @param {(message: any) => Promise<any>} props.request sends a request about the recipient of this contact
 * @param {import("../parts/use-work.js").Work} props.work
 * @param {() => void} props.again reads the contacts again
 * @param {() => Promise<any>} [props.onRemove]
 * @param {any} [props.children] further buttons
 */
export function ContactRow({ contact, name, request, work, again, onRemove, children }) {
  const [tried, setTried] = useState("");
  const act = (/** @type {any} */ message) =>
    work.run(async () => {
      await request(message);
      setTried("");
      again();
    });
  const test = () =>
    work.run(async () => {
      const { delivered, error } = await request({ type: "try_contact", contact: contact.id });
      setTried(delivered ? t("notify.test_sent") : errorText(error));
      again();
    });
  return (
    <li class="contact-row">
      <label class="contact-switch">
        <input
          type="checkbox"
          role="switch"
          checked={contact.on}
          aria-disabled={work.isBusy}
          onClick={(event) => work.isBusy && event.preventDefault()}
          onChange={(event) => act({ type: "switch_contact", contact: contact.id, on: event.currentTarget.checked })}
        />
        <span class="contact-text">
          <strong>{name}</strong>
          <span class={`small ${contact.error ? "contact-trouble" : "muted"}`}>{stateText(contact)}</span>
        </span>
      </label>
      <span class="contact-actions">
        {contact.on && (
          <button type="button" aria-disabled={work.isBusy} aria-label={t("notify.test_name", { name })} onClick={test}>
            {t("notify.test")}
          </button>
        )}
        {children}
        <SureButton
          label={t("notify.remove")}
          sure={t("notify.remove_sure")}
          name={t("notify.remove_name", { name })}
          isBusy={work.isBusy}
          onSure={() => (onRemove ? work.run(async () => (await onRemove(), again())) : act({ type: "remove_contact", contact: contact.id }))}
        />
      </span>
      <span class="small contact-tried" role="status">
        {tried}
      </span>
    </li>
  );
}

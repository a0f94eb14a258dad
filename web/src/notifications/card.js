// How the visitor is told while they are away: on this device, on others, by mail and by webhook; about what, and when not.

import { useEffect, useId, useState } from "preact/hooks";
import { t } from "../catalogue/index.js";
import { zoneHere } from "../parts/figures.js";
import { RefusalLine, useWork } from "../parts/use-work.js";
import { permission } from "../parts/your-move.js";
import { ContactRow } from "./contact-row.js";
import { Mail } from "./mail.js";
import { canPush, ownContact, readSubscription, subscribe, unsubscribe } from "./push.js";
import { useAnswer } from "../parts/use-answer.js";
import { Webhook } from "./webhook.js";
import "../style/notifications.css";

/** What somebody can be told about. */
export const ABOUT = ["move", "begun", "ended", "invited"];

/** The quiet hours that are offered first: from ten in the evening to seven in the morning, in minutes. */
const NIGHT = { begin: 22 * 60, end: 7 * 60 };

/** Return a time of day for a field of the browser. @param {number} minutes after midnight */
export function clockText(minutes) {
  return `${String(Math.floor(minutes / 60)).padStart(2, "0")}:${String(minutes % 60).padStart(2, "0")}`;
}

/** Return the minutes after midnight of such a field; null if it is empty. @param {string} text */
export function minutesOf(text) {
  const [, hours, minutes] = text.match(/^(\d\d):(\d\d)/) ?? [];
  return minutes === undefined ? null : Number(hours) * 60 + Number(minutes);
}

/** Return what somebody is told about, with one more or one fewer, always in the same order. @param {string[]} about @param {string} name */
export function toggledAbout(about, name) {
  return ABOUT.filter((each) => about.includes(each) !== (each === name));
}

/** @param {{socket: import("../socket.js").Socket, user: string | null, hasAccount: boolean}} props */
export function NotificationCard({ socket, user, hasAccount }) {
  const { reply, refusal, again } = useAnswer(socket, { type: "get_notifications" });
  /** What was chosen here: it is shown at once, and every choice sends all of them, so that the last one counts. */
  const [chosen, setChosen] = useState(/** @type {{about: string[], quiet: any, zone: string} | null} */ (null));
  const [wishRefusal, setWishRefusal] = useState("");
  const id = useId();
  useEffect(() => void readSubscription(), []);
  const found = reply?.notifications;
  if (!found) {
    return refusal && <p class="error">{refusal.message}</p>;
  }
  const request = (/** @type {any} */ message) => socket.request(message);
  const ofKind = (/** @type {string} */ kind) => found.contacts.filter((/** @type {any} */ contact) => contact.kind === kind);
  const offers = new Set(found.offers);
  const { about, quiet, zone } = chosen ?? found;
  const set = (/** @type {any} */ fields) => {
    const wishes = { about, quiet, zone: quiet ? zone : zoneHere(), ...fields };
    setChosen(wishes);
    setWishRefusal("");
    request({ type: "set_notifications", ...wishes }).catch((reason) => {
      setWishRefusal(reason.message);
      setChosen(null);
      again();
    });
  };
  const setQuiet = (/** @type {any} */ hours) => set({ quiet: hours, zone: zoneHere() });
  return (
    <section class="card you-card" aria-labelledby="notifications-title" id="notifications">
      <h2 id="notifications-title">{t("notify.title")}</h2>
      <p class="small muted">{t("notify.why")}</p>
      {offers.has("push") && <Devices contacts={ofKind("push")} pushKey={found.push_key} user={user} socket={socket} again={again} />}
      {hasAccount && offers.has("mail") && (
        <section class="notify-part" aria-labelledby={`${id}-mail`}>
          <h3 id={`${id}-mail`}>{t("notify.mail")}</h3>
          <p class="small muted">{t("notify.mail_why")}</p>
          <Mail contact={ofKind("mail")[0]} request={request} again={again} />
        </section>
      )}
      {hasAccount && offers.has("webhook") && (
        <section class="notify-part" aria-labelledby={`${id}-webhook`}>
          <h3 id={`${id}-webhook`}>{t("notify.webhook")}</h3>
          <p class="small muted">{t("notify.webhook_why")}</p>
          <Webhook contact={ofKind("webhook")[0]} request={request} again={again} />
        </section>
      )}
      {!hasAccount && <p class="small muted">{t("notify.guests")}</p>}
      <fieldset class="notify-part">
        <legend>{t("notify.about")}</legend>
        {ABOUT.map((name) => (
          <label key={name} class="check check-long">
            <input type="checkbox" checked={about.includes(name)} onChange={() => set({ about: toggledAbout(about, name) })} />
            {t(`notify.about.${name}`)}
          </label>
        ))}
      </fieldset>
      <fieldset class="notify-part">
        <legend>{t("notify.quiet")}</legend>
        <label class="check check-long">
          <input type="checkbox" checked={quiet !== null} onChange={() => setQuiet(quiet ? null : NIGHT)} />
          {t("notify.quiet_on")}
        </label>
        {quiet && (
          <div class="quiet-hours">
            {["begin", "end"].map((side) => (
              <label key={side}>
                <span>{t(`notify.quiet.${side}`)}</span>
                <input
                  type="time"
                  value={clockText(quiet[side])}
                  onChange={(event) => {
                    const minutes = minutesOf(event.currentTarget.value);
                    if (minutes !== null) setQuiet({ ...quiet, [side]: minutes });
                  }}
                />
              </label>
            ))}
            <span class="small muted">{t("notify.zone", { zone: zone.replaceAll("_", " ") })}</span>
          </div>
        )}
      </fieldset>
      {wishRefusal && (
        <p class="error" role="alert">
          {wishRefusal}
        </p>
      )}
    </section>
  );
}

/**
 * The browsers that are told. @param {{contacts: any[], pushKey: string, user: string | null, socket: import("../socket.js").Socket, again: () => void}} props
 */
function Devices({ contacts, pushKey, user, socket, again }) {
  const work = useWork();
  const id = useId();
  const own = contacts.find((contact) => contact.id === ownContact.value && contact.on);
  const turn = () =>
    work.run(async () => {
      if (user && (await subscribe(socket, pushKey, user))) again();
    });
  return (
    <section class="notify-part" aria-labelledby={`${id}-push`}>
      <h3 id={`${id}-push`}>{t("notify.push")}</h3>
      <p class="small muted">{t("notify.push_why")}</p>
      {contacts.length > 0 && (
        <ul class="notify-list">
          {contacts.map((contact) => (
            <ContactRow
              key={contact.id}
              contact={contact}
              name={`${contact.name || t("notify.unnamed")}${contact.id === ownContact.value ? ` (${t("notify.this")})` : ""}`}
              request={(message) => socket.request(message)}
              work={work}
              again={again}
              onRemove={async () => {
                if (contact.id === ownContact.value) await unsubscribe();
                await socket.request({ type: "remove_contact", contact: contact.id });
              }}
            />
          ))}
        </ul>
      )}
      {!canPush() ? (
        <p class="small">{t("notify.push_unsupported")}</p>
      ) : permission.value === "denied" ? (
        <p class="small">{t("move.blocked")}</p>
      ) : (
        !own && (
          <div class="notify-actions">
            <button type="button" class="bay" aria-disabled={work.isBusy} onClick={turn}>
              {t("notify.push_here")}
            </button>
          </div>
        )
      )}
      <RefusalLine work={work} />
    </section>
  );
}

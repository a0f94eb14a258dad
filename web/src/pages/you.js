// The visitor: name, face, colour, language and theme; then the account, the devices, the people, and what is stored.

import { useState } from "preact/hooks";
import { t } from "../catalogue/index.js";
import { installOffer } from "../offline.js";
import { SEAT_COLOURS } from "../parts/art.js";
import { LanguageChoice, PreferenceButtons } from "../parts/chrome.js";
import { Face } from "../parts/face.js";
import { colour } from "../parts/preferences.js";
import { SeatChip } from "../parts/site-art.js";
import { SitePage } from "../parts/site-bar.js";
import { RefusalLine, useWork } from "../parts/use-work.js";
import { TipsSwitch } from "../tips/switch.js";
import { AccountParts } from "./you/account.js";
import "../style/lists.css";
import "../style/you.css";

/** @typedef {import("../main.js").PageProps} PageProps */

/** @param {PageProps} props */
export function Page(props) {
  const me = props.store.me.value;
  return (
    <SitePage store={props.store} active="you">
      <main class="site-wrap you-page">
        <h1 class="page-title">{t("you.title")}</h1>
        <AccountParts {...props}>
          <section class="card you-card" aria-label={t("you.title")}>
            <div class="you-head">
              <Face user={me?.id ?? null} name={me?.name} size={72} />
              <Name {...props} />
            </div>
            <Colours />
            <div class="you-row">
              <span>{t("you.look")}</span>
              <LanguageChoice />
              <PreferenceButtons />
            </div>
            <div class="you-row">
              <span>{t("chrome.tips")}</span>
              <TipsSwitch />
            </div>
            <Install />
          </section>
        </AccountParts>
      </main>
    </SitePage>
  );
}

/** Whether this is Safari on a phone or tablet that has not installed the page: it can, but offers nothing by itself. */
const isSafariTab = /** @type {any} */ (navigator).standalone === false;

/** The offer to install the page, where the browser can. */
function Install() {
  const offer = installOffer.value;
  if (!offer && !isSafariTab) return null;
  return (
    <div class="you-row">
      <span>
        {t("you.install")}
        <small class="muted you-note">{t("you.install_text")}</small>
      </span>
      {offer ? (
        <button type="button" class="bay" onClick={offer}>
          {t("you.install_now")}
        </button>
      ) : (
        <small>{t("you.install_safari")}</small>
      )}
    </div>
  );
}

/** @param {PageProps} props */
function Name({ store, socket }) {
  const me = store.me.value;
  const [editedName, setEditedName] = useState(/** @type {string | null} */ (null));
  const work = useWork();
  const rename = (/** @type {Event} */ event) => {
    event.preventDefault();
    if (editedName === null) return;
    work.run(async () => {
      await store.rename(socket, editedName);
      setEditedName(null);
    });
  };
  return (
    <form onSubmit={rename} class="you-name">
      <label for="name">{t("you.name")}</label>
      <div class="you-name-row">
        <input id="name" value={editedName ?? me?.name ?? ""} maxLength={24} autoComplete="nickname" onInput={(event) => setEditedName(event.currentTarget.value)} />
        {editedName !== null && editedName !== me?.name && (
          <button class="bay" aria-disabled={work.isBusy}>
            {t("you.save")}
          </button>
        )}
      </div>
      <RefusalLine work={work} />
    </form>
  );
}

function Colours() {
  const chosen = Number(colour.value);
  const onKeyDown = (/** @type {KeyboardEvent & {currentTarget: HTMLElement}} */ event) => {
    const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
    if (!step) return;
    event.preventDefault();
    const to = (chosen + step + SEAT_COLOURS.length) % SEAT_COLOURS.length;
    colour.value = String(to);
    /** @type {HTMLElement} */ (event.currentTarget.querySelectorAll("[role=radio]")[to]).focus();
  };
  return (
    <div class="you-row" role="radiogroup" aria-label={t("you.colour")} onKeyDown={onKeyDown}>
      <span>{t("you.colour")}</span>
      <div class="colours">
        {SEAT_COLOURS.map((name, seat) => (
          <button
            key={name}
            class="plain colour"
            role="radio"
            aria-checked={chosen === seat}
            aria-label={t(`colour.${name}`)}
            tabIndex={chosen === seat ? 0 : -1}
            onClick={() => (colour.value = String(seat))}
          >
            <SeatChip seat={seat} size={32} />
          </button>
        ))}
      </div>
    </div>
  );
}

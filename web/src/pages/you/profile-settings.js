// What the profile shows, and to whom.

import { useEffect, useId, useState } from "preact/hooks";
import { t } from "../../catalogue/index.js";
import { TABLE_LANGUAGES } from "../../parts/table-texts.js";
import { RefusalLine, useWork } from "../../parts/use-work.js";

const PRIVACIES = ["public", "friends", "nobody"];
const LONGEST_MOTTO = 120;

/** Return whether the form differs from what is stored. @param {any} form @param {any} account */
export function isChanged(form, account) {
  return ["motto", "languages", "privacy"].some((field) => JSON.stringify(form[field]) !== JSON.stringify(account[field]));
}

/** Return the languages with one more, or one fewer, always in the same order. @param {string[]} languages @param {string} code */
export function toggled(languages, code) {
  return Object.keys(TABLE_LANGUAGES).filter((each) => languages.includes(each) !== (each === code));
}

/** @param {import("./account.js").AccountProps} props */
export function ProfileSettings({ socket, account, again }) {
  const stored = { motto: account.motto, languages: toggled(account.languages, ""), privacy: account.privacy };
  const [edited, setEdited] = useState(/** @type {typeof stored | null} */ (null));
  const [isSaved, setSaved] = useState(false);
  const work = useWork();
  const id = useId();
  const form = edited ?? stored;
  // The server may have changed what it stored, spaces for example.
  useEffect(() => {
    if (isSaved) setEdited(null);
  }, [account]);
  const edit = (/** @type {Partial<typeof stored>} */ fields) => {
    setSaved(false);
    setEdited({ ...form, ...fields });
  };
  const save = (/** @type {Event} */ event) => {
    event.preventDefault();
    work.run(async () => {
      await socket.request({ type: "set_profile", ...form });
      setSaved(true);
      again();
    });
  };
  return (
    <section class="card you-card" aria-labelledby={`${id}-title`}>
      <h2 id={`${id}-title`}>{t("settings_profile.title")}</h2>
      <form onSubmit={save} class="profile-form">
        <label for={`${id}-motto`}>{t("settings_profile.motto")}</label>
        <input id={`${id}-motto`} value={form.motto} maxLength={LONGEST_MOTTO} onInput={(event) => edit({ motto: event.currentTarget.value })} />
        <fieldset>
          <legend>{t("settings_profile.languages")}</legend>
          <div class="check-row">
            {Object.entries(TABLE_LANGUAGES).map(([code, name]) => (
              <label key={code} class="check">
                <input type="checkbox" checked={form.languages.includes(code)} onChange={() => edit({ languages: toggled(form.languages, code) })} />
                {name}
              </label>
            ))}
          </div>
        </fieldset>
        <fieldset>
          <legend>{t("settings_profile.privacy")}</legend>
          {PRIVACIES.map((privacy) => (
            <label key={privacy} class="check check-long">
              <input type="radio" name={`${id}-privacy`} checked={form.privacy === privacy} onChange={() => edit({ privacy })} />
              <span>
                <strong>{t(`privacy.${privacy}`)}</strong>
                <span class="small muted block">{t(`privacy.${privacy}.why`)}</span>
              </span>
            </label>
          ))}
        </fieldset>
        <div class="you-actions">
          <button class="bay" aria-disabled={work.isBusy || !isChanged(form, stored)}>
            {t("settings_profile.save")}
          </button>
          <span role="status" class="small">
            {isSaved && t("settings_profile.saved")}
          </span>
        </div>
        <RefusalLine work={work} />
      </form>
    </section>
  );
}

// What is stored about the visitor, in plain words; the download of it; and the deletion.

import { useId, useState } from "preact/hooks";
import { t } from "../../catalogue/index.js";
import { Icon } from "../../parts/art.js";
import { Disclosure } from "../../parts/controls.js";
import { cleanHandle } from "../../parts/handles.js";
import { RefusalLine, useWork } from "../../parts/use-work.js";
import { newCodes } from "./codes-card.js";

/** Return the kinds of stored data that concern a person. @param {any} account */
export function storedKinds(account) {
  return account.handle
    ? ["name", "handle", "passkeys", "codes", "devices", "games", "lessons", "rhythm", "notifications", "chat", "people", "ratings"]
    : ["name", "devices", "games", "lessons", "rhythm", "notifications", "chat", "blocked"];
}

/** @param {import("./account.js").AccountProps} props */
export function StoredData(props) {
  const { account } = props;
  return (
    <section class="card you-card" aria-labelledby="stored-title" id="stored">
      <h2 id="stored-title">{t("stored.title")}</h2>
      <p class="small muted">{t("stored.no_mail")}</p>
      <ul class="stored-list">
        {storedKinds(account).map((kind) => (
          <li key={kind}>{t(`stored.${kind}`)}</li>
        ))}
      </ul>
      <div class="you-actions">
        <a class="button" href="/api/account.json" download>
          <Icon name="download" />
          {t("stored.download")}
        </a>
      </div>
      <Disclosure summary={t(account.handle ? "delete.title" : "delete.title_guest")}>
        <DeleteForm {...props} />
      </Disclosure>
    </section>
  );
}

/** @param {import("./account.js").AccountProps} props */
function DeleteForm({ socket, account, name }) {
  const [typed, setTyped] = useState("");
  const work = useWork();
  const id = useId();
  const wanted = account.handle ?? name;
  const isConfirmed = cleanHandle(typed) === cleanHandle(wanted);
  const remove = (/** @type {Event} */ event) => {
    event.preventDefault();
    if (!isConfirmed) return;
    work.run(async () => {
      await socket.request({ type: "delete_account", confirm: wanted });
      // Codes of an account that is gone keep nobody from leaving.
      newCodes.value = null;
      location.replace("/");
    });
  };
  return (
    <form onSubmit={remove} class="delete-form">
      <p class="small">{t("delete.what")}</p>
      <p class="small">{t("delete.former")}</p>
      {account.handle && <p class="small">{t("delete.handle")}</p>}
      <label for={id}>{t(account.handle ? "delete.confirm" : "delete.confirm_guest", { name: wanted })}</label>
      <div class="you-name-row">
        <input id={id} value={typed} autoCapitalize="none" autoComplete="off" spellcheck={false} onInput={(event) => setTyped(event.currentTarget.value)} />
        <button class="danger" aria-disabled={work.isBusy || !isConfirmed}>
          {t("delete.button")}
        </button>
      </div>
      <RefusalLine work={work} />
    </form>
  );
}

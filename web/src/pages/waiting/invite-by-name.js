// Inviting somebody by their handle; the people whom the visitor follows are one press away.

import { useId, useState } from "preact/hooks";
import { t } from "../../catalogue/index.js";
import { Face } from "../../parts/face.js";
import { cleanHandle } from "../../parts/handles.js";
import { useRequest } from "../../parts/use-request.js";

const SHOWN = 6;

/**
 * Return the people to suggest: those whom the visitor follows and who do not sit here, the ones online first.
 * @param {any[] | null} people @param {any[]} seats @param {string} typed
 * @returns {any[]}
 */
export function suggested(people, seats, typed) {
  const wanted = cleanHandle(typed);
  const isWanted = (/** @type {any} */ { handle, name }) => handle.startsWith(wanted) || name.toLowerCase().startsWith(wanted);
  const isHere = (/** @type {any} */ { id }) => seats.some(({ user }) => user === id);
  const found = (people ?? []).filter((person) => isWanted(person) && !isHere(person));
  return found.sort((one, other) => Number(other.online) - Number(one.online)).slice(0, SHOWN);
}

/** @param {{people: any[] | null, model: import("../../store.js").TableModel}} props */
export function InviteByName({ people, model }) {
  const [typed, setTyped] = useState("");
  const [invited, setInvited] = useState("");
  const [run, { isBusy, refusal }] = useRequest();
  const id = useId();
  const { table, seats } = model.view.value;
  const key = table.settings.private ? table.key ?? model.key : null;
  /** @param {string} handle */
  const invite = (handle) => {
    setInvited("");
    run(async () => {
      await model.request("invite", { handle, ...(key ? { key } : {}) });
      setInvited(handle);
      setTyped("");
    });
  };
  const send = (/** @type {Event} */ event) => {
    event.preventDefault();
    const handle = cleanHandle(typed);
    if (handle && !isBusy) invite(handle);
  };
  const suggestions = suggested(people, seats, typed);
  return (
    <form class="invite-name" onSubmit={send}>
      <label for={id} class="small muted">
        {t("invite_by_name.label")}
      </label>
      <div class="invite-row">
        <input
          id={id}
          value={typed}
          maxLength={24}
          placeholder={t("invite_by_name.example")}
          autoCapitalize="none"
          autoComplete="off"
          spellcheck={false}
          onInput={(event) => setTyped(event.currentTarget.value)}
        />
        <button aria-disabled={isBusy}>{t("invite_by_name.button")}</button>
      </div>
      {suggestions.length > 0 && (
        <ul class="invite-suggestions" aria-label={t("invite_by_name.followed")}>
          {suggestions.map((person) => (
            <li key={person.id}>
              <button type="button" onClick={() => !isBusy && invite(person.handle)}>
                <Face user={person.id} name={person.name} size={22} />
                {person.name}
                {person.online && (
                  <span class="live live-open">
                    <span class="hidden-visually">{t("invite_by_name.online")}</span>
                  </span>
                )}
              </button>
            </li>
          ))}
        </ul>
      )}
      <p class="small" role="status">
        {invited && t("invite_by_name.done", { handle: invited })}
      </p>
      {refusal && (
        <p class="error" role="alert">
          {refusal}
        </p>
      )}
    </form>
  );
}

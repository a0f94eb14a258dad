// The visitor's name, colour and second device, and the visitor's running games.

import { useState } from "preact/hooks";
import { t } from "../../catalogue/index.js";
import { Chip, SEAT_COLOURS } from "../../parts/art.js";
import { sitterText } from "../../parts/bots.js";
import { useRequest } from "../../parts/use-request.js";
import { colour } from "../../parts/preferences.js";

/** @typedef {import("../../main.js").PageProps} PageProps */

/** @param {PageProps} props */
export function You({ store, socket }) {
  const me = store.me.value;
  const [editedName, setEditedName] = useState(/** @type {string | null} */ (null));
  const [code, setCode] = useState(/** @type {string | null} */ (null));
  const [run, { isBusy, refusal }] = useRequest();
  const rename = (/** @type {Event} */ event) => {
    event.preventDefault();
    run(async () => {
      const { name } = await socket.request({ type: "set_name", name: editedName });
      if (me) store.me.value = { ...me, name: name ?? editedName };
      setEditedName(null);
    });
  };
  return (
    <section class="card panel" aria-labelledby="you-title">
      <h2 id="you-title">{t("you.title")}</h2>
      <form onSubmit={rename} class="name-form">
        <label for="name" class="small muted">
          {t("you.name")}
        </label>
        <input id="name" value={editedName ?? me?.name ?? ""} maxLength={24} onInput={(event) => setEditedName(event.currentTarget.value)} />
        {editedName !== null && editedName !== me?.name && (
          <button class="bay" disabled={isBusy}>
            {t("you.save")}
          </button>
        )}
      </form>
      {refusal && (
        <p class="error" role="alert">
          {refusal}
        </p>
      )}
      <div class="colours" role="radiogroup" aria-label={t("you.colour")}>
        <span class="small muted">{t("you.colour")}</span>
        {SEAT_COLOURS.map((name, seat) => (
          <button
            key={name}
            class="plain colour"
            role="radio"
            aria-checked={colour.value === String(seat)}
            aria-label={t(`colour.${name}`)}
            onClick={() => (colour.value = String(seat))}
          >
            <Chip seat={seat} size={32} />
          </button>
        ))}
      </div>
      <p class="small muted">
        {code ? (
          <output>{t("you.code", { code })}</output>
        ) : (
          <button
            class="plain link"
            onClick={() => run(async () => setCode((await socket.request({ type: "make_code" })).code))}
          >
            {t("you.second_device")}
          </button>
        )}
      </p>
      <RedeemCode />
    </section>
  );
}

/** A form that makes this device the same user as another device. */
function RedeemCode() {
  const [run, { refusal }] = useRequest();
  const [code, setCode] = useState("");
  const redeem = (/** @type {Event} */ event) => {
    event.preventDefault();
    run(async () => {
      const answer = await fetch("/api/session/code", {
        method: "POST",
        headers: { "Content-Type": "application/json" },
        body: JSON.stringify({ code: code.trim() }),
      });
      if (!answer.ok) throw new Error(t("you.bad_code"));
      location.reload();
    });
  };
  return (
    <details class="small">
      <summary>{t("you.have_code")}</summary>
      <form onSubmit={redeem} class="name-form">
        <input aria-label={t("you.code_field")} value={code} onInput={(event) => setCode(event.currentTarget.value)} />
        <button>{t("you.use_code")}</button>
      </form>
      {refusal && (
        <p class="error" role="alert">
          {refusal}
        </p>
      )}
    </details>
  );
}

/** @param {PageProps} props */
export function YourGames({ store, navigate }) {
  const yours = store.yourTables.value;
  return (
    <section class="card panel" aria-labelledby="yours-title">
      <h2 id="yours-title">{t("yours.title")}</h2>
      {!yours.length && <p class="muted small">{t("yours.none")}</p>}
      <ul class="yours">
        {yours.map((table) => (
          <li key={table.table}>
            <button class="plain" onClick={() => navigate(`/t/${table.table}`)}>
              <strong>{t(`game.${table.game}`)}</strong>
              <span class="small muted">
                {table.seats
                  .filter((/** @type {any} */ seat) => seat.user !== store.me.value?.id)
                  .map(sitterText)
                  .join(", ")}
              </span>
              <span class="small return">{t(`yours.${table.phase}`)}</span>
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}

// "You": the visitor's name, language and colour. The colour is that of the chair, so choosing one is moving there.

import { language, languageNames, setLanguage, t } from "../../catalogue/index.js";
import { Chip, SEAT_COLOURS } from "../../parts/art.js";
import { Select } from "../../parts/controls.js";
import { Face } from "../../parts/face.js";
import { colour as preferredColour } from "../../parts/preferences.js";
import { NameField } from "./name-field.js";

/** @typedef {import("./room.js").Room} Room */

/** @param {{room: Room}} props */
export function YouCard({ room }) {
  const { me, view } = room;
  if (!me) return null;
  return (
    <section class="card waiting-card you-card" aria-labelledby="you-title">
      <h2 id="you-title">{t("waiting.you")}</h2>
      <div class="you-row">
        <Face user={me.id} name={me.name} size={56} />
        <NameField key={me.name} name={me.name} label={t("waiting.name")} onSave={room.rename} />
      </div>
      <div class="you-row">
        <span id="you-language" class="small muted you-label">
          {t("waiting.language")}
        </span>
        <Select
          labelledBy="you-language"
          class="you-select"
          icon="globe"
          value={language.value}
          options={Object.entries(languageNames).map(([value, label]) => ({ value, label }))}
          onChange={setLanguage}
        />
      </div>
      {view.mine !== null && (
        <div class="you-row">
          <span id="you-colour" class="small muted you-label">
            {t("waiting.colour")}
          </span>
          <div class="colour-row" role="group" aria-labelledby="you-colour">
            {view.seats.map((/** @type {any} */ chair, /** @type {number} */ seat) => (
              <ColourButton key={seat} room={room} chair={chair} seat={seat} />
            ))}
          </div>
        </div>
      )}
    </section>
  );
}

/** @param {{room: Room, chair: any, seat: number}} props */
function ColourButton({ room, chair, seat }) {
  const isMine = seat === room.view.mine;
  const isFree = !chair.user && !chair.bot;
  const colour = t(`colour.${SEAT_COLOURS[seat]}`);
  const label = isMine
    ? t("waiting.colour.yours", { colour })
    : isFree
      ? t("waiting.colour.free", { colour })
      : t("waiting.colour.taken", { colour, name: chair.name ?? t("seat.bot") });
  const canMove = isFree && room.canMove;
  const move = () => {
    if (!canMove) return;
    preferredColour.value = String(seat);
    room.act("take_seat", { seat });
  };
  return (
    <button
      class={`plain colour-choice ${isMine || canMove ? "" : "taken"}`}
      aria-pressed={isMine}
      aria-disabled={!isMine && !canMove}
      aria-label={label}
      title={label}
      onClick={move}
    >
      <Chip seat={seat} size={28} />
    </button>
  );
}

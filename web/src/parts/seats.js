// The seats of a table: the viewer first, then in turn order, with their counters and whether they have decided.

import { useState } from "preact/hooks";
import { t } from "../catalogue/index.js";
import { Chip, Icon } from "./art.js";
import { botText, ShortBotText } from "./bots.js";
import { Clock, SeatDays } from "./clock.js";
import { isOpening } from "./device-seals.js";
import { layout } from "./layout.js";
import { BotPortrait } from "./bot-portrait.js";
import { nameOf } from "./names.js";
import "../style/seats.css";

/**
 * @param {object} props
 * @param {import("../store.js").TableModel} props.model
 * @param {import("../pages/table.js").Scene} props.scene
 * @param {(seat: number) => string | null} [props.note] what stands below the name of a seat, in place of what its bot is called
 * @param {(seat: number) => any} [props.extra] what stands below the counters of a seat
 */
export function Seats({ model, scene, note, extra }) {
  const view = model.gameView.value;
  const decision = view.play?.decision;
  /** Whether the whole cards are open over the page, where only a strip of chips has room. */
  const [isOpen, setOpen] = useState(false);
  const isStrip = layout.value === "side";
  const first = view.mine ?? 0;
  const order = view.seats.map((/** @type {any} */ _, /** @type {number} */ step) => (first + step) % view.seats.length);
  return (
    <section
      class={`left ${isStrip && isOpen ? "open" : ""}`}
      aria-label={t("table.seats")}
      // It may scroll, so a keyboard must be able to reach it.
      tabIndex={0}
      // A button on a seat shows something on the board, which the opened cards would cover.
      onClick={({ target }) => target instanceof Element && target.closest(".seat button") && setOpen(false)}
    >
      {order.map((/** @type {number} */ seat) => (
        <SeatCard
          key={seat}
          model={model}
          scene={scene}
          seat={seat}
          chair={view.seats[seat]}
          name={nameOf(view, seat)}
          isMine={seat === view.mine}
          isAsked={decision?.seats.includes(seat) ?? false}
          isAwaited={decision?.awaited.includes(seat) ?? false}
          isSealed={decision?.sealed ?? false}
          isOpened={isOpening(view)}
          presence={model.presence.value?.seats[seat]}
          note={note?.(seat) ?? null}
          extra={extra?.(seat)}
        />
      ))}
      {isStrip && (
        <button type="button" class="all-seats" aria-expanded={isOpen} aria-label={t("table.all_seats")} title={t("table.all_seats")} onClick={() => setOpen(!isOpen)}>
          <Icon name={isOpen ? "close" : "people"} />
        </button>
      )}
    </section>
  );
}

/**
 * The card of a seat. Its properties are values, so it renders again only when one of them changed.
 * @param {object} props
 * @param {import("../store.js").TableModel} props.model
 * @param {import("../pages/table.js").Scene} props.scene
 * @param {number} props.seat
 * @param {any} props.chair who sits there
 * @param {string} props.name
 * @param {boolean} props.isMine
 * @param {boolean} props.isAsked
 * @param {boolean} props.isAwaited
 * @param {boolean} props.isSealed whether the answers to the open decision are sealed
 * @param {boolean} props.isOpened whether they are being opened
 * @param {string | undefined} props.presence
 * @param {string | null} props.note
 * @param {any} [props.extra]
 */
function SeatCard({ model, scene, seat, chair, name, isMine, isAsked, isAwaited, isSealed, isOpened, presence, note, extra }) {
  const state = isAwaited ? (isOpened ? "opening" : "thinking") : isAsked ? "decided" : presence === "away" ? "away" : null;
  const stateText = state === null ? "" : t(isSealed && state === "decided" ? "seat.sealed" : `seat.${state}`);
  return (
    <article data-tooltip data-seat={seat} class={`seat card ${isMine ? "me" : ""} ${isAwaited ? "awaited" : ""}`}>
      <div class="seat-head">
        {chair.bot ? <BotPortrait name={chair.name} strength={chair.bot} seat={seat} /> : <Chip seat={seat} size={30} />}
        <div class="seat-name">
          <strong title={name}>{name}</strong>
          <span class="small muted">
            {chair.stand_in ? <StandIn strength={chair.stand_in} /> : note ? <Note text={note} /> : chair.bot ? <ShortBotText strength={chair.bot} style={chair.style} /> : presence === "away" && state !== "away" ? <Note text={t("seat.away")} /> : ""}
            <Clock model={model} seat={seat} />
          </span>
        </div>
        {state && (
          <span class={`small state state-${state}`} title={stateText}>
            {state !== "away" && <Icon name={state === "decided" ? "check" : "hourglass"} size={16} />}
            {stateText}
          </span>
        )}
      </div>
      <SeatDays model={model} seat={seat} />
      <scene.SeatStats model={model} seat={seat} />
      {extra}
    </article>
  );
}

/** A text that may be shortened. @param {{text: string}} props */
function Note({ text }) {
  return (
    <span class="seat-note" title={text}>
      {text}
    </span>
  );
}

/** The bot that plays for a person who is away; the whole sentence has no room. @param {{strength: string}} props */
function StandIn({ strength }) {
  return (
    <span class="stand-in" title={t(`bot.stand_in.${strength}`)}>
      <Icon name="robot" size={16} />
      {botText(strength)}
    </span>
  );
}

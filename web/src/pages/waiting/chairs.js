// The chairs around the drawn table; on a phone they are a list. A chair shows who sits there and what the visitor can do
// with it: sit down, move there, take it over from a bot; the host also adds, changes and removes bots and people.

import { t } from "../../catalogue/index.js";
import { Chip, Icon, SEAT_COLOURS } from "../../parts/art.js";
import { STYLES, strengthsOf, preferredStrength, withStyle } from "../../parts/bots.js";
import { MenuButton } from "../../parts/controls.js";
import { SeatFace } from "../../parts/face.js";
import { personItems } from "../../parts/person-menu.js";
import { PersonName } from "../../parts/person-name.js";
import { freeSeats } from "./status.js";
import { chairPlaces, TableDrawing } from "./table-drawing.js";

/** @typedef {import("./room.js").Room} Room */

/** @param {{room: Room}} props */
export function Chairs({ room }) {
  const { view } = room;
  const places = chairPlaces(view.seats.length);
  return (
    <section class="card table-panel" aria-label={t("waiting.chairs")}>
      <TableDrawing game={view.table.game} seats={view.seats} />
      <ul class="chairs">
        {places.map(({ row, place, count }, seat) => (
          <li key={seat} class={`chair chair-${row} chair-${place}-of-${count} ${seat === room.wanted ? "wanted" : ""}`}>
            <ChairPlate room={room} seat={seat} />
          </li>
        ))}
      </ul>
    </section>
  );
}

/** @param {{room: Room, seat: number}} props */
function ChairPlate({ room, seat }) {
  const chair = room.view.seats[seat];
  if (chair.user) return <PersonPlate room={room} seat={seat} />;
  return chair.bot ? <BotPlate room={room} seat={seat} /> : <FreePlate room={room} seat={seat} />;
}

/** The face at a seat, ringed in the colour of the seat; pale if nobody is there. @param {{chair: any, seat: number, isAway?: boolean}} props */
function Portrait({ chair, seat, isAway = false }) {
  return (
    <span class={`chair-portrait seat-ring-${SEAT_COLOURS[seat]} ${isAway ? "away" : ""}`}>
      <SeatFace seat={chair} size={64} />
      <span class="chair-chip">
        <Chip seat={seat} size={26} />
      </span>
    </span>
  );
}

/** @param {{room: Room, seat: number}} props */
function PersonPlate({ room, seat }) {
  const { view, isHost, act } = room;
  const chair = view.seats[seat];
  const isMine = seat === view.mine;
  const isHosting = chair.user === view.table.host;
  const isAway = room.presence?.seats[seat] === "away";
  const state = chair.ready && !isHosting ? "ready" : isAway ? "away" : isHosting ? null : "not_ready";
  const states = [...(isMine ? ["you"] : []), ...(state ? [state] : [])];
  return (
    <>
      <Portrait chair={chair} seat={seat} isAway={isAway} />
      <div class="chair-text">
        <span class="chair-name">
          <strong title={chair.name}>
            <PersonName person={chair} />
          </strong>
          {isHosting && <span class="chair-pill">{t("chair.host")}</span>}
        </span>
        <span class="small chair-state">
          {states.map((state, index) => (
            <span key={state} class={`chair-state-${state}`}>
              {index > 0 && <span aria-hidden="true">· </span>}
              {state === "ready" && <Icon name="check" size={14} />}
              {t(`chair.${state}`)}
            </span>
          ))}
          {!isMine && (
            <MenuButton
              label={t("waiting.chair_menu", { name: chair.name })}
              button={<Icon name="chevron" size={14} />}
              buttonClass="plain chair-more"
              items={[
                ...(isHost ? [{ label: t("waiting.kick_name", { name: chair.name }), icon: "close", onSelect: () => act("kick", { seat }) }] : []),
                ...personItems(room.model.socket, { id: chair.user, name: chair.name, handle: chair.handle }, room.run),
              ]}
            />
          )}
        </span>
      </div>
    </>
  );
}

/** @param {{room: Room, seat: number}} props */
function BotPlate({ room, seat }) {
  const { view, isHost } = room;
  const chair = view.seats[seat];
  const text = withStyle(t(`waiting.plays.${chair.bot}`), chair.style);
  return (
    <>
      <Portrait chair={chair} seat={seat} />
      <div class="chair-text">
        <span class="chair-name">
          <strong title={chair.name}>{chair.name ?? t("seat.bot")}</strong>
        </span>
        {isHost ? (
          <BotMenus room={room} seat={seat} />
        ) : (
          <span class="small chair-state chair-state-bot">{seat === room.wanted ? t("waiting.your_chair.bot") : text}</span>
        )}
        {view.mine === null && room.canTakeOver && (
          <button
            class="chair-action"
            onClick={() => room.sitDown(seat)}
            aria-label={t("waiting.take_over_from", { name: chair.name ?? t("seat.bot") })}
          >
            {t("waiting.take_over")}
          </button>
        )}
      </div>
    </>
  );
}

/** What the host can do with a bot: change its strength and its style, and remove it. @param {{room: Room, seat: number}} props */
function BotMenus({ room, seat }) {
  const { view, game, act } = room;
  const chair = view.seats[seat];
  const strengths = strengthsOf(game);
  const style = chair.style ?? "plain";
  return (
    <span class="chair-menus">
      <BotMenu
        chair={chair}
        text={t(`waiting.plays.${chair.bot}`)}
        items={[
          ...(strengths.length > 1 ? strengths : []).map((strength) => ({
            label: t(`strength.${strength}`),
            icon: strength === chair.bot ? "check" : "robot",
            onSelect: () => act("change_bot", { seat, strength }),
          })),
          { label: t("waiting.remove"), icon: "close", onSelect: () => act("remove_bot", { seat }) },
        ]}
      />
      {chair.bot !== "random" && (
        <BotMenu
          chair={chair}
          text={t(`style.inside.${style}`)}
          items={STYLES.map((each) => ({
            label: t(`style.${each}`),
            note: t(`style.note.${each}`),
            icon: each === style ? "check" : "robot",
            onSelect: () => act("change_bot", { seat, style: each }),
          }))}
        />
      )}
    </span>
  );
}

/** @param {{chair: any, text: string, items: {label: string, note?: string, icon: string, onSelect: () => void}[]}} props */
function BotMenu({ chair, text, items }) {
  return (
    <MenuButton
      label={`${chair.name ?? t("seat.bot")}: ${text}`}
      buttonClass="plain small chair-menu"
      button={
        <>
          {text}
          <Icon name="chevron" size={14} />
        </>
      }
      items={items}
    />
  );
}

/** @param {{room: Room, seat: number}} props */
function FreePlate({ room, seat }) {
  const { view, game, isHost, act } = room;
  const colour = t(`colour.${SEAT_COLOURS[seat]}`);
  const isWanted = seat === room.wanted;
  const strength = preferredStrength(game);
  const canMove = view.mine !== null && room.canMove;
  // The host has another button on this chair, so the place itself is the one for moving there.
  return (
    <>
      {canMove && isHost ? (
        <button
          class="plain chair-portrait chair-gap"
          onClick={() => act("take_seat", { seat })}
          aria-label={t("waiting.move_to", { colour })}
          title={t("waiting.move")}
        >
          <Chip seat={seat} size={28} />
        </button>
      ) : (
        <span class="chair-portrait chair-gap">
          <Chip seat={seat} size={28} />
        </span>
      )}
      <div class={`chair-text ${isWanted ? "" : "single"}`}>
        <span class="chair-name">
          <strong>{t(isWanted ? "waiting.your_chair" : "waiting.free_chair")}</strong>
        </span>
        {isWanted && <span class="small chair-wish">{freeSeats(view).length > 1 ? t("waiting.your_chair.more", { colour }) : colour}</span>}
        <span class="chair-actions">
          {view.mine === null && !isWanted && !room.isBarred && (
            <button class="chair-action" onClick={() => room.sitDown(seat)} aria-label={t("waiting.sit_on", { colour })}>
              {t("waiting.sit")}
            </button>
          )}
          {isHost && view.table.settings.bots && (
            <button
              class="chair-action"
              onClick={() => act("add_bot", { seat, ...(strength ? { strength } : {}) })}
              aria-label={t("waiting.add_bot_on", { colour })}
            >
              <Icon name="robot" />
              {t("waiting.add_bot")}
            </button>
          )}
          {canMove && !isHost && (
            <button class="chair-action" onClick={() => act("take_seat", { seat })} aria-label={t("waiting.move_to", { colour })}>
              {t("waiting.move")}
            </button>
          )}
        </span>
      </div>
    </>
  );
}

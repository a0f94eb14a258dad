// The chat of a table. Lines are rendered as plain text, so a link is text too.

import { useEffect, useRef, useState } from "preact/hooks";
import { t } from "../catalogue/index.js";
import { Chip, Icon } from "./art.js";
import { Face } from "./face.js";
import { formatDate } from "./figures.js";
import { memo } from "./memo.js";
import { PersonMenu } from "./person-menu.js";
import { askForRelations, isBlocked } from "./relations.js";
import { markSeen, unreadAt } from "./unread.js";
import { useRequest } from "./use-request.js";

/** @typedef {import("../store.js").TableModel} TableModel */
/** @typedef {import("../store.js").Line} Line */

const DAY = 86_400_000;

/** Return the time of a line: with the day if it is not of the last hours. @param {number} at milliseconds since 1970 @param {number} now */
export function timeText(at, now) {
  const day = now - at < DAY / 2 ? {} : /** @type {const} */ ({ day: "numeric", month: "short" });
  return formatDate(at, { hour: "2-digit", minute: "2-digit", ...day });
}

/** @param {{model: TableModel, me: {id: string} | null}} props */
export function Chat({ model, me }) {
  const { seats } = model.gameView.value;
  const [text, setText] = useState("");
  const [run, { refusal }] = useRequest();
  /** @type {import("preact").RefObject<HTMLOListElement>} */
  const list = useRef(null);
  const lines = model.lines.value;
  const last = lines.at(-1);
  useEffect(() => void askForRelations(model.socket), []);
  useEffect(() => {
    if (list.current) list.current.scrollTop = list.current.scrollHeight;
    const note = () => document.hidden || markSeen(model.id, lines);
    note();
    document.addEventListener("visibilitychange", note);
    return () => document.removeEventListener("visibilitychange", note);
  }, [lines.length, last]);
  const send = (/** @type {Event} */ event) => {
    event.preventDefault();
    if (!text.trim()) return;
    // At once, so that the next line can be typed while this one is on its way; a refused line comes back.
    setText("");
    run(() =>
      model.say(text).catch((refusal) => {
        setText((typed) => typed || text);
        throw refusal;
      }),
    );
  };
  return (
    <div class="chat">
      <ol ref={list} tabIndex={0} aria-label={t("tab.chat")}>
        {!lines.length && <li class="muted small chat-empty">{t("chat.empty")}</li>}
        {lines.map((line, index) => (
          <ChatLine
            key={keyOf(line)}
            line={line}
            goesOn={goesOn(line, lines[index - 1])}
            seat={seatOf(seats, line)}
            handle={seats[seatOf(seats, line)]?.handle}
            isOwn={line.user === me?.id}
            isHidden={line.user !== me?.id && isBlocked(line.user)}
            socket={model.socket}
          />
        ))}
      </ol>
      {refusal && (
        <p class="error" role="alert">
          {refusal}
        </p>
      )}
      <form onSubmit={send}>
        <input
          value={text}
          maxLength={300}
          placeholder={t("chat.placeholder")}
          aria-label={t("chat.placeholder")}
          onInput={(event) => setText(event.currentTarget.value)}
        />
        <button class="tool" aria-label={t("chat.send")}>
          <Icon name="send" />
        </button>
      </form>
    </div>
  );
}

/** Milliseconds within which further lines of the same writer follow without their name. */
const SAME_BREATH = 300_000;

/** @type {WeakMap<Line, number>} */
const keys = new WeakMap();
let keyCount = 0;

/** Return the key of a line, which it keeps when older lines are dropped. @param {Line} line */
function keyOf(line) {
  let key = keys.get(line);
  if (!key) keys.set(line, (key = keyCount += 1));
  return key;
}

/** Return whether a line goes on from the line before, without the name. @param {Line} line @param {Line | undefined} before */
function goesOn(line, before) {
  return before?.user === line.user && (line.at ?? 0) - (before.at ?? 0) < SAME_BREATH;
}

/** Return the seat of the writer, or -1. @param {any[]} seats @param {Line} line */
function seatOf(seats, line) {
  return seats.findIndex(({ user }) => user === line.user);
}

/**
 * @typedef {object} ChatLineProps
 * @property {Line} line
 * @property {boolean} goesOn
 * @property {number} seat
 * @property {string | null} [handle] of the writer, if known
 * @property {boolean} isOwn
 * @property {boolean} isHidden whether the visitor blocks the writer
 * @property {import("../socket.js").Socket} socket
 */

/** A line of chat. What it shows does not change, unless its writer is blocked. */
const ChatLine = memo(function ChatLine(/** @type {ChatLineProps} */ { line, goesOn, seat, handle, isOwn, isHidden, socket }) {
  const [isShown, setShown] = useState(false);
  if (isHidden && !isShown) {
    return (
      <li class="hidden-line">
        <span />
        <span class="small muted">
          {t("relation.hidden")} ·{" "}
          <button type="button" class="plain link-like" onClick={() => setShown(true)}>
            {t("relation.show")}
          </button>
        </span>
      </li>
    );
  }
  return (
    <li class={`${isOwn ? "own" : ""} ${goesOn ? "goes-on" : ""}`}>
      {goesOn ? <span /> : seat >= 0 ? <Chip seat={seat} size={20} /> : <Face user={line.user} name={line.name} size={22} />}
      {!goesOn && (
        <span class="chat-writer">
          <strong>{line.name}</strong>
          {line.at && (
            <time class="small muted" dateTime={new Date(line.at).toISOString()}>
              {timeText(line.at, Date.now())}
            </time>
          )}
          {!isOwn && <PersonMenu socket={socket} person={{ id: line.user, name: line.name, handle }} />}
        </span>
      )}
      <span class="chat-text">{line.text}</span>
    </li>
  );
});

/** The number of unread lines, for the tab that opens the chat. @param {{model: TableModel, me: {id: string} | null}} props */
export function UnreadBadge({ model, me }) {
  useEffect(() => void askForRelations(model.socket), []);
  const count = unreadAt(model.id, model.lines.value, me?.id, isBlocked);
  if (!count) return null;
  return (
    <b class="count-badge">
      <span aria-hidden="true">{count}</span>
      <span class="hidden-visually">{t("chat.unread", { count })}</span>
    </b>
  );
}

// The chat of a table. Lines are rendered as plain text, so a link is text too.

import { useEffect, useRef, useState } from "preact/hooks";
import { language, t } from "../catalogue/index.js";
import { Chip, Icon } from "./art.js";
import { Face } from "./face.js";
import { markSeen, unreadAt } from "./unread.js";
import { useRequest } from "./use-request.js";

/** @typedef {import("../store.js").TableModel} TableModel */

const DAY = 86_400_000;

/** Return the time of a line: with the day if it is not of the last hours. @param {number} at milliseconds since 1970 @param {number} now */
export function timeText(at, now) {
  const day = now - at < DAY / 2 ? {} : /** @type {const} */ ({ day: "numeric", month: "short" });
  return new Intl.DateTimeFormat(language.value, { hour: "numeric", minute: "2-digit", ...day }).format(at);
}

/** @param {{model: TableModel, me: {id: string} | null}} props */
export function Chat({ model, me }) {
  const view = model.view.value;
  const [text, setText] = useState("");
  const [run, { refusal }] = useRequest();
  /** @type {import("preact").RefObject<HTMLOListElement>} */
  const list = useRef(null);
  const lines = model.lines.value;
  const last = lines.at(-1);
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
    run(async () => {
      await model.request("say", { text });
      setText("");
    });
  };
  return (
    <div class="chat">
      <ol ref={list} tabIndex={0} aria-label={t("tab.chat")}>
        {!lines.length && <li class="muted small chat-empty">{t("chat.empty")}</li>}
        {lines.map((line, index) => (
          <ChatLine key={index} line={line} before={lines[index - 1]} view={view} isOwn={line.user === me?.id} />
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

/** @param {{line: any, before: any, view: any, isOwn: boolean}} props */
function ChatLine({ line, before, view, isOwn }) {
  const seat = view.seats.findIndex((/** @type {any} */ { user }) => user === line.user);
  const goesOn = before?.user === line.user && (line.at ?? 0) - (before.at ?? 0) < SAME_BREATH;
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
        </span>
      )}
      <span class="chat-text">{line.text}</span>
    </li>
  );
}

/** The number of unread lines, for the tab that opens the chat. @param {{model: TableModel, me: {id: string} | null}} props */
export function UnreadBadge({ model, me }) {
  const count = unreadAt(model.id, model.lines.value, me?.id);
  if (!count) return null;
  return (
    <b class="count-badge">
      <span aria-hidden="true">{count}</span>
      <span class="hidden-visually">{t("chat.unread", { count })}</span>
    </b>
  );
}

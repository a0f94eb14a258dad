// The chat of a table. Messages are rendered as plain text.

import { useEffect, useRef, useState } from "preact/hooks";
import { t } from "../catalogue/index.js";
import { Icon } from "./art.js";
import { useRequest } from "./use-request.js";

/** @param {{model: import("../store.js").TableModel, me: {id: string} | null}} props */
export function Chat({ model, me }) {
  const view = model.view.value;
  const [text, setText] = useState("");
  const [run, { refusal }] = useRequest();
  /** @type {import("preact").RefObject<HTMLOListElement>} */
  const list = useRef(null);
  useEffect(() => {
    if (list.current) list.current.scrollTop = list.current.scrollHeight;
  }, [view.talk.length]);
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
      <ol ref={list} tabIndex={0} aria-label={t("tab.chat", { count: 0 })}>
        {!view.talk.length && <li class="muted small">{t("chat.empty")}</li>}
        {view.talk.map((/** @type {any} */ line, /** @type {number} */ index) => (
          <li key={index} class={line.user === me?.id ? "own" : ""}>
            <strong>{line.name}</strong> <span>{line.text}</span>
          </li>
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

// A field for the visitor's name, which is saved on Enter and when the visitor goes on to something else.

import { useState } from "preact/hooks";

const MAX_NAME_LENGTH = 24;

/**
 * @param {object} props
 * @param {string} props.name
 * @param {string} props.label
 * @param {(name: string) => void} [props.onSave]
 * @param {(name: string) => void} [props.onInput] called on every change
 */
export function NameField({ name, label, onSave, onInput }) {
  const [text, setText] = useState(name);
  const save = () => {
    if (text.trim() && text.trim() !== name) onSave?.(text);
    else if (!text.trim()) setText(name);
  };
  return (
    <label class="name-field">
      <span class="small muted">{label}</span>
      <input
        value={text}
        maxLength={MAX_NAME_LENGTH}
        autocomplete="nickname"
        onInput={(event) => {
          setText(event.currentTarget.value);
          onInput?.(event.currentTarget.value);
        }}
        onBlur={save}
        onKeyDown={(event) => event.key === "Enter" && onSave && event.currentTarget.blur()}
      />
    </label>
  );
}

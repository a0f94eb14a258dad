// The sentence of a text that says what to do, for where the whole text has no room.

const MARK = "**";

/** Return the sentence with the last bold part of a text: a step that asks for something ends with it. @param {string} text */
export function taskOf(text) {
  const end = text.lastIndexOf(MARK);
  const start = text.lastIndexOf(MARK, end - 1);
  if (start < 0) return text;
  const before = [...text.slice(0, start).matchAll(/[.!?:]\s+/g)].at(-1);
  // The sentence may end within the bold part.
  const after = /[.!?](\*\*)?/.exec(text.slice(end - 1));
  return text.slice(before ? before.index + before[0].length : 0, after ? end - 1 + after.index + after[0].length : text.length);
}

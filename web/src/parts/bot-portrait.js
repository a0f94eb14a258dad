// The portraits of bots. The name determines the face, so a bot looks the same on every device.

import { Chip } from "./art.js";
import "../style/bots.css";

const HEADS = [
  <rect key="head" x="12" y="15" width="24" height="21" rx="5" />,
  <rect key="head" x="12" y="14" width="24" height="22" rx="11" />,
  <path key="head" d="M13 36V24a11 11 0 0 1 22 0v12z" />,
  <path key="head" d="M11 16h26l-3 20H14z" />,
];

const EYES = [
  <path key="eyes" d="M19 24h.1M29 24h.1" class="bot-face-dots" />,
  <path key="eyes" d="M16 24a3 3 0 1 0 6 0 3 3 0 1 0-6 0M26 24a3 3 0 1 0 6 0 3 3 0 1 0-6 0" />,
  <path key="eyes" d="M16 25q3-4 6 0M26 25q3-4 6 0" />,
  <path key="eyes" d="M25 23a4 4 0 1 0 8 0 4 4 0 1 0-8 0M29 27v8M18 24h3" />,
  <path key="eyes" d="M15 21h7v5h-7zM26 21h7v5h-7zM22 23h4" />,
];

const MOUTHS = [
  <path key="mouth" d="M19 31q5 4 10 0" />,
  <path key="mouth" d="M18 31h12M21 29.500v3M24 29.500v3M27 29.500v3" />,
  <path key="mouth" d="M24 29q-6 5-8 1M24 29q6 5 8 1" />,
  <path key="mouth" d="M20 31h8" />,
];

const TOPS = [
  <path key="top" d="M24 14V8M24 7h.1" class="bot-face-knob" />,
  <path key="top" d="M10 15h28M16 15V9a8 5 0 0 1 16 0v6" class="bot-face-cloth" />,
  <path key="top" d="M11 15h26M17 15V5h14v10" class="bot-face-cloth" />,
  <path key="top" d="M12 17q2-10 12-10t12 10z" class="bot-face-cloth" />,
  <path key="top" d="M17 14l-3-5M31 14l3-5M13.500 8h.1M34.500 8h.1" class="bot-face-knob" />,
  <path key="top" d="M14 16q-3-8 4-8 6-6 12 0 7 0 4 8z" class="bot-face-cloth" />,
];

const TONES = 5;

/** The face of a bot, with the chip of its seat. @param {{name: string | null, seat: number}} props */
export function BotPortrait({ name, seat }) {
  return (
    <span class="bot-portrait">
      <BotFace name={name} size={36} />
      <Chip seat={seat} size={20} />
    </span>
  );
}

/** Return a hash of a name that is the same on every device. @param {string} name */
function hashOf(name) {
  let number = 7;
  for (const letter of name) number = (number * 31 + (letter.codePointAt(0) ?? 0)) % 1_000_003;
  return number;
}

/**
 * The face of a bot. It is hidden from screen readers, because the name stands beside it.
 * @param {{name: string | null, size?: number}} props
 */
export function BotFace({ name, size = 30 }) {
  let rest = hashOf(name ?? "");
  /** @param {number} count */
  const pick = (count) => {
    const chosen = rest % count;
    rest = Math.floor(rest / count);
    return chosen;
  };
  return (
    <svg class={`bot-face bot-face-${pick(TONES)}`} width={size} height={size} viewBox="0 0 48 48" aria-hidden="true">
      <circle class="bot-face-ground" cx="24" cy="24" r="23" />
      <path class="bot-face-coat" d="M8 42q4-7 16-7t16 7a23 23 0 0 1-32 0z" />
      <g class="bot-face-tin">{HEADS[pick(HEADS.length)]}</g>
      <g class="bot-face-lines">
        {EYES[pick(EYES.length)]}
        {MOUTHS[pick(MOUTHS.length)]}
        {TOPS[pick(TOPS.length)]}
      </g>
    </svg>
  );
}

// The portraits of bots. The name determines the face, so a bot looks the same on every device.

import { Chip } from "./art.js";
import "../style/bots.css";
import "../style/faces.css";

/** Each head: its outline, and the right half of it in shade. */
const HEADS = [
  ["M19.500 11h9a6 6 0 0 1 6 6v10a6 6 0 0 1-6 6h-9a6 6 0 0 1-6-6V17a6 6 0 0 1 6-6z", "M24 11h4.500a6 6 0 0 1 6 6v10a6 6 0 0 1-6 6H24z"],
  ["M24 10.500c6 0 10.800 4.800 10.800 11.200S30 33.500 24 33.500s-10.800-5.400-10.800-11.800S18 10.500 24 10.500z", "M24 10.500c6 0 10.800 4.800 10.800 11.200S30 33.500 24 33.500z"],
  ["M13.500 33V21.500a10.500 10.500 0 0 1 21 0V33z", "M24 11a10.500 10.500 0 0 1 10.500 10.500V33H24z"],
  ["M12.500 12h23l-2.600 21H15.100z", "M24 12h11.500l-2.600 21H24z"],
];

const EYES = [
  <g key="eyes" class="bot-eyes">
    <circle cx="19.600" cy="21" r="3.100" />
    <circle cx="28.400" cy="21" r="3.100" />
    <path d="M18.900 20.200h.01M27.700 20.200h.01" class="bot-gleam" />
  </g>,
  <g key="eyes" class="bot-eyes">
    <path d="M16.400 18.500h6v5h-6zM25.600 18.500h6v5h-6z" />
    <path d="M18 20h.01M27.200 20h.01" class="bot-gleam" />
  </g>,
  <g key="eyes" class="bot-eyes">
    <path d="M17.500 18h13a3 3 0 0 1 0 6h-13a3 3 0 0 1 0-6z" />
    <path d="M18.500 20.200h3" class="bot-gleam" />
  </g>,
  <g key="eyes" class="bot-eyes">
    <circle cx="19.600" cy="21" r="2.200" />
    <circle cx="28.600" cy="21" r="3.900" />
    <path d="M27.700 20h.01M32.400 22.500v6" class="bot-gleam" />
  </g>,
];

const MOUTHS = [
  <path key="mouth" d="M19 28.200h10M21 27v2.400M24 27v2.400M27 27v2.400" />,
  <path key="mouth" d="M19.500 27.600q4.500 3 9 0" />,
  <path key="mouth" d="M24 26.600q-5.500 4-7.500.6M24 26.600q5.500 4 7.500.6" />,
  <path key="mouth" d="M21 28.200h6" />,
];

const TOPS = [
  <path key="top" d="M24 11V5.500M24 5h.01" class="bot-knob" />,
  <path key="top" d="M11 12.500h26v2H11zM16 12.500V8q8-5 16 0v4.500z" class="bot-hat" />,
  <path key="top" d="M11 12h26v2.200H11zM17 12V3h14v9z" class="bot-hat" />,
  <path key="top" d="M12.500 15q1-10 11.500-10t11.500 10z" class="bot-hat" />,
  <path key="top" d="M17 12l-3-5M31 12l3-5M13.600 6h.01M34.400 6h.01" class="bot-knob" />,
  <path key="top" d="M13 14q-3-7 4-7 7-6 14 0 7 0 4 7-11-4-22 0z" class="bot-hat" />,
];

const TONES = 5;

/** Where the rivets of a strength are: one to four, and none for a bot that plays by chance. @type {Record<string, number[]>} */
const RIVETS = { easy: [24], normal: [21.7, 26.3], hard: [19.4, 24, 28.6], expert: [17.1, 21.7, 26.3, 30.9] };

/**
 * The face of a bot, with the chip of its seat.
 * @param {{name: string | null, seat: number, strength?: string | null}} props
 */
export function BotPortrait({ name, seat, strength }) {
  return (
    <span class="bot-portrait">
      <BotFace name={name} strength={strength} size={36} />
      <Chip seat={seat} size={20} />
    </span>
  );
}

/** Return a hash of a name that is the same on every device. @param {string} name */
export function hashOf(name) {
  let number = 7;
  for (const letter of name) number = (number * 31 + (letter.codePointAt(0) ?? 0)) % 1_000_003;
  return number;
}

/**
 * The brass face of a bot, with one to four rivets for its strength. It is hidden from screen readers unless it has a
 * label, because the name stands beside it.
 * @param {{name: string | null, strength?: string | null, size?: number, label?: string}} props
 */
export function BotFace({ name, strength, size = 30, label }) {
  let rest = hashOf(name ?? "");
  /** @param {number} count */
  const pick = (count) => {
    const chosen = rest % count;
    rest = Math.floor(rest / count);
    return chosen;
  };
  const tone = pick(TONES);
  const [head, shade] = HEADS[pick(HEADS.length)];
  return (
    <svg
      class={`bot-face bot-face-${tone}`}
      width={size}
      height={size}
      viewBox="0 0 48 48"
      role={label ? "img" : undefined}
      aria-hidden={label ? undefined : "true"}
    >
      {label && <title>{label}</title>}
      <path class="bot-ground" d="M0 0h48v48H0z" />
      <path class="bot-coat" d="M6 50c0-10 7-13.500 18-13.500S42 40 42 50z" />
      <path class="bot-coat-shade" d="M24 36.500C35 36.500 42 40 42 50H26z" />
      <path class="bot-dark" d="M20 31h8v7h-8zM10.600 19h4v7h-4zM33.400 19h4v7h-4z" />
      <path class="bot-brass" d={head} />
      <path class="bot-shade" d={shade} />
      {EYES[pick(EYES.length)]}
      <g class="bot-lines">{MOUTHS[pick(MOUTHS.length)]}</g>
      <g class="bot-lines">{TOPS[pick(TOPS.length)]}</g>
      {RIVETS[strength ?? ""]?.map((x) => <circle key={x} class="bot-rivet" cx={x} cy="16.100" r="1.300" />)}
    </svg>
  );
}

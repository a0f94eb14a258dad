// The faces of people. The user's id determines the face, so a person looks the same on every device and after a change
// of name.

import { BotFace, hashOf } from "./bot-portrait.js";
import "../style/faces.css";

/** Each skin with its shade and the colour of the mouth. */
const SKINS = [
  ["#F4D9BE", "#DDB590", "#8E3B2C"],
  ["#E8BE98", "#CB9A70", "#8E3B2C"],
  ["#C98F63", "#A8713F", "#5B2418"],
  ["#9A6540", "#7C4C2A", "#5B2418"],
  ["#6E452C", "#54321D", "#3E150C"],
];
const HAIR_COLOURS = ["#3A2418", "#241710", "#C9962A", "#15100D", "#A9502A", "#D9B25A", "#7A3B1E", "#6A6355", "#C9C4B8", "#B87A3A"];
/** Each cloth with its shade. */
const CLOTHES = [
  ["#23646B", "#184A50"],
  ["#C8501E", "#9C3C14"],
  ["#3D5A73", "#2B4257"],
  ["#6B7F4C", "#50613A"],
  ["#8450A8", "#643883"],
  ["#A3271C", "#7E1C13"],
  ["#5C4632", "#43321F"],
  ["#B58100", "#8C6400"],
  ["#1E8A5F", "#146344"],
  ["#4A4F58", "#34383F"],
];
const GROUNDS = ["#BFD5D1", "#F1D7C9", "#D5E0E8", "#E9DFC4", "#E7DDEE", "#D3E0BE", "#F5E3C2", "#D5E6DF", "#F3E3B4", "#F5DEDD"];

const FRINGE = "M13.800 23.500C12.900 14 17.700 9 24 9s11.100 5 10.200 14.500c-1.400-5-4.600-6-8.600-8.900-2.600 3.400-9.600 3-11.800 8.900z";
const TIED = "M14.300 21.500C13.200 13.600 17.800 9.400 24 9.400s10.800 4.200 9.700 12.100C32.600 16.600 29 14.400 24 14.400s-8.600 2.200-9.700 7.100z";
const CURLS = [
  [15.6, 16, 3.4],
  [18.2, 12.2, 3.6],
  [22.4, 10.2, 3.7],
  [26.8, 10.4, 3.6],
  [30.2, 12.8, 3.5],
  [32.6, 16.4, 3.2],
  [14.6, 19.6, 2.5],
  [33.5, 19.8, 2.4],
];

/**
 * Each hair: the paths behind the head and in front of it, and whether it leaves the ears free.
 * @type {{back?: any, front?: any, hasEars: boolean, isScarf?: boolean}[]}
 */
const HAIR = [
  { back: <path d="M11.800 33V21.500C11.800 13 17 8 24 8s12.200 5 12.200 13.500V33c-3 2-21.400 2-24.400 0z" />, front: <path d={FRINGE} />, hasEars: false },
  { back: <circle cx="24" cy="7.600" r="5.400" />, front: <path d={TIED} />, hasEars: true },
  { front: <path d="M14.200 22.600C12.600 13 17.200 8 24.400 8c6.800 0 11 5 9.400 14.600-.5-3.400-1.300-5.600-2.800-7.200-4.600.6-8.800-.6-11-3.400-1 4.600-4.600 5-5.800 10.600z" />, hasEars: true },
  { front: <path d="M14.400 22.500C13 13.500 17.600 8.600 24 8.600s11 4.900 9.600 13.900c-.7-3.900-1.900-6.100-3.400-7.300-3.400 1.300-9 1.300-12.400 0-1.500 1.200-2.700 3.400-3.400 7.300z" />, hasEars: true },
  { back: <path d="M11.400 44V21.500C11.400 13 17 7.600 24 7.600s12.600 5.400 12.600 13.900V44z" />, front: <path d={FRINGE} />, hasEars: false },
  { back: <circle cx="24" cy="17.500" r="14.500" />, front: <path d="M14.300 20.600c.3-3 2-5.600 4-6.600 3.400-1.400 8-1.400 11.400 0 2 1 3.700 3.600 4 6.600l1.600-6C33 8 29 5.600 24 5.600S15 8 12.700 14.600z" />, hasEars: true },
  { front: CURLS.map(([x, y, radius]) => <circle key={`${x} ${y}`} cx={x} cy={y} r={radius} />), hasEars: true },
  { hasEars: true },
  {
    back: <path d="M11 46V22C11 12.600 16.600 7 24 7s13 5.600 13 15v24z" />,
    front: <path d="M13 25C12 14 17 9 24 9s12 5 11 16c-1-7-4.600-11-11-11s-10 4-11 11zM15 29c2 4.600 5 6.400 9 6.400s7-1.800 9-6.400c1.400 4 1.600 8-1 11H16c-2.600-3-2.400-7-1-11z" />,
    hasEars: false,
    isScarf: true,
  },
];

const GLASSES = (
  <g fill="none" stroke="#1E2A36" stroke-width="1.100">
    <circle cx="20.200" cy="22.200" r="3.500" />
    <circle cx="27.800" cy="22.200" r="3.500" />
    <path d="M23.600 21.800c.3-.3.500-.3.800 0M16.700 21.600l-1.600-.6M31.300 21.600l1.600-.6" />
  </g>
);
const STRAW_HAT = (
  <>
    <path fill="#E8CE8F" d="M15.400 6.600h17.200v9H15.400z" />
    <path fill="#C9A65A" d="M26 6.600h6.600v9H26z" />
    <path fill="#A3271C" d="M15.400 11.600h17.200v4H15.400z" />
    <path fill="#E8CE8F" d="M9.600 15.200h28.800c1 0 1 2.400 0 2.400H9.600c-1 0-1-2.400 0-2.400z" />
  </>
);
const CAP = (
  <>
    <path fill="#4E5B52" d="M13 16.600C12 10 17 6.400 24 6.400s12 3.600 11 10.200c-6-1.600-16-1.600-22 0z" />
    <path
      fill="#38433C"
      d="M24 6.400c7 0 12 3.600 11 10.200-2.400-.7-5-1-7.800-1.200.6-3.600-.6-7-3.200-9zM11.600 17.800c4-3 20.800-3 24.800 0 .6.600.2 1.600-.6 1.500-7-1.500-16.600-1.500-23.600 0-.8.1-1.200-.9-.6-1.500z"
    />
  </>
);
const BEARD =
  "M14.700 22.500c.4 7.500 3.900 12.100 9.300 12.100s8.900-4.600 9.300-12.100c-1.400 2.400-2.800 3.300-4.700 3.300-1.300 0-2.900-.9-4.600-.9s-3.300.9-4.600.9c-1.900 0-3.300-.9-4.700-3.300z";
const MOUSTACHE = "M18.400 27.600c1.600-2.400 4-2.600 5.600-1.400 1.600-1.200 4-1 5.600 1.400-2 .9-4 .7-5.600-.3-1.600 1-3.600 1.200-5.600.3z";

/** Return the parts of a face that an id determines. @param {string} id */
export function traitsOf(id) {
  // Mixed twice, since ids that differ in their last letter alone must differ in every trait.
  let rest = hashOf(`${id}:${hashOf(id)}`) * 1_000_003 + hashOf(id);
  const pick = (/** @type {number} */ count) => {
    const chosen = rest % count;
    rest = Math.floor(rest / count);
    return chosen;
  };
  const hair = HAIR[pick(HAIR.length)];
  return {
    hair,
    skin: SKINS[pick(SKINS.length)],
    colour: HAIR_COLOURS[pick(HAIR_COLOURS.length)],
    cloth: CLOTHES[pick(CLOTHES.length)],
    ground: GROUNDS[pick(GROUNDS.length)],
    extra: pick(8),
    hasGlasses: pick(4) === 0,
    hasCollar: pick(2) === 0,
  };
}

/**
 * The drawn face of a person. It is hidden from screen readers, because the name stands beside it; a face that stands
 * alone gets a `label`.
 * @param {{user: string | null, name?: string | null, size?: number, label?: string}} props
 */
export function Face({ user, name = null, size = 36, label }) {
  const { hair, skin, colour, cloth, ground, extra, hasGlasses, hasCollar } = traitsOf(user ?? name ?? "");
  const [light, shade, lips] = skin;
  const hairColour = hair.isScarf ? cloth[0] : colour;
  const isShort = hair.hasEars && !hair.back;
  return (
    <svg class="person-face" width={size} height={size} viewBox="0 0 48 48" role={label ? "img" : undefined} aria-hidden={label ? undefined : "true"}>
      {label && <title>{label}</title>}
      <path fill={ground} d="M0 0h48v48H0z" />
      <g fill={hairColour}>{hair.back}</g>
      <path fill={cloth[0]} d="M4 50c0-11 8.500-15 20-15s20 4 20 15z" />
      <path fill={cloth[1]} d="M24 35c11.500 0 20 4 20 15H26z" />
      <path fill={shade} d="M19.800 28h8.400v7.600c-1 2.200-7.400 2.200-8.400 0z" />
      {hasCollar && <path fill="#FBF8F1" d="M19 34.400l5 4.200 5-4.200 1.600 2.400L24 42.500l-6.600-5.700z" />}
      {hair.hasEars && (
        <>
          <circle cx="14.900" cy="23" r="2.100" fill={light} />
          <circle cx="33.100" cy="23" r="2.100" fill={shade} />
        </>
      )}
      <ellipse cx="24" cy="22" rx="9.200" ry="10.600" fill={light} />
      <path fill={shade} opacity=".55" d="M24 11.400c5.100 0 9.200 4.700 9.200 10.600S29.100 32.600 24 32.600c3.600-4 4.400-15.800 0-21.200z" />
      {isShort && extra < 2 && <path fill={colour} d={BEARD} />}
      {isShort && extra === 2 && <path fill={colour} d={MOUSTACHE} />}
      <path fill="none" stroke={lips} stroke-width="1.300" stroke-linecap="round" d={isShort && extra === 2 ? "M22.600 29.600h2.800" : "M21.200 28.200c1.700 1.500 3.900 1.500 5.600 0"} />
      <path stroke="#241D18" stroke-width="2.500" stroke-linecap="round" d="M20.300 22h.01M27.700 22h.01" />
      <path fill="none" stroke={hair.isScarf ? "#4A3A2C" : colour} stroke-width="1.200" stroke-linecap="round" d="M18.600 19.200c1-.7 2.200-.8 3.200-.4M26.200 18.800c1-.4 2.200-.3 3.200.4" />
      {hasGlasses && GLASSES}
      <g fill={hairColour}>{hair.front}</g>
      {isShort && extra === 3 && STRAW_HAT}
      {isShort && extra === 4 && CAP}
      {!isShort && !hair.isScarf && extra < 3 && <path stroke="#E3B64B" stroke-width="2.200" stroke-linecap="round" d="M15.200 27h.01M32.800 27h.01" />}
    </svg>
  );
}

/**
 * The face of a person or bot at a seat, or a gap for a free one.
 * @param {{seat: {user?: string | null, bot?: string | null, name?: string | null}, size?: number, label?: string}} props
 */
export function SeatFace({ seat, size = 28, label }) {
  if (seat.user) return <Face user={seat.user} name={seat.name} size={size} label={label} />;
  if (seat.bot) return <BotFace name={seat.name ?? null} strength={seat.bot} size={size} label={label} />;
  return <span class={`face-gap face-gap-${size > 32 ? "large" : "small"}`} role={label ? "img" : undefined} aria-label={label} />;
}

/** The faces of several seats in a row, each a little over the one before. @param {{seats: any[], size?: number, label: string}} props */
export function FaceRow({ seats, size = 28, label }) {
  return (
    <span class="face-row" role="img" aria-label={label}>
      {seats.map((seat, index) => (
        <SeatFace key={index} seat={seat} size={size} />
      ))}
    </span>
  );
}

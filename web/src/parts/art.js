// Our own drawings from the SVG symbol sheets, and the colours of the seats.

import investors from "../art/investors.svg";
import { memo } from "./memo.js";

export const SEAT_COLOURS = ["yellow", "blue", "red", "green", "violet"];

/**
 * Return the components that draw the symbols of a sheet.
 * @param {string} sheet its URL
 */
export function symbolsFrom(sheet) {
  /** A symbol. It is hidden from screen readers unless it has a label. */
  const Symbol = memo(function Symbol(/** @type {{name: string, width: number, height?: number, x?: number, y?: number, label?: string, class?: string}} */ { name, width, height = width, label, ...rest }) {
    return (
      <svg width={width} height={height} viewBox={`0 0 ${width} ${height}`} role={label ? "img" : undefined} aria-hidden={label ? undefined : "true"} {...rest}>
        {label && <title>{label}</title>}
        <use href={`${sheet}#${name}`} width={width} height={height} />
      </svg>
    );
  });

  /** The same symbol inside a larger SVG. */
  const PlacedSymbol = memo(function PlacedSymbol(/** @type {{name: string, x: number, y: number, width: number, height: number}} */ { name, ...box }) {
    return <use href={`${sheet}#${name}`} {...box} />;
  });

  return { Symbol, PlacedSymbol };
}

/** The symbols of Investors; every page uses its houses and chips. */
export const { Symbol, PlacedSymbol } = symbolsFrom(investors);

/** The chip of a seat, which differs by colour, glyph and pattern. */
export const Chip = memo(function Chip(/** @type {{seat: number, size?: number}} */ { seat, size = 24 }) {
  return <Symbol name={`chip-${SEAT_COLOURS[seat]}`} width={size} />;
});

const ICONS = {
  book: "M4 5h6a2 2 0 0 1 2 2v12a2 2 0 0 0-2-2H4zM20 5h-6a2 2 0 0 0-2 2v12a2 2 0 0 1 2-2h6z",
  bell: "M6 17V11a6 6 0 0 1 12 0v6l1.500 1.500h-15zM10 20.500a2 2 0 0 0 4 0M12 5V3.500",
  bolt: "M13 3L5 14h6l-1 7 8-11h-6z",
  bulb: "M9 17h6M10 20h4M9 17c0-3-3-4-3-8a6 6 0 0 1 12 0c0 4-3 5-3 8",
  cards: "M8 4h11v13H8zM16 17v3H5V7h3M11 8h5M11 11.500h5",
  branch: "M7 4.500a2.500 2.500 0 1 1 0 5 2.500 2.500 0 0 1 0-5M7 9.500V20M17 4.500a2.500 2.500 0 1 1 0 5 2.500 2.500 0 0 1 0-5M17 9.500c0 4-10 3-10 7",
  chevron: "M6 9.500l6 6 6-6",
  check: "M5 12.5l4.5 4.5L19 7",
  clock: "M12 4a8 8 0 1 1 0 16 8 8 0 0 1 0-16M12 8v4.5l3 2",
  close: "M6 6l12 12M18 6L6 18",
  copy: "M9 9h10v10H9zM5 15V5h10",
  download: "M12 4v11.500M8 12l4 3.500L16 12M5 15v5h14v-5",
  eye: "M2.5 12S6 6 12 6s9.5 6 9.5 6-3.500 6-9.5 6-9.500-6-9.500-6M12 9.500a2.500 2.500 0 1 1 0 5 2.500 2.500 0 0 1 0-5",
  globe: "M12 4a8 8 0 1 1 0 16 8 8 0 0 1 0-16M4 12h16M12 4c3 2.500 3 13.500 0 16M12 4c-3 2.500-3 13.500 0 16",
  hand: "M9 12V5.500a1.500 1.500 0 0 1 3 0V11V9.500a1.500 1.500 0 0 1 3 0V12v-1a1.500 1.500 0 0 1 3 0v4.500c0 3.500-2 5.500-5.500 5.500-2.800 0-4.300-1.200-5.500-3.500L4.700 14a1.500 1.500 0 0 1 2.500-1.600L9 14.500z",
  hidden: "M3 3l18 18M6 8c-2 1.500-3.500 4-3.500 4S6 18 12 18c1.400 0 2.700-.3 3.800-.8M10 6.200A9 9 0 0 1 12 6c6 0 9.500 6 9.500 6a17 17 0 0 1-2.600 3.200",
  hourglass: "M7 4h10M7 20h10M8 4c0 5 8 6 8 8s-8 3-8 8M16 4c0 5-8 6-8 8s8 3 8 8",
  keyboard: "M3 7h18v11H3zM7 11h.1M11 11h.1M15 11h.1M8 15h8",
  leave: "M10 5H5v14h5M14 8l4 4-4 4M18 12H9",
  lock: "M7 11h10v8H7zM9 11V8a3 3 0 0 1 6 0v3",
  unlocked: "M7 11h10v8H7zM9 11V7a3 3 0 0 1 5.800-1",
  warning: "M12 4.500L21 19.500H3zM12 10v4.500M12 17.200h.1",
  verified: "M12 3l7 2.800v5.400c0 4.300-2.800 7.700-7 9.300-4.200-1.600-7-5-7-9.300V5.800zM8.700 11.800l2.400 2.400 4.400-4.600",
  more: "M12 5a.6.6 0 1 1 0 1.200.6.6 0 0 1 0-1.200M12 11.400a.6.6 0 1 1 0 1.200.6.6 0 0 1 0-1.200M12 17.800a.6.6 0 1 1 0 1.200.6.6 0 0 1 0-1.200",
  moon: "M19 14.500A7.500 7.500 0 0 1 9.500 5 7.500 7.500 0 1 0 19 14.500",
  first: "M6 5v14M18 5l-9 7 9 7",
  previous: "M15 5l-8 7 8 7",
  next: "M9 5l8 7-8 7",
  orders: "M8 5.500H5.500v15h13v-15H16M9 3.500h6v4H9zM9 12h6M9 16h4",
  last: "M18 5v14M6 5l9 7-9 7",
  whole: "M4 9V4h5M20 9V4h-5M4 15v5h5M20 15v5h-5",
  pause: "M8 5v14M16 5v14",
  panel: "M4 5h16v14H4zM14 5v14M17 9h.1M17 12h.1",
  play: "M7 5l12 7-12 7z",
  people: "M9 4.600a3.400 3.400 0 1 1 0 6.800 3.400 3.400 0 0 1 0-6.800M2.500 20c.3-4.400 2.700-6.600 6.500-6.600s6.200 2.200 6.500 6.600M15.500 4.900a3.400 3.400 0 0 1 0 6.300M17.600 13.900c2.300.8 3.700 2.900 3.900 6.100",
  plus: "M12 5v14M5 12h14",
  robot: "M6 9h12v9H6zM12 9V5M9 13h.1M15 13h.1M4 12v3M20 12v3",
  send: "M4 12l16-7-6 15-3-6z",
  sound: "M5 10v4h3l4 3.500v-11L8 10zM15 9a4 4 0 0 1 0 6M17.500 6.500a8 8 0 0 1 0 11",
  podium: "M9.500 20V6h5v14M4 20v-8.500h5.500M14.500 14H20v6M3 20h18",
  pencil: "M4 20l1-4.500L16.500 4 20 7.500 8.500 19zM14 6.500l3.500 3.500",
  mute: "M5 10v4h3l4 3.500v-11L8 10zM16 10l4 4M20 10l-4 4",
  share: "M12 15V3.500M8 7l4-3.500L16 7M5 12v8h14v-8",
  sun: "M12 8a4 4 0 1 1 0 8 4 4 0 0 1 0-8M12 3v2M12 19v2M3 12h2M19 12h2M5.600 5.600L7 7M17 17l1.400 1.400M18.400 5.600L17 7M7 17l-1.400 1.400",
  upload: "M12 15.500V4M8 7.500L12 4l4 3.500M5 15v5h14v-5",
  undo: "M8 8L4 12l4 4M4 12h10a5 5 0 0 1 0 10",
};

/** A line icon beside a label. */
export const Icon = memo(function Icon(/** @type {{name: keyof typeof ICONS, size?: number}} */ { name, size = 18 }) {
  return (
    <svg width={size} height={size} viewBox="0 0 24 24" aria-hidden="true">
      <path
        d={ICONS[name]}
        fill="none"
        stroke="currentColor"
        stroke-width="1.8"
        stroke-linecap="round"
        stroke-linejoin="round"
      />
    </svg>
  );
});

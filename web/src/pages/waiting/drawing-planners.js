// The drawings of Planners in the waiting room: what lies on the table, and how the game works in three pictures.

import sheet from "../../art/planners.svg";
import { symbolsFrom } from "../../parts/art.js";

const { PlacedSymbol } = symbolsFrom(sheet);

/** The tones of the districts from the top row to the bottom row: light, middle, deep. @type {Record<string, [string, string, string]>} */
const TONES = {
  blue: ["#d3e3e6", "#6c9db1", "#2a5b74"],
  gray: ["#e3e0d8", "#a3a19a", "#54575a"],
  orange: ["#f7dcbd", "#dc8a48", "#8c4010"],
  yellow: ["#f9ebbf", "#e0b640", "#765705"],
  green: ["#dde7c8", "#8cab63", "#43602a"],
};
const DISTRICTS = Object.keys(TONES);

/** @param {string} district */
function tone(district) {
  const [l, m, d] = TONES[district];
  return { "--l": l, "--m": m, "--d": d, "--disc": "#fbf8f1" };
}

/** A card of a district. @param {{x: number, y: number, district: string, width?: number, height?: number, value?: number, isRinged?: boolean}} props */
function Card({ x, y, district, width = 30, height = 22, value, isRinged }) {
  // A value needs the left half of the card.
  const size = Math.min(value === undefined ? width : width - 16, height - 4);
  return (
    <g transform={`translate(${x} ${y})`} style={tone(district)}>
      <rect width={width} height={height} rx="3" fill={TONES[district][0]} stroke={TONES[district][2]} stroke-width="0.8" />
      <PlacedSymbol name={`emblem-${district}`} x={width - size - 2} y={(height - size) / 2} width={size} height={size} />
      {value !== undefined && (
        <text x="4" y={height / 2 + 5} class="wr-number" font-size="14" fill={TONES[district][2]}>
          {value}
        </text>
      )}
      {isRinged && <rect x="-3" y="-3" width={width + 6} height={height + 6} rx="5" class="wr-ring" />}
    </g>
  );
}

/** The cards in each row of a drawn city. */
const CITY = [2, 3, 1, 4, 2];

/** What lies on the table. */
export function OnTable() {
  return (
    <>
      <g transform="translate(189 141)">
        <rect x="2" y="3" width="204" height="150" rx="8" class="wr-shade" />
        <rect width="204" height="150" rx="8" fill="#fbf8f1" />
        {DISTRICTS.map((district, row) => (
          <g key={district}>
            <rect x="8" y={8 + row * 27.4} width="188" height="24.6" rx="4" fill={TONES[district][0]} opacity="0.55" />
            {Array.from({ length: 5 }, (_, column) =>
              column < CITY[row] ? (
                <Card key={column} x={12 + column * 36.6} y={10 + row * 27.4} width={33} height={20.6} district={district} />
              ) : (
                <rect key={column} x={12 + column * 36.6} y={10 + row * 27.4} width="33" height="20.6" rx="3" class="wr-gap" />
              ),
            )}
          </g>
        ))}
        <PlacedSymbol name="tower" x={52} y={112} width={18} height={28} />
        <PlacedSymbol name="car" x={52} y={39} width={16} height={16} />
        <PlacedSymbol name="car" x={15} y={39} width={16} height={16} />
      </g>
      <g transform="translate(108 162)">
        <rect x="4" y="6" width="56" height="40" rx="5" class="wr-shade" />
        <rect x="2" y="2" width="56" height="40" rx="5" fill="#e9dcc0" />
        <rect width="56" height="40" rx="5" fill="#23646b" stroke="#fbf8f1" stroke-width="2" />
        <PlacedSymbol name="car" x={16} y={8} width={24} height={24} />
      </g>
      <g transform="translate(112 232)">
        {[0, 1, 2].map((index) => (
          <g key={index} transform={`translate(${index * 13} ${index * 5})`}>
            <PlacedSymbol name="contract" x={0} y={0} width={30} height={30} />
          </g>
        ))}
      </g>
      {[
        ["orange", "blue"],
        ["green"],
        ["gray", "yellow", "green"],
      ].map((column, index) => (
        <g key={index} transform={`translate(${406 + index * 35} ${160 + (index % 2) * 6})`}>
          {column.map((district, place) => (
            <Card key={district} x={0} y={place * 25} district={district} />
          ))}
        </g>
      ))}
    </>
  );
}

/** The three pictures, each 160 by 76. */
export const STEPS = [
  () => (
    <>
      {[["blue"], ["green", "orange", "yellow"], ["gray", "blue"]].map((column, index) => (
        <g key={index} transform={`translate(${10 + index * 48} 6)`}>
          {column.map((district, place) => (
            <Card key={place} x={0} y={place * 21} width={40} height={24} district={district} value={place + index + 1} />
          ))}
        </g>
      ))}
      <rect x="54" y="2" width="48" height="74" rx="6" class="wr-ring" />
    </>
  ),
  () => (
    <>
      {["orange", "yellow"].map((district, row) => (
        <g key={district} transform={`translate(8 ${10 + row * 31})`}>
          {[0, 1, 2, 3].map((column) =>
            column < 2 - row ? (
              <Card key={column} x={column * 37} y={0} width={34} height={26} district={district} value={column + 2} />
            ) : (
              <rect key={column} x={column * 37} y="0" width="34" height="26" rx="3" class="wr-gap wr-gap-dark" />
            ),
          )}
        </g>
      ))}
      <Card x={45} y={41} width={34} height={26} district="yellow" value={4} isRinged />
    </>
  ),
  () => (
    <>
      <g style={tone("orange")}>
        <PlacedSymbol name="emblem-orange" x={2} y={10} width={38} height={38} />
      </g>
      <text x="21" y="68" class="wr-number" text-anchor="middle">
        +2
      </text>
      <PlacedSymbol name="car" x={56} y={12} width={38} height={38} />
      <text x="75" y="68" class="wr-number" text-anchor="middle">
        +2½
      </text>
      <PlacedSymbol name="tower" x={112} y={2} width={32} height={50} />
      <text x="128" y="68" class="wr-number" text-anchor="middle">
        +1
      </text>
    </>
  ),
];

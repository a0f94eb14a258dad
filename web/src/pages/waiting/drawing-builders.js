// The drawings of Builders in the waiting room: what lies on the table, and how the game works in three pictures.

import sheet from "../../art/builders.svg";
import { symbolsFrom } from "../../parts/art.js";

export const { PlacedSymbol } = symbolsFrom(sheet);

/** The colours of land: fill, edge, ink. @type {Record<string, [string, string, string]>} */
const LAND = {
  green: ["#d5e2c2", "#7fa05a", "#3f5c27"],
  yellow: ["#f7e7b4", "#d9ae3a", "#6f5205"],
  red: ["#f2cdbf", "#cb6f57", "#7e2a1a"],
  purple: ["#dfd0e4", "#9a78ac", "#553468"],
};

/** A plot with its number. @param {{x: number, y: number, colour: string, number?: number, size?: number, children?: any}} props */
export function Plot({ x, y, colour, number, size = 20, children }) {
  const [fill, edge, ink] = LAND[colour];
  return (
    <g transform={`translate(${x} ${y})`}>
      <rect width={size} height={size} rx="3" fill={fill} stroke={edge} stroke-width="0.9" />
      {number !== undefined && (
        <text x={size / 2} y={size / 2 + size / 5.5} class="wr-number" text-anchor="middle" font-size={size * 0.55} fill={ink}>
          {number}
        </text>
      )}
      {children}
    </g>
  );
}

/** The plots of each block of the drawn city, and what stands on them. */
const BLOCKS = [
  ["green2", "yellow4", "redH", "purple1"],
  ["purple3", "red1", "greenR", "yellowB"],
  ["yellow5", "green1", "purple4", "red2"],
  ["redR", "purpleY", "yellow1", "green3"],
  ["green4", "red5", "yellow2", "purpleR"],
  ["purple2", "greenB", "red3", "yellow3"],
];
/** @type {Record<string, string>} */
const PIECES = { H: "house-red", B: "house-blue", Y: "house-yellow", R: "rubble" };

function City() {
  return (
    <g transform="translate(189 141)">
      <rect x="2" y="3" width="204" height="150" rx="8" class="wr-shade" />
      <rect width="204" height="150" rx="8" class="wr-street" />
      {BLOCKS.map((block, index) => (
        <g key={index} transform={`translate(${12 + (index % 3) * 64} ${11 + Math.floor(index / 3) * 67})`}>
          <rect x="-3" y="-3" width="58" height="64" rx="4" fill="#fbf8f1" />
          {block.map((plot, place) => {
            const [, colour, mark] = /** @type {RegExpMatchArray} */ (plot.match(/^([a-z]+)(.)$/));
            const [x, y] = [(place % 2) * 27, Math.floor(place / 2) * 30];
            return (
              <Plot key={plot} x={x + 0.5} y={y + 2} size={25} colour={colour} number={PIECES[mark] ? undefined : Number(mark)}>
                {PIECES[mark] && <PlacedSymbol name={PIECES[mark]} x={1} y={1} width={23} height={23} />}
              </Plot>
            );
          })}
        </g>
      ))}
    </g>
  );
}

/** An action card. @param {{x: number, y: number, number: number, symbol: string}} props */
function ActionCard({ x, y, number, symbol }) {
  return (
    <g transform={`translate(${x} ${y})`}>
      <rect x="2" y="3" width="40" height="42" rx="4" class="wr-shade" />
      <rect width="40" height="42" rx="4" fill="#fbf8f1" stroke="#d9cfbb" />
      <text x="5" y="13" class="wr-number" font-size="11" fill="#1e2a36">
        {number}
      </text>
      <PlacedSymbol name={symbol} x={9} y={12} width={24} height={24} />
    </g>
  );
}

/** What lies on the table. */
export function OnTable() {
  return (
    <>
      <City />
      {["income", "material", "permit"].map((symbol, index) => (
        <ActionCard key={symbol} x={index === 1 ? 96 : 140} y={148 + index * 47} number={index + 1} symbol={symbol} />
      ))}
      {["clean_up", "develop", "build"].map((symbol, index) => (
        <ActionCard key={symbol} x={index === 1 ? 446 : 402} y={242 - index * 47} number={index + 4} symbol={symbol} />
      ))}
      {["yellow", "blue", "red"].map((colour, index) => (
        <PlacedSymbol key={colour} name={`pawn-${colour}`} x={80 + index * 15} y={252 + (index % 2) * 6} width={26} height={26} />
      ))}
      {["red", "yellow"].map((colour, index) => (
        <PlacedSymbol key={colour} name={`house-${colour}`} x={452 + index * 22} y={250 - index * 6} width={28} height={28} />
      ))}
    </>
  );
}

/** A permit of a colour and a number. @param {{x: number, y: number, turn: number, colour: string, number: number}} props */
function Permit({ x, y, turn, colour, number }) {
  const [fill, edge, ink] = LAND[colour];
  return (
    <g transform={`translate(${x} ${y}) rotate(${turn})`}>
      <rect x="-18" y="-25" width="36" height="50" rx="5" fill="#fbf8f1" stroke="#d9cfbb" />
      <rect x="-14" y="-21" width="28" height="24" rx="3" fill={fill} stroke={edge} />
      <text x="0" y="20" class="wr-number" text-anchor="middle" fill={ink}>
        {number}
      </text>
    </g>
  );
}

/** The three pictures, each 160 by 76. */
export const STEPS = [
  () => (
    <>
      {["income", "permit", "build"].map((symbol, index) => (
        <g key={symbol} transform={`translate(${4 + index * 52} 28)`}>
          <rect width="46" height="48" rx="5" fill="#fbf8f1" stroke="#d9cfbb" />
          <text x="5" y="15" class="wr-number" font-size="12" fill="#1e2a36">
            {index + 1}
          </text>
          <PlacedSymbol name={symbol} x={11} y={15} width={26} height={26} />
        </g>
      ))}
      <PlacedSymbol name="pawn-yellow" x={4} y={0} width={26} height={26} />
      <PlacedSymbol name="pawn-red" x={24} y={0} width={26} height={26} />
      <path d="M54 13h16m-5 -4 5 4 -5 4" class="wr-arrow" />
      <PlacedSymbol name="pawn-blue" x={76} y={0} width={26} height={26} />
    </>
  ),
  () => (
    <>
      <Permit x={24} y={38} turn={-7} colour="yellow" number={4} />
      <Permit x={62} y={40} turn={5} colour="red" number={2} />
      <path d="M86 40h14m-5 -4 5 4 -5 4" class="wr-arrow" />
      <Plot x={108} y={16} size={46} colour="red" number={4} />
      <rect x="105" y="13" width="52" height="52" rx="6" class="wr-ring" />
    </>
  ),
  () => (
    <>
      <Plot x={6} y={14} size={50} colour="red">
        <PlacedSymbol name="house-blue" x={3} y={1} width={44} height={44} />
      </Plot>
      <PlacedSymbol name="goal" x={66} y={20} width={36} height={36} />
      <PlacedSymbol name="tram" x={106} y={20} width={36} height={36} />
    </>
  ),
];

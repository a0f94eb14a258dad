// The drawings of Investors in the waiting room: what lies on the table, and how the game works in three pictures.

import { PlacedSymbol } from "../../parts/art.js";

/** The districts of the drawn city, row by row; a dot is a park. */
const CITY = ["vlfvmrl", "fm.lomr", "mbohv.r", ".vrmvlf", "ofomfrl"];
/** @type {Record<string, string>} */
const KINDS = { v: "villa", l: "leisure", f: "factory", m: "market", r: "residential", o: "office", b: "bank", h: "hall" };
const STEP = 27.14;
const TILE = 21.2;

function City() {
  return (
    <g transform="translate(189 141)">
      <rect x="2" y="3" width="204" height="150" rx="8" class="wr-shade" />
      <rect width="204" height="150" rx="8" class="wr-street" />
      {CITY.flatMap((row, y) =>
        [...row].map((letter, x) => {
          const [left, top] = [10 + x * STEP, 10 + y * STEP];
          const isPark = letter === ".";
          return (
            <g key={`${x}-${y}`}>
              <rect x={left} y={top} width={TILE} height={TILE} rx="3" class={isPark ? "wr-park" : "wr-ruin"} />
              <PlacedSymbol name={isPark ? "park" : `${KINDS[letter]}-ruin`} x={left + 1.7} y={top + 1.7} width={17.8} height={17.8} />
            </g>
          );
        }),
      )}
    </g>
  );
}

/** The back of a card. @param {{x: number, y: number, colour: string, symbol: string}} props */
function CardBack({ x, y, colour, symbol }) {
  return (
    <g transform={`translate(${x} ${y})`}>
      <rect x="3" y="4" width="40" height="56" rx="5" class="wr-shade" />
      <rect width="40" height="56" rx="5" fill="#fbf8f1" />
      <rect x="2.5" y="2.5" width="35" height="51" rx="3.5" fill={colour} />
      <g style={{ color: "#f6e7bf" }}>
        <PlacedSymbol name={symbol} x={8} y={16} width={24} height={24} />
      </g>
    </g>
  );
}

/** What lies on the table. */
export function OnTable() {
  return (
    <>
      <City />
      <CardBack x={124} y={150} colour="#23646b" symbol="influence-back" />
      <CardBack x={418} y={150} colour="#8a4b32" symbol="action-bonus" />
      <g transform="translate(100 244) rotate(-8)" style={{ "--note": "#23646b", "--note-bg": "#e3efec" }}>
        <PlacedSymbol name="cheque" x={0} y={0} width={70} height={38} />
      </g>
      <g transform="translate(108 252) rotate(5)" style={{ "--note": "#8a6410", "--note-bg": "#f8efd2" }}>
        <PlacedSymbol name="cheque" x={0} y={0} width={70} height={38} />
      </g>
      {[
        ["yellow", 410, 226, 9],
        ["blue", 404, 250, -6],
        ["red", 412, 266, 4],
      ].map(([colour, x, y, turn]) => (
        <g key={colour} transform={`translate(${x} ${y}) rotate(${turn})`}>
          <PlacedSymbol name={`stick-${colour}-h`} x={0} y={0} width={70} height={14} />
        </g>
      ))}
    </>
  );
}

/** An influence card. @param {{x: number, y: number, turn: number, value: number}} props */
function Card({ x, y, turn, value }) {
  return (
    <g transform={`translate(${x} ${y}) rotate(${turn})`}>
      <rect x="-22" y="-32" width="44" height="64" rx="6" fill="#fdfbf6" stroke="#d9cfbb" />
      <PlacedSymbol name={`influence-${value}`} x={-15} y={-11} width={30} height={30} />
      <text x="-17" y="-16" class="wr-number" fill="#1e2a36">
        {value}
      </text>
    </g>
  );
}

/** The three pictures, each 160 by 76. */
export const STEPS = [
  () => (
    <>
      <Card x={36} y={38} turn={-8} value={7} />
      <g opacity="0.55">
        <Card x={88} y={42} turn={4} value={5} />
        <Card x={126} y={42} turn={8} value={5} />
      </g>
      <PlacedSymbol name="seal" x={16} y={44} width={26} height={26} />
    </>
  ),
  () => (
    <>
      <rect x="6" y="12" width="52" height="52" rx="7" class="wr-ruin" />
      <PlacedSymbol name="factory-ruin" x={8} y={14} width={48} height={48} />
      <rect x="84" y="12" width="52" height="52" rx="7" class="wr-ruin" />
      <PlacedSymbol name="market-ruin" x={86} y={14} width={48} height={48} />
      <rect x="62" y="8" width="18" height="60" rx="4" class="wr-ring" />
      <PlacedSymbol name="stick-blue-v" x={65} y={10} width={12} height={56} />
    </>
  ),
  () => (
    <>
      <PlacedSymbol name="stick-blue-h" x={32} y={2} width={56} height={11} />
      <PlacedSymbol name="stick-blue-v" x={20} y={13} width={11} height={54} />
      <rect x="34" y="15" width="52" height="52" rx="7" fill="var(--b-factory)" />
      <PlacedSymbol name="factory-built" x={36} y={17} width={48} height={48} />
      <PlacedSymbol name="stick-blue-v" x={89} y={13} width={11} height={54} />
      <g style={{ color: "var(--gold)" }}>
        <PlacedSymbol name="n-prestige" x={112} y={20} width={24} height={24} />
      </g>
      <text x="112" y="64" class="wr-number">
        +6
      </text>
    </>
  ),
];

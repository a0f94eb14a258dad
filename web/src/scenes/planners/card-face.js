// The front of a card: a band with its value at the left, and the picture of its district. The small size shows the
// feature of a card instead of a picture, so that it is readable on a phone.

import sheet from "../../art/planners.svg";
import { symbolsFrom } from "../../parts/art.js";
import { memo } from "../../parts/memo.js";
import { cardOf } from "./cards.js";

export const { Symbol, PlacedSymbol } = symbolsFrom(sheet);

export const FULL = { width: 124, height: 92 };
export const SMALL = { width: 60, height: 50 };

/**
 * The pieces on a card in a city.
 * @typedef {object} Pieces
 * @property {number} [value] the current value
 * @property {boolean} [car]
 * @property {boolean} [tower]
 * @property {boolean} [token] a foundation token
 * @property {boolean} [extraValue]
 * @property {boolean} [extraTracks]
 */

/** A card with its pieces, each a property of its own: a card renders again only when one of them changed. */
export const CardFace = memo(function CardFace(/** @type {{id: number, isSmall?: boolean} & Pieces} */ { id, isSmall = false, ...pieces }) {
  const card = cardOf(id);
  const isSquare = card.features.includes("square");
  const value = pieces.value ?? card.value;
  const size = isSmall ? SMALL : FULL;
  const Drawn = isSmall ? SmallFace : FullFace;
  return (
    <svg
      class={`pl-face tone-${card.district} ${isSquare && value >= 4 ? "lit" : ""}`}
      viewBox={`0 0 ${size.width} ${size.height}`}
      aria-hidden="true"
    >
      <Drawn card={card} value={value} pieces={pieces} />
    </svg>
  );
});

/** @typedef {{card: import("./cards.js").Card, value: number, pieces: Pieces}} DrawnProps */

/** Return the picture of a card. @param {import("./cards.js").Card} card @param {boolean} hasTower */
function sceneOf({ district, features }, hasTower) {
  if (features.includes("foundation")) return hasTower ? "scene-tower" : "scene-site";
  for (const feature of ["depot", "square", "seaside"]) if (features.includes(feature)) return `scene-${feature}`;
  return `scene-${district}`;
}

/** @param {DrawnProps} props */
function FullFace({ card, value, pieces }) {
  const { features } = card;
  const isSquare = features.includes("square");
  return (
    <>
      <PlacedSymbol name={sceneOf(card, Boolean(pieces.tower))} x={30} y={0} width={94} height={92} />
      <PlacedSymbol name={`band-${card.district}`} x={0} y={0} width={30} height={92} />
      <path class="edge-line" d="M30 0V92" />
      {features.includes("tracks") && <PlacedSymbol name="rails" x={0} y={0} width={124} height={92} />}
      <circle class="disc" cx="15" cy="17" r="12" />
      <text class="disc-text" x="15" y="23.5" font-size="18">
        {value}
      </text>
      {isSquare ? (
        <g>
          <rect class="disc" x="2.5" y="33" width="25" height="17" rx="8.5" />
          <text class="disc-text" x="15" y="46" font-size="12">
            0·4
          </text>
        </g>
      ) : (
        Array.from({ length: Math.min(card.value, 4) }, (_, index) => (
          <PlacedSymbol key={index} name="worker" x={6.5} y={31.5 + 14.5 * index} width={17} height={16} />
        ))
      )}
      {features.includes("compass") && (
        <g>
          <circle class="disc" cx="84" cy="15" r="11.5" />
          <PlacedSymbol name="compass" x={74.5} y={5.5} width={19} height={19} />
        </g>
      )}
      {features.includes("seaside") && <Less x={features.includes("compass") ? 58 : 105} y={15} size={15} />}
      {pieces.extraValue && <PlacedSymbol name="value" x={2} y={66} width={24} height={24} />}
      {pieces.extraTracks && (
        <g>
          <circle class="disc" cx="106" cy="42" r="13" />
          <PlacedSymbol name="tracks" x={97} y={33} width={18} height={18} />
        </g>
      )}
      {pieces.token && <PlacedSymbol name="token" x={82} y={4} width={38} height={38} />}
      {pieces.tower && (
        <g class="pl-risen">
          <PlacedSymbol name="tower" x={50} y={4} width={54} height={84} />
        </g>
      )}
      {pieces.car && (
        <g class="pl-arrived">
          <PlacedSymbol name="car" x={46} y={50} width={42} height={42} />
        </g>
      )}
      <rect class="edge-line" x="0.6" y="0.6" width="122.8" height="90.8" rx="8.6" />
    </>
  );
}

/** Return the symbol that tells most about a small card. @param {import("./cards.js").Card} card @param {Pieces} pieces */
function emblemOf({ district, features }, pieces) {
  if (pieces.tower) return "skyscraper";
  if (pieces.car) return "car";
  for (const feature of ["foundation", "depot", "square", "seaside"]) if (features.includes(feature)) return feature;
  return `emblem-${district}`;
}

/** @param {DrawnProps} props */
function SmallFace({ card, value, pieces }) {
  const { features } = card;
  const hasRails = features.includes("tracks");
  // A depot or square keeps its own symbol beside a cable car.
  const second = pieces.car && ["depot", "square", "foundation"].find((feature) => features.includes(feature));
  return (
    <>
      <rect class="scene-paper" width="60" height="50" />
      <PlacedSymbol name={`band-${card.district}`} x={0} y={0} width={20} height={50} />
      {hasRails && <PlacedSymbol name="rails-small" x={0} y={0} width={60} height={50} />}
      <g class={pieces.tower ? "pl-risen" : pieces.car ? "pl-arrived" : ""}>
        <PlacedSymbol name={emblemOf(card, pieces)} x={22.5} y={hasRails ? 8 : 10} width={31} height={31} />
      </g>
      {second && !pieces.tower && <PlacedSymbol name={second} x={43} y={1} width={16} height={16} />}
      <circle class="disc" cx="10.5" cy="12.5" r="9.5" />
      <text class="disc-text" x="10.5" y="18" font-size="15">
        {value}
      </text>
      {features.includes("compass") && (
        <g>
          <circle class="disc" cx="10.5" cy="36.5" r="8.5" />
          <PlacedSymbol name="compass" x={3.5} y={29.5} width={14} height={14} />
        </g>
      )}
      {features.includes("square") && (
        <text class="square-text" x="10.5" y="38" font-size="11">
          0·4
        </text>
      )}
      {features.includes("seaside") && <Less x={48} y={9} size={12} />}
      {pieces.extraTracks && <PlacedSymbol name="tracks" x={21} y={34} width={15} height={15} />}
      {pieces.extraValue && <PlacedSymbol name="value" x={36} y={34} width={15} height={15} />}
      {pieces.token && <PlacedSymbol name="token" x={40} y={1} width={19} height={19} />}
      <rect class="edge-line" x="0.5" y="0.5" width="59" height="49" rx="6.5" />
    </>
  );
}

/** The mark of a foundation that needs one less. @param {{x: number, y: number, size: number}} props */
function Less({ x, y, size }) {
  const [width, height] = [size * 2, size * 1.35];
  return (
    <g>
      <rect class="disc" x={x - width / 2} y={y - height / 2} width={width} height={height} rx={height / 2} />
      <text class="less-text" x={x} y={y + size * 0.36} font-size={size}>
        −1
      </text>
    </g>
  );
}

/** An empty space with the emblem of its district. */
export const EmptyFace = memo(function EmptyFace(/** @type {{district: string, isSmall?: boolean}} */ { district, isSmall = false }) {
  const { width, height } = isSmall ? SMALL : FULL;
  const size = isSmall ? 20 : 30;
  return (
    <svg class={`pl-face pl-empty tone-${district}`} viewBox={`0 0 ${width} ${height}`} aria-hidden="true">
      <rect class="empty-place" x="0.8" y="0.8" width={width - 1.6} height={height - 1.6} rx={isSmall ? 6.5 : 8.6} />
      <g class="faint">
        <PlacedSymbol name={`emblem-${district}`} x={(width - size) / 2} y={(height - size) / 2} width={size} height={size} />
      </g>
    </svg>
  );
});

// The city as one SVG. It contains no rules: its properties say what can be picked.

import { useId, useMemo, useRef, useState } from "preact/hooks";
import { t } from "../../catalogue/index.js";
import { PlacedSymbol, SEAT_COLOURS } from "../../parts/art.js";
import { moveOnBoard, tabStop } from "../../parts/board-grid.js";
import { memo } from "../../parts/memo.js";
import { nameInSentence, seatNames } from "../../parts/names.js";
import {
  CITY,
  COLUMNS,
  DISTRICTS,
  FREE,
  READING_ORDER,
  ROWS,
  WHITE,
  coordinate,
  districtBox,
  districtsOf,
  gridNeighbour,
  gridNumber,
  isHorizontal,
  standing,
  streetAt,
  streetBox,
  streetsOf,
} from "./city.js";
import { districtCell, outcomeSentences, streetCell } from "./cell-text.js";
import { Grid, cellOf, isPick } from "./map-grid.js";
import { FocusRing, Highlight } from "./map-marks.js";
import { PRESTIGE } from "./values.js";
import { kindName, placeName, standingText } from "./labels.js";

/** The view box: the paved city with its coordinates at the north and the west. */
export const FRAME = { x: -22, y: -20, width: CITY.width + 28, height: CITY.height + 24 };

/** @typedef {import("./map-interaction.js").MapInteraction} MapInteraction */
/** @typedef {import("./map-marks.js").Place} Place */
/** @typedef {import("./map-marks.js").FocusedPlace} FocusedPlace */

/**
 * @typedef {object} MapProps
 * @property {any} view
 * @property {MapInteraction | null} [interaction] which streets can be picked
 * @property {{open: Set<number>, chosen: number | null, kind: string} | null} [laying] where a tile can be laid
 * @property {Set<string>} [kinds] the kinds that the tender is for
 * @property {Place | null} [highlighted] the places that the log highlights
 * @property {(street: number) => void} [onStreet]
 * @property {(street: number) => void} [onClosedStreet] called when a street is chosen that cannot be picked
 * @property {(district: number) => void} [onDistrict]
 * @property {(place: {street?: number, district?: number} | null) => void} [onInspect] called with the place that is hovered or focused
 */

/**
 * The callbacks of districts and streets. The object never changes, so a district renders again only when its own
 * properties change.
 * @typedef {object} MapHandlers
 * @property {() => any} view
 * @property {(street: number) => void} pickStreet
 * @property {(district: number) => void} pickDistrict
 * @property {(place: {street?: number, district?: number} | null) => void} inspect
 * @property {(place: {street?: number, district?: number} | null) => void} hover
 * @property {(street: number) => void} explain
 * @property {(event: MouseEvent) => void} inspectAt inspect the street at the mouse position; a click explains it
 * @property {(event: KeyboardEvent, place: FocusedPlace) => boolean} move move the focus by a key; return whether the key moves
 * @property {(place: FocusedPlace, event: FocusEvent) => void} focus called when a place gets the focus
 * @property {() => void} blur
 */


/**
 * @param {MapProps} props @param {import("preact").RefObject<SVGSVGElement>} drawing
 * @param {(focus: MapFocus) => void} setFocus
 * @returns {MapHandlers}
 */
function useMapHandlers(props, drawing, setFocus) {
  const latest = useRef(props);
  latest.current = props;
  return useMemo(() => {
    /** The place that had the focus last, to which the tab key returns. @type {FocusedPlace | null} */
    let last = null;
    /** The street under the mouse, where streets are not elements of their own. @type {number | null} */
    let passed = null;
    // Touch browsers emit mouse events at the last tap, which must not count as hovering.
    const hovers = matchMedia("(hover: hover)");
    const inspect = (/** @type {{street?: number, district?: number} | null} */ place) => {
      passed = null;
      latest.current.onInspect?.(place);
    };
    return {
      view: () => latest.current.view,
      pickStreet: (street) => latest.current.onStreet?.(street),
      pickDistrict: (district) => latest.current.onDistrict?.(district),
      explain: (street) => latest.current.onClosedStreet?.(street),
      inspect,
      hover: (place) => {
        if (hovers.matches) inspect(place);
      },
      inspectAt: (event) => {
        if (event.type === "mousemove" && !hovers.matches) return;
        const corner = drawing.current?.getScreenCTM();
        if (!corner) return;
        const { x, y } = new DOMPoint(event.clientX, event.clientY).matrixTransform(corner.inverse());
        const street = streetAt(x, y);
        if (street !== passed) latest.current.onInspect?.(street === null ? null : { street });
        passed = street;
        if (event.type === "click" && street !== null) latest.current.onClosedStreet?.(street);
      },
      move: (event, place) =>
        moveOnBoard(event, gridNumber(place), {
          neighbour: gridNeighbour,
          open: openPlaces(latest.current),
          focusOn: (number) => /** @type {SVGElement | null | undefined} */ (drawing.current?.querySelector(`[data-cell="${number}"]`))?.focus(),
        }),
      focus: (place, event) => {
        last = place;
        setFocus({ place, isInside: true, isRinged: /** @type {Element} */ (event.currentTarget).matches(":focus-visible") });
        inspect(place);
      },
      blur: () => {
        setFocus({ place: last, isInside: false, isRinged: false });
        inspect(null);
      },
    };
  }, []);
}

/** @typedef {{place: FocusedPlace | null, isInside: boolean, isRinged: boolean}} MapFocus */

/** Return the numbers in the grid of what can be picked, in reading order. @param {MapProps} props */
function openPlaces({ interaction, laying }) {
  const streets = [...(interaction?.open.keys() ?? [])].map((street) => gridNumber({ street }));
  const districts = [...(laying?.open ?? [])].map((district) => gridNumber({ district }));
  return [...streets, ...districts].sort((one, other) => one - other);
}

/** @param {MapProps} props */
export function CityMap(props) {
  const { view, interaction = null, laying = null, kinds, highlighted = null } = props;
  /** @type {import("preact").RefObject<SVGSVGElement>} */
  const drawing = useRef(null);
  const [focus, setFocus] = useState(/** @type {MapFocus} */ ({ place: null, isInside: false, isRinged: false }));
  const handlers = useMapHandlers(props, drawing, setFocus);
  const id = useId();
  const { layout, rebuilt, sticks } = view.play.game;
  const names = seatNames(view);
  const changes = new Map(interaction?.changes);
  const stop = tabStop({ place: focus.place && gridNumber(focus.place), isInside: focus.isInside }, openPlaces(props), gridNumber({ district: 0 }));
  const { x, y, width, height } = FRAME;
  return (
    <svg ref={drawing} class="city-map" viewBox={`${x} ${y} ${width} ${height}`} role="none">
      <Ground handlers={handlers} />
      <Grid id={id} />
      {Array.from({ length: DISTRICTS }, (_, district) => (
        <District
          key={district}
          district={district}
          kind={layout[district]}
          owner={rebuilt[district]}
          around={streetsOf(district).map((street) => sticks[street]).join()}
          names={names}
          tile={laying?.kind ?? null}
          id={id}
          canLay={laying?.open.has(district) ?? false}
          isChosen={laying?.chosen === district}
          isTarget={kinds?.has(layout[district]) ?? false}
          isTabStop={gridNumber({ district }) === stop}
          handlers={handlers}
        />
      ))}
      {READING_ORDER.map((street) => (
        <Street
          key={street}
          street={street}
          owner={sticks[street]}
          after={changes.get(street) ?? sticks[street]}
          id={id}
          kinds={districtsOf(street).map((district) => layout[district]).join()}
          role={interaction?.open.get(street) ?? null}
          isAsked={interaction !== null}
          outcome={outcomeSentences(view, interaction, street)}
          isChosen={interaction?.chosen.has(street) ?? false}
          isTabStop={gridNumber({ street }) === stop}
          names={names}
          handlers={handlers}
        />
      ))}
      <Highlight place={highlighted} />
      {focus.isRinged && <FocusRing place={focus.place} />}
    </svg>
  );
}

const Ground = memo((/** @type {{handlers: MapHandlers}} */ { handlers }) => (
  <>
    <defs>
      <pattern id="grain" width="37" height="41" patternUnits="userSpaceOnUse">
        <path class="grain" d="M5 7h1.600M19 3h1.200M30 12h1.800M11 21h1.200M25 27h1.600M3 33h1.400M34 36h1.200M16 37h1.800" />
      </pattern>
    </defs>
    <rect
      class="paved"
      width={CITY.width}
      height={CITY.height}
      rx="13"
      aria-hidden="true"
      onMouseMove={handlers.inspectAt}
      onClick={handlers.inspectAt}
      onMouseLeave={() => handlers.hover(null)}
    />
    <Coordinates />
  </>
));

function Coordinates() {
  return (
    <g class="coordinates" aria-hidden="true">
      {Array.from({ length: COLUMNS }, (_, column) => {
        const { x, width } = districtBox(column);
        return (
          <text key={column} x={x + width / 2} y={-6}>
            {"ABCDEFG"[column]}
          </text>
        );
      })}
      {Array.from({ length: ROWS }, (_, row) => {
        const { y, height } = districtBox(row * COLUMNS);
        return (
          <text key={row} x={-11} y={y + height / 2 + 5}>
            {row + 1}
          </text>
        );
      })}
    </g>
  );
}

/** Return the description of a district. @param {any} view @param {number} district */
export function districtText(view, district) {
  const game = view.play.game;
  const kind = game.layout[district];
  const place = placeName(game, district);
  const points = PRESTIGE[kind];
  if (kind === null) return t("map.empty", { at: coordinate(district) });
  if (kind === "park") return t("map.park", { place });
  if (game.rebuilt[district] >= 0) return t("map.rebuilt", { place, points, name: nameInSentence(view, game.rebuilt[district]) });
  const label = standingText(view, standing(game, game.sticks, district), kind);
  return `${t("map.ruin", { place, points })}. ${label}`;
}

/**
 * @typedef {object} DistrictProps
 * @property {string} id of the grid
 * @property {number} district
 * @property {string | null} kind
 * @property {number} owner the seat that rebuilt it
 * @property {string} around the owners of its streets, joined
 * @property {string} names the names of all seats, joined
 * @property {string | null} tile the kind of the tile to lay
 * @property {boolean} canLay
 * @property {boolean} isChosen
 * @property {boolean} isTarget
 * @property {boolean} isTabStop
 * @property {MapHandlers} handlers
 */

const District = memo((/** @type {DistrictProps} */ { id, district, kind, owner, tile, canLay, isChosen, isTarget, isTabStop, handlers }) => {
  const { x, y, width, height } = districtBox(district);
  const onKeyDown = (/** @type {KeyboardEvent} */ event) => {
    if (handlers.move(event, { district }) || !canLay || !isPick(event)) return;
    event.preventDefault();
    handlers.pickDistrict(district);
  };
  const label = canLay ? t("map.lay_here", { kind: kindName(tile), at: coordinate(district) }) : districtCell(handlers.view(), district);
  const shown = isChosen ? tile : kind;
  const state = shown === "park" ? "park" : owner >= 0 ? "built" : shown === null ? "empty" : "ruin";
  return (
    <g
      class={`district ${state} kind-${shown ?? "none"} ${isTarget ? "target" : ""} ${canLay ? "can-lay" : ""} ${isChosen ? "chosen" : ""}`}
      {...cellOf(id, { district }, isTabStop, handlers)}
      data-district={district}
      aria-label={label}
      aria-selected={canLay ? isChosen : undefined}
      onKeyDown={onKeyDown}
      onClick={() => (canLay ? handlers.pickDistrict(district) : handlers.inspect({ district }))}
      onMouseEnter={() => handlers.hover({ district })}
      onMouseLeave={() => handlers.hover(null)}
    >
      <rect class="tile" x={x} y={y} width={width} height={height} rx="9" />
      <rect class="grained" x={x} y={y} width={width} height={height} rx="9" fill="url(#grain)" />
      {state === "park" && <PlacedSymbol name="park" x={x + 7} y={y + 8} width={66} height={66} />}
      {state === "built" && (
        <g class="risen">
          <PlacedSymbol name={`${shown}-built`} x={x + 7} y={y + 9} width={66} height={66} />
          <PlacedSymbol name={`chip-${SEAT_COLOURS[owner]}`} x={x + 4} y={y + 4} width={21} height={21} />
        </g>
      )}
      {state === "ruin" && (
        <>
          <PlacedSymbol name={`${shown}-ruin`} x={x + 7} y={y + 9} width={66} height={66} />
          <text class="worth" x={x + 8} y={y + 19}>
            {PRESTIGE[shown ?? ""]}
          </text>
        </>
      )}
    </g>
  );
});

/**
 * @typedef {object} StreetProps
 * @property {string} id of the grid
 * @property {string} kinds the kinds of its districts, joined
 * @property {boolean} isAsked whether other streets can be picked
 * @property {string} outcome what picking it would change
 * @property {number} street
 * @property {number} owner who is on it
 * @property {number} after who would be on it
 * @property {"street" | "stick" | "lift" | null} role how it can be picked
 * @property {boolean} isChosen
 * @property {boolean} isTabStop
 * @property {string} names the names of all seats, joined
 * @property {MapHandlers} handlers
 */

const Street = memo((/** @type {StreetProps} */ { id, street, owner, after, role, isAsked, outcome, isChosen, isTabStop, handlers }) => {
  const box = streetBox(street);
  const label = streetCell(handlers.view(), street, role, isAsked);
  const onKeyDown = (/** @type {KeyboardEvent} */ event) => {
    if (handlers.move(event, { street }) || !isPick(event)) return;
    event.preventDefault();
    if (role === null) handlers.explain(street);
    else handlers.pickStreet(street);
  };
  if (role === null) {
    return (
      <g class="street closed" data-line={street} {...cellOf(id, { street }, isTabStop, handlers)} aria-label={label} onKeyDown={onKeyDown}>
        <StreetStick street={street} owner={owner} after={after} />
      </g>
    );
  }
  return (
    <g
      class={`street open pick-${role} ${isChosen ? "chosen" : ""}`}
      {...cellOf(id, { street }, isTabStop, handlers)}
      data-street={street}
      aria-selected={isChosen}
      aria-label={label}
      onKeyDown={onKeyDown}
      onClick={() => handlers.pickStreet(street)}
      onMouseEnter={() => handlers.hover({ street })}
      onMouseLeave={() => handlers.hover(null)}
    >
      {outcome && <desc>{outcome}</desc>}
      <path class="hit-finger" d={diamond(box)} />
      <rect class="hit-mouse" x={box.x - 5} y={box.y - 5} width={box.width + 10} height={box.height + 10} />
      <StreetStick street={street} owner={owner} after={after} />
      <rect class="glow" x={box.x - 0.5} y={box.y - 0.5} width={box.width + 1} height={box.height + 1} rx="7" />
    </g>
  );
});

/** Return the touch area of a street: the diamond of points that are nearest to it. @param {import("./city.js").Box} box */
function diamond({ x, y, width, height }) {
  const [middle, centre, reach] = [x + width / 2, y + height / 2, 47];
  return `M${middle} ${centre - reach}L${middle + reach} ${centre}L${middle} ${centre + reach}L${middle - reach} ${centre}Z`;
}

/** The stick on a street: the current and the previewed one. @param {{street: number, owner: number, after: number}} props */
function StreetStick({ street, owner, after }) {
  const { x, y, width, height } = streetBox(street);
  const flat = isHorizontal(street);
  const stick = (/** @type {number} */ who) =>
    `stick-${who === WHITE ? "white" : SEAT_COLOURS[who]}-${flat ? "h" : "v"}`;
  return (
    <>
      {owner === FREE && after === FREE && (
        <path class="dash" d={flat ? `M${x + 8} ${y + height / 2}h${width - 16}` : `M${x + width / 2} ${y + 8}v${height - 16}`} />
      )}
      {after !== FREE && <rect class="stick-shadow" x={x + 1} y={y + 2} width={width - 2} height={height - 2} rx="4" />}
      {after !== FREE && (
        <g key={after} class={`stick ${after === owner ? "" : "ghost"}`}>
          <PlacedSymbol name={stick(after)} x={x} y={y} width={width} height={height} />
        </g>
      )}
      {after === FREE && owner !== FREE && (
        <g class="stick lifted">
          <PlacedSymbol name={stick(owner)} x={x} y={y} width={width} height={height} />
        </g>
      )}
    </>
  );
}

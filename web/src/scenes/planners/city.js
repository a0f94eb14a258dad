// A city in large: five rows of cards with their totals, the line of cable cars, the printed depots, and the standing
// of each row. It contains no rules: its properties say what can be picked.

import { useId, useRef } from "preact/hooks";
import { t } from "../../catalogue/index.js";
import { Chip } from "../../parts/art.js";
import { moveOnBoard, useTabStop } from "../../parts/board-grid.js";
import { COLUMNS, DEPOT_COLUMNS, DISTRICTS, NO_CARD, ROWS, SPACES, columnOf, linksOf, rowOf } from "./cards.js";
import { CardFace, EmptyFace, FULL, SMALL, Symbol } from "./card-face.js";
import { CarStanding, Ranks, Standing } from "./standings.js";
import { cardName, placeText, rowName, spaceName } from "./labels.js";
import { placesOf } from "./ranks.js";

/** The dimensions of both sizes. The CSS has the same gaps. */
const GRIDS = {
  full: { ...FULL, gap: 6, depot: 42, node: { x: 106, y: 80 } },
  small: { ...SMALL, gap: 3, depot: 22, node: { x: 54, y: 44 } },
};

/**
 * @typedef {object} CityProps
 * @property {any} view
 * @property {number} seat the owner of the city
 * @property {any} [after] the game after the selected command
 * @property {import("./changes.js").Changes | null} [changes]
 * @property {import("./interaction.js").Interaction | null} [interaction]
 * @property {boolean} isSmall
 * @property {"list" | "ranks" | "empty" | "none"} [standings] how the standings are shown beside the rows; empty keeps their room
 * @property {any} [ranksTitle] what stands beside the heads of the ranks
 * @property {{seat: number, space: number}[]} [highlighted] the spaces that the log highlights
 * @property {(space: number) => void} [onPick]
 */

/** @param {CityProps} props */
export function City(props) {
  const { view, seat, after, changes, interaction, isSmall, standings = "none", ranksTitle, highlighted = [], onPick } = props;
  const game = after ?? view.play.game;
  const own = game.seats[seat];
  /** @type {import("preact").RefObject<HTMLDivElement>} */
  const grid = useRef(null);
  const hint = useId();
  const open = [...(interaction?.spaces.keys() ?? [])].sort((one, other) => one - other);
  const { stop, onFocus, onBlur } = useTabStop(open);
  const spotlights = new Set(highlighted.filter((each) => each.seat === seat).map(({ space }) => space));
  const focusOn = (/** @type {number} */ space) =>
    /** @type {HTMLElement | null | undefined} */ (grid.current?.querySelector(`[data-space="${space}"]`))?.focus();
  return (
    <div
      ref={grid}
      class={`pl-grid ${isSmall ? "small" : "full"} ${standings === "none" ? "bare" : ""} ${standings === "ranks" ? "ranked" : ""}`}
      style={{ "--places": view.seats.length }}
    >
      {DISTRICTS.map((_, row) => (
        <RowLabel key={row} view={view} game={game} seat={seat} row={row} isSmall={isSmall} />
      ))}
      <p class="hidden-visually" id={hint}>
        {t("reader.grid")}
      </p>
      <div class="pl-spaces" role="grid" aria-label={t(seat === view.mine ? "planners.city.yours" : "planners.city.spaces")} aria-describedby={hint}>
        {DISTRICTS.map((_, row) => (
          <div key={row} class="pl-row" role="row">
            {Array.from({ length: COLUMNS }, (_, column) => row * COLUMNS + column).map((space) => (
              <Space
                key={space}
                space={space}
                view={view}
                own={own}
                interaction={interaction ?? null}
                changes={changes ?? null}
                isSmall={isSmall}
                isHighlighted={spotlights.has(space)}
                isTabStop={space === stop}
                onMove={(event) => moveOnBoard(event, space, { neighbour: neighbourSpace, open, focusOn })}
                onFocus={() => onFocus(space)}
                onBlur={onBlur}
                onPick={onPick}
              />
            ))}
          </div>
        ))}
        {Array.from({ length: COLUMNS }, (_, column) => (
          <span key={column} class="pl-depot" style={{ gridRow: ROWS + 1, gridColumn: column + 1 }}>
            {DEPOT_COLUMNS.includes(column) && <Symbol name="depot" width={isSmall ? 20 : 34} />}
          </span>
        ))}
        <CarLine now={view.play.game.seats[seat].cars} then={own.cars} isSmall={isSmall} />
      </div>
      <div class="pl-cars" title={t("planners.cars", { count: own.cars.length })}>
        <Symbol name="car" width={isSmall ? 16 : 28} />
        <Total from={view.play.game.seats[seat].cars.length} to={own.cars.length} isSmall={isSmall} />
        <span class="hidden-visually">{t("planners.cars", { count: own.cars.length })}</span>
      </div>
      {standings === "list" && DISTRICTS.map((_, row) => <Standing key={row} view={view} after={after ?? null} category={row} />)}
      {standings === "list" && <CarStanding view={view} after={after ?? null} />}
      {standings === "ranks" && (
        <>
          <div class="pl-ranks-title">{ranksTitle}</div>
          <Ranks view={view} after={after ?? null} />
        </>
      )}
    </div>
  );
}

/** A number and what it would become. @param {{from: number, to: number, isSmall: boolean}} props */
function Total({ from, to, isSmall }) {
  if (from === to) return <b class="pl-total serif">{from}</b>;
  return (
    <b class="pl-total serif">
      {!isSmall && <span class="pl-from">{from} → </span>}
      <em>{to}</em>
    </b>
  );
}

/** @param {{view: any, game: any, seat: number, row: number, isSmall: boolean}} props */
function RowLabel({ view, game, seat, row, isSmall }) {
  const [now, then] = [view.play.game.seats[seat], game.seats[seat]];
  const owner = game.completed[row];
  const bonus = game.bonus_of_row[row];
  const count = Math.min(2, then.compasses[row]);
  const label = t(game.sold_out_leaves_nothing && !game.bonuses[bonus] ? "planners.row.sold_out" : "planners.row", {
    row: rowName(row),
    total: then.totals[row],
    place: placeText(placesOf(game, seat)[row]),
    compasses: count,
    bonus: t(`planners.bonus.${bonus}`),
    left: game.bonuses[bonus],
  });
  return (
    <div class={`pl-label tone-${DISTRICTS[row]}`} style={{ gridRow: row + 1 }} data-row={row} title={label}>
      <span class="hidden-visually">{label}</span>
      <svg class="pl-label-band" aria-hidden="true">
        <Band district={DISTRICTS[row]} />
      </svg>
      {isSmall && <Symbol name={`emblem-${DISTRICTS[row]}`} width={18} />}
      <span class="pl-label-name" aria-hidden="true">
        {rowName(row)}
      </span>
      <span aria-hidden="true">
        <Total from={now.totals[row]} to={then.totals[row]} isSmall={isSmall} />
      </span>
      <span class="pl-label-marks" aria-hidden="true">
        {[1, 2].map((step) => (
          <span key={step} class={count >= step ? "" : "faint"}>
            <Symbol name="compass" width={15} />
          </span>
        ))}
        <span class={then.bonus_rows.includes(row) || !game.bonuses[bonus] ? "faint" : ""}>
          <Symbol name={bonus} width={16} />
        </span>
        <span class="pl-hex">
          <Symbol name="hex" width={18} />
          {owner !== null && <Chip seat={owner} size={10} />}
        </span>
      </span>
    </div>
  );
}

/** @param {{district: string}} props */
function Band({ district }) {
  return <Symbol name={`band-${district}`} width={24} height={120} />;
}

const ARROWS = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -COLUMNS, ArrowDown: COLUMNS };

/** Return the neighbour of a space in the direction of an arrow key, or the same space at an edge. @param {number} space @param {string} key */
export function neighbourSpace(space, key) {
  const step = ARROWS[/** @type {keyof typeof ARROWS} */ (key)] ?? 0;
  const column = columnOf(space) + (Math.abs(step) === 1 ? step : 0);
  const to = space + step;
  return column >= 0 && column < COLUMNS && to >= 0 && to < SPACES ? to : space;
}

/**
 * @typedef {object} SpaceProps
 * @property {number} space
 * @property {any} view
 * @property {any} own the seat, current or previewed
 * @property {import("./interaction.js").Interaction | null} interaction
 * @property {import("./changes.js").Changes | null} changes
 * @property {boolean} isSmall
 * @property {boolean} isHighlighted
 * @property {boolean} isTabStop
 * @property {(event: KeyboardEvent) => boolean} onMove move the focus by a key; return whether the key moves
 * @property {() => void} onFocus
 * @property {() => void} onBlur
 * @property {((space: number) => void) | undefined} onPick
 */

/** @param {SpaceProps} props */
function Space({ space, view, own, interaction, changes, isSmall, isHighlighted, isTabStop, onMove, onFocus, onBlur, onPick }) {
  const isOpen = interaction?.spaces.has(space) ?? false;
  const isChosen = interaction?.space === space;
  // Until the preview arrives, the card is only shown at its space.
  const id = own.cards[space] || (isChosen && interaction?.laid ? interaction.laid : NO_CARD);
  const isGhost = changes?.cards.includes(space) || (id !== NO_CARD && own.cards[space] === NO_CARD);
  const onKeyDown = (/** @type {KeyboardEvent} */ event) => {
    if (onMove(event) || !isOpen || (event.key !== "Enter" && event.key !== " ")) return;
    event.preventDefault();
    onPick?.(space);
  };
  const label = spaceText(own, space, id, isOpen, interaction);
  return (
    <div
      class={`pl-space ${isOpen ? "open" : ""} ${isChosen ? "chosen" : ""} ${isGhost ? "ghost" : ""} ${isHighlighted ? "highlighted" : ""}`}
      style={{ gridRow: rowOf(space) + 1, gridColumn: columnOf(space) + 1 }}
      data-space={space}
      data-pick={isOpen ? "space" : undefined}
      role="gridcell"
      aria-selected={isOpen ? isChosen : undefined}
      title={label}
      tabIndex={isTabStop ? 0 : -1}
      onFocus={onFocus}
      onBlur={onBlur}
      onKeyDown={onKeyDown}
      onClick={() => isOpen && onPick?.(space)}
    >
      {/* A text and not a label: axe compares a label with what is drawn on the card. */}
      <span class="hidden-visually">{label}</span>
      {id === NO_CARD ? (
        <EmptyFace district={DISTRICTS[rowOf(space)]} isSmall={isSmall} />
      ) : (
        <CardFace id={id} isSmall={isSmall} {...piecesAt(own, space, id)} />
      )}
      {changes && <Bubble changes={changes} space={space} isSmall={isSmall} />}
    </div>
  );
}

/** Return the pieces on the card of a space. @param {any} own @param {number} space @param {number} id @returns {import("./card-face.js").Pieces} */
function piecesAt(own, space, id) {
  if (own.cards[space] !== id) return {};
  return {
    value: own.values[space],
    car: own.cars.includes(space),
    tower: own.towers.includes(space),
    extraValue: own.extra_value.includes(space),
    extraTracks: own.extra_tracks.includes(space),
  };
}

/** @param {any} own @param {number} space @param {number} id @param {boolean} isOpen @param {import("./interaction.js").Interaction | null} interaction */
function spaceText(own, space, id, isOpen, interaction) {
  const name = spaceName(space);
  if (isOpen && interaction?.card) return t("planners.space.place", { space: name, card: cardName(interaction.card) });
  if (isOpen && interaction?.bonus) return t("planners.space.bonus", { space: name, bonus: t(`planners.bonus.${interaction.bonus}`) });
  if (id === NO_CARD) return t("planners.space.empty", { space: name });
  const parts = [t("planners.space.card", { space: name, card: cardName(id) })];
  if (own.cards[space] === id) {
    parts.push(t("planners.space.value", { value: own.values[space] }));
    if (own.cars.includes(space)) parts.push(t("planners.space.car"));
    if (own.towers.includes(space)) parts.push(t("planners.space.tower"));
    if (own.extra_value.includes(space)) parts.push(t("planners.space.extra_value"));
    if (own.extra_tracks.includes(space)) parts.push(t("planners.space.extra_tracks"));
    const site = own.sites.find((/** @type {number[]} */ each) => each[0] === space);
    if (site) parts.push(t("planners.space.site", { sum: site[1], needed: site[2] }));
  }
  return parts.join(" ");
}

/** The change of a space that already has a card. @param {{changes: import("./changes.js").Changes, space: number, isSmall: boolean}} props */
function Bubble({ changes, space, isSmall }) {
  const value = changes.values.find((each) => each.space === space);
  const site = changes.sites.find((each) => each.space === space);
  const label = changes.towers.includes(space)
    ? t(isSmall ? "planners.bubble.tower_short" : "planners.bubble.tower")
    : value
      ? `${value.from} → ${value.to}`
      : site
        ? t("planners.bubble.site", { sum: site.sum, needed: site.needed })
        : null;
  return label ? (
    <span class="pl-bubble" aria-hidden="true">
      {label}
    </span>
  ) : null;
}

/** The cable car line; links that would be added are dashed. @param {{now: number[], then: number[], isSmall: boolean}} props */
function CarLine({ now, then, isSmall }) {
  const grid = isSmall ? GRIDS.small : GRIDS.full;
  const [pitchX, pitchY] = [grid.width + grid.gap, grid.height + grid.gap];
  const at = (/** @type {number} */ space) => [columnOf(space) * pitchX + grid.node.x, rowOf(space) * pitchY + grid.node.y];
  const height = ROWS * pitchY + grid.depot;
  const old = new Set(linksOf(now).map(String));
  return (
    <svg class="pl-line" viewBox={`0 0 ${COLUMNS * pitchX - grid.gap} ${height}`} aria-hidden="true">
      {linksOf(then).map((link) => {
        const [x, y] = at(link[0]);
        const [toX, toY] = link[1] === null ? [x, ROWS * pitchY + grid.depot / 4] : at(link[1]);
        return (
          <g key={String(link)} class={old.has(String(link)) ? "link" : "link new"}>
            <path class="bed" d={`M${x} ${y}L${toX} ${toY}`} />
            <path class="rail" d={`M${x} ${y}L${toX} ${toY}`} />
          </g>
        );
      })}
      {then.map((space) => {
        const [x, y] = at(space);
        return <circle key={space} class={now.includes(space) ? "stop" : "stop new"} cx={x} cy={y} r={isSmall ? 4 : 5.5} />;
      })}
    </svg>
  );
}

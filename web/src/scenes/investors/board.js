// The middle of the table: the tender above, the city between ocean and bay, the years below, and reveals on top.

import { useEffect, useMemo, useState } from "preact/hooks";
import { t } from "../../catalogue/index.js";
import { Callout } from "../../parts/callout.js";
import { memo } from "../../parts/memo.js";
import { capitalize, seatNames } from "../../parts/names.js";
import { choiceOf } from "../../parts/prompt.js";
import { choose, sayWhyNot, selectionOf, send } from "../../parts/selection.js";
import { asSentences } from "../../parts/sentences.js";
import { ZoomArea } from "../../parts/zoom.js";
import { CityMap, FRAME, districtText } from "./map.js";
import { outcomeText, outcomesOf, streetCell } from "./cell-text.js";
import { districtBox, districtsOf, streetBox } from "./city.js";
import { mapInteraction } from "./map-interaction.js";
import { Reveals } from "./reveal.js";
import { TenderPanel, Years } from "./tender.js";
import { OPTION_TILES } from "./values.js";
import { streetName, tenderParts } from "./labels.js";

/** @typedef {import("../../store.js").TableModel} TableModel */

const INSPECT_TIMEOUT = 5000;

/**
 * Return the kinds of district that the current tender or selection is for.
 * @param {any} view @param {Record<string, any>} selection @returns {string[]}
 */
function targetKinds(view, selection) {
  const game = view.play.game;
  const stage = game.stage;
  const card = game.action === null && game.tender ? tenderParts(game.tender).target : null;
  const option = stage.name === "bargaining" ? stage.option : (selection.option ?? view.play.decision?.answer?.option ?? null);
  const target = stage.name === "investing" ? stage.rights[0]?.target : card === "options" ? option : card;
  if (!target || stage.name === "laying") return [];
  return OPTION_TILES[target] ?? [target];
}

/** @param {any} view @param {Record<string, any>} selection */
function layingInteraction(view, selection) {
  const choice = choiceOf(view, "lay_tile");
  if (!choice) return null;
  return { open: new Set(/** @type {number[]} */ (choice.space.one_of)), chosen: selection.space ?? null, kind: view.play.game.stage.tile };
}

/** Return the streets that the investor of the open offer keeps off, to be marked; null if there are none. @param {any} offer */
function avoided(offer) {
  return offer?.avoid?.length ? { streets: offer.avoid } : null;
}

/** @param {{model: TableModel, highlighted: any}} props */
export function Board({ model, highlighted }) {
  const view = model.gameView.value;
  const selection = selectionOf(model);
  const [inspected, setInspected] = useState(/** @type {{street?: number, district?: number} | null} */ (null));
  useEffect(() => {
    // A finger, unlike a mouse, does not leave the inspected element, so a timer closes the callout.
    if (!inspected || !matchMedia("(pointer: coarse)").matches) return undefined;
    const timer = setTimeout(() => setInspected(null), INSPECT_TIMEOUT);
    return () => clearTimeout(timer);
  }, [inspected]);
  const interaction = useMemo(() => mapInteraction(view, selection), [view, selection]);
  const laying = useMemo(() => layingInteraction(view, selection), [view, selection]);
  const pickStreet = (/** @type {number} */ street) => {
    if (!interaction) return;
    if (interaction.command && interaction.last === street) send(model, interaction.command);
    else choose(model, interaction.pick(street));
  };
  const explainStreet = (/** @type {number} */ street) => {
    if (interaction) sayWhyNot(model, "map.closed", asSentences([streetCell(view, street, null, true)]));
  };
  const pickSpace = (/** @type {number} */ space) => {
    if (selection.space === space) send(model, { do: "lay_tile", space });
    else choose(model, { space });
  };
  const { layout, rebuilt, sticks, stage, years, bank, open_bonuses: bonuses } = view.play.game;
  const kinds = targetKinds(view, selection).join();
  const shown = useMemo(() => highlighted ?? avoided(stage.offer), [highlighted, stage.offer]);
  // The map stays as it is while nothing on it changes. What is picked belongs to the interaction or the laying.
  const map = useMemo(
    () => (
      <CityMap
        view={view}
        interaction={interaction}
        laying={laying}
        kinds={new Set(kinds.split(","))}
        highlighted={shown}
        onStreet={pickStreet}
        onClosedStreet={explainStreet}
        onDistrict={pickSpace}
        onInspect={setInspected}
      />
    ),
    [layout, rebuilt, sticks, seatNames(view), interaction, laying, kinds, shown],
  );
  return (
    <div class="investors">
      <Coast />
      <TenderPanel view={view} />
      <ZoomArea class="city-room">
        <div class="city">
          {map}
          {!laying && <InspectCallout view={view} interaction={interaction} inspected={inspected} />}
        </div>
      </ZoomArea>
      <Years years={years} bank={bank} bonuses={bonuses} />
      <Reveals model={model} />
    </div>
  );
}

/** Ocean and bay, drawn to any height. */
const Coast = memo(() => {
  const west = "M0 -20H52C40 40 70 70 58 128S30 196 44 250 66 330 50 392 34 470 52 528 40 620 60 688H0Z";
  const east = "M90 -20H48C36 20 40 0 40 100S62 150 48 232 32 290 46 360 62 420 42 508 52 600 36 688H90Z";
  const lines = [76, 54, 34, 16];
  return (
    <div class="coasts" aria-hidden="true">
      {[west, east].map((shore, index) => (
        <svg key={shore} class={index ? "coast east" : "coast west"} viewBox="0 0 90 668" preserveAspectRatio="none">
          <path class="sea-water" d={shore} />
          {lines.map((width) => (
            <path key={width} class="depth" d={shore} transform={`translate(${index ? width / 2 : -width / 2} 0)`} />
          ))}
          <path class="shore" d={shore} />
        </svg>
      ))}
      <span class="sea-name west serif">{t("map.pacific")}</span>
      <span class="sea-name east serif">{t("map.bay")}</span>
      <svg class="compass" viewBox="-26 -26 52 52">
        <circle r="17" />
        <circle r="13" stroke-dasharray="1 3" />
        <path class="paper" d="M0-24L4.500 0 0 24-4.500 0z" />
        <path class="inked" d="M0-24L4.500 0h-9z" />
        <path class="paper" d="M-22 0L0-3.500 22 0 0 3.500z" />
      </svg>
      <svg class="ship" viewBox="-8 -8 40 42">
        <path class="inked" d="M0 18h26l-4 7H4z" />
        <path class="paper" d="M12 16V-6l10 18zM10 16V0L2 14z" />
        <path d="M-6 30c4-3 6-3 10 0s6 3 10 0 6-3 10 0" />
      </svg>
    </div>
  );
});

/**
 * The callout of the inspected or selected place, above or below its districts so that it does not cover them.
 * @param {{view: any, interaction: import("./map-interaction.js").MapInteraction | null, inspected: {street?: number, district?: number} | null}} props
 */
function InspectCallout({ view, interaction, inspected }) {
  const district = inspected?.district ?? null;
  const street = inspected?.street ?? (district === null && interaction?.changes.length === 1 ? interaction.changes[0][0] : null);
  if (district === null && street === null) return null;
  const around = district !== null ? [district] : districtsOf(/** @type {number} */ (street));
  // An inspected street is previewed like a selected one if a single pick completes the command.
  const outcomes = street === null ? [] : outcomesOf(view, interaction, street).filter((outcome) => around.includes(outcome.district));
  const { side, place } = calloutPlace(around, street === null ? districtBox(around[0]) : streetBox(street));
  return (
    <Callout place={place} side={side} isActing={outcomes.length > 0}>
      {district !== null ? (
        <DistrictCallout view={view} district={district} />
      ) : outcomes.length ? (
        outcomes.map((outcome) => <OutcomeCallout key={outcome.district} view={view} outcome={outcome} />)
      ) : (
        <p>{streetLine(view, /** @type {number} */ (street), interaction)}</p>
      )}
    </Callout>
  );
}

/**
 * Return the description of a street that has no preview.
 * @param {any} view @param {number} street @param {import("./map-interaction.js").MapInteraction | null} interaction
 */
function streetLine(view, street, interaction) {
  return interaction?.open.has(street) ? streetName(view.play.game, street) : streetCell(view, street, null, interaction !== null);
}

/**
 * Return the position of a callout above or below these districts, whichever has more room.
 * @param {number[]} districts @param {import("./city.js").Box} focus
 * @returns {{side: "start" | "middle" | "end", place: Record<string, string>}}
 */
function calloutPlace(districts, focus) {
  const boxes = districts.map(districtBox);
  const top = Math.min(...boxes.map((box) => box.y)) - 24;
  const bottom = Math.max(...boxes.map((box) => box.y + box.height)) + 24;
  const centre = focus.x + focus.width / 2;
  const percent = (/** @type {number} */ part, /** @type {number} */ whole) => `${((100 * part) / whole).toFixed(2)}%`;
  const left = percent(centre - FRAME.x, FRAME.width);
  const isBelow = FRAME.height - bottom > top;
  return {
    side: centre < 240 ? "start" : centre > 470 ? "end" : "middle",
    place: isBelow
      ? { left, top: percent(bottom - FRAME.y, FRAME.height) }
      : { left, bottom: percent(FRAME.y + FRAME.height - top, FRAME.height) },
  };
}

/** @param {{view: any, district: number}} props */
function DistrictCallout({ view, district }) {
  const [title, ...rest] = districtText(view, district).split(". ");
  return (
    <>
      <strong>{capitalize(title)}</strong>
      {rest.length > 0 && <p>{capitalize(rest.join(". "))}</p>}
    </>
  );
}

/** @param {{view: any, outcome: import("./cell-text.js").Outcome}} props */
function OutcomeCallout({ view, outcome }) {
  const { title, more, settles } = outcomeText(view, outcome);
  return (
    <div class={settles ? "outcome settles" : "outcome"}>
      <strong>{title}</strong>
      {more && <p>{more}</p>}
    </div>
  );
}

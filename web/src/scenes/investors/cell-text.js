// What a screen reader says about a district or a street: its coordinates first, and what a stick there would change.

import { t } from "../../catalogue/index.js";
import { capitalize, nameInSentence } from "../../parts/names.js";
import { asSentences } from "../../parts/sentences.js";
import { consequences, coordinate, standing } from "./city.js";
import { kindName, ownerText, placeName, standingText, streetName } from "./labels.js";
import { mapInteraction } from "./map-interaction.js";
import { PRESTIGE } from "./values.js";

/** @typedef {import("./map-interaction.js").MapInteraction} MapInteraction */
/** @typedef {ReturnType<typeof consequences>[number]} Outcome */

/** "B2, factory, in ruins, worth 6. you 2, one free: you need one more" @param {any} view @param {number} district */
export function districtCell(view, district) {
  const game = view.play.game;
  const kind = game.layout[district];
  const at = coordinate(district);
  if (kind === null) return t("map.empty", { at });
  const values = { at, kind: kindName(kind), points: PRESTIGE[kind] };
  if (kind === "park") return t("reader.district.park", values);
  if (game.rebuilt[district] >= 0) return t("reader.district.rebuilt", { ...values, name: nameInSentence(view, game.rebuilt[district]) });
  return t("reader.district.ruin", { ...values, standing: standingText(view, standing(game, game.sticks, district), kind) });
}

/**
 * @param {any} view @param {number} street @param {"street" | "stick" | "lift" | null} role how it can be picked
 * @param {boolean} isAsked whether other streets can be picked
 */
export function streetCell(view, street, role, isAsked) {
  const { game } = view.play;
  const key = role ? `map.open_${role}` : isAsked ? "map.closed" : "map.street";
  return t(key, { street: streetName(game, street), owner: ownerText(view, game.sticks[street]) });
}

/**
 * Return what would become of some districts if a street were picked: those of a selection, or those of a single pick
 * that completes the command.
 * @param {any} view @param {MapInteraction | null} interaction @param {number} street @returns {Outcome[]}
 */
export function outcomesOf(view, interaction, street) {
  if (!interaction || !(interaction.open.has(street) || interaction.chosen.has(street))) return [];
  const seen = interaction.chosen.has(street) ? interaction : mapInteraction(view, interaction.pick(street));
  return consequences(view.play.game, seen?.changes ?? []);
}

/** Return the title of an outcome and a further sentence, which may be empty. @param {any} view @param {Outcome} outcome */
export function outcomeText(view, { district, kind, isRebuilt, after }) {
  const place = capitalize(placeName(view.play.game, district));
  if (isRebuilt) return { title: t("preview.stays_rebuilt", { place }), more: "", settles: false };
  if (after.settles === null) return { title: t("preview.stays", { place }), more: capitalize(standingText(view, after, kind)), settles: false };
  return { title: t("preview.rebuilt", { place }), more: t("preview.settles_for", { name: nameInSentence(view, after.settles) }), settles: true };
}

/** Return the outcomes of a pick as sentences; "" for a street that cannot be picked. @param {any} view @param {MapInteraction | null} interaction @param {number} street */
export function outcomeSentences(view, interaction, street) {
  if (!interaction?.open.has(street)) return "";
  return asSentences(
    outcomesOf(view, interaction, street).flatMap((outcome) => {
      const { title, more } = outcomeText(view, outcome);
      return [title, more];
    }),
  );
}

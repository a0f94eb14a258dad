// Texts about a table in a list: its name, its host, how far it is, and what differs from the usual game.

import { hasText, languageNames, t } from "../catalogue/index.js";

/** Return the name of a table, or of its game. @param {any} table its summary */
export function tableName(table) {
  return table.settings?.name ?? t(`game.${table.game}`);
}

/** Return the name of the host. @param {any} table its summary */
export function hostName(table) {
  return table.seats.find((/** @type {any} */ seat) => seat.user === table.host)?.name ?? t("lobby.somebody");
}

/** "Round 7", "1909", "24 cards left"; null if the server does not say. @param {any} table an entry of `your_tables` */
export function progressText({ game, progress }) {
  if (!progress) return null;
  if (game === "investors" && progress.round !== undefined) return t("progress.investors", { round: progress.round });
  if (game === "planners" && progress.cards !== undefined) return t("progress.planners", { count: progress.cards });
  if (game === "builders" && progress.year !== undefined) return t("progress.builders", { year: progress.year });
  return null;
}

/** Return what a kind of decision asks for, in two or three words; null for an unknown kind. @param {string} game @param {string | null | undefined} about */
export function aboutText(game, about) {
  const key = `ask.${game}.${about}`;
  return about && hasText(key) ? t(key) : null;
}

/**
 * Return the names of the options that the host has changed, and of the settings that one agrees to by sitting down.
 * @param {any} table its summary @param {any[]} games as the server describes them
 */
export function changedOptions(table, games) {
  const options = games.find(({ name }) => name === table.game)?.options ?? [];
  const chosen = table.settings?.options ?? {};
  const names = options
    .filter((/** @type {any} */ option) => option.name in chosen && JSON.stringify(chosen[option.name]) !== JSON.stringify(option.default))
    .map((/** @type {any} */ option) => {
      const key = `option.${table.game}.${option.name}.name`;
      return hasText(key) ? t(key) : option.name.replaceAll("_", " ");
    });
  const agreed = [
    ...(table.settings?.sealed_on_devices ? [t("settings.sealed_on_devices")] : []),
    ...(table.settings?.delayed_view ? [t("lobby.delayed_view")] : []),
  ];
  return [...names, ...agreed];
}

/** The languages that a table can be in, each in its own words. @type {Record<string, string>} */
export const TABLE_LANGUAGES = languageNames;

// The settings of a table as sentences: seats, clock, and every option of its game.

import { hasText, t } from "../../catalogue/index.js";
import { SEAT_COLOURS } from "../../parts/art.js";
import { TABLE_LANGUAGES } from "../../parts/table-texts.js";
import { capitalize } from "../../parts/names.js";
import { isByTheDay } from "../../parts/pace.js";
import { isRuledOut } from "../../parts/settings.js";

/** @typedef {import("../../parts/settings.js").Option} Option */
/**
 * @typedef {object} Sentence
 * @property {string} key
 * @property {string} icon
 * @property {string} text with asterisks around bold parts
 * @property {boolean} isMain whether it is shown at once; others open on demand
 */

/** The options that are worth knowing even when the host has left them as they are. @type {Record<string, string[]>} */
const MAIN_OPTIONS = {
  investors: ["layout", "first_seat", "action_cards", "bargaining_offers"],
  planners: ["first_seat", "allow_decline_bonus"],
  builders: ["first_seat", "plot_sides", "park_order"],
};

/** @type {Record<string, string>} */
const ICONS = {
  first_seat: "flag",
  layout: "city",
  plot_sides: "city",
  action_cards: "card",
  subsidies: "card",
  tender_deck: "card",
  bargaining_offers: "deal",
  kind_tender_may_use_edge: "city",
  move_axis_only: "stick",
  influence_cap: "people",
  allow_decline_bonus: "bonus",
  resolve_bonus_on_final_card: "bonus",
  sold_out_bonus: "bonus",
  rows_below_by_total: "city",
  park_order: "tree",
  strict_wild: "card",
  adjacent_across_cards: "city",
  majorities_rank_all: "people",
};

const UNITS = [
  { name: "days", seconds: 86_400 },
  { name: "hours", seconds: 3600 },
  { name: "minutes", seconds: 60 },
];
/** From this time on a decision is called a move: people do not sit at the table all the time. */
const SLOW_SECONDS = 3600;

/** Return a time in the largest unit that needs no fraction: "90 seconds", "1 day". @param {number} seconds */
export function timeText(seconds) {
  const unit = UNITS.find((each) => seconds >= each.seconds && seconds % each.seconds === 0);
  return unit ? t(`time.${unit.name}`, { count: seconds / unit.seconds }) : t("time.seconds", { count: seconds });
}

/** Return the clock of a table as a sentence. @param {any} settings */
export function clockSentence({ clock, time_up: timeUp = "bot" }) {
  const then = t(`setting.then.${timeUp}`);
  if (clock.kind === "decision") {
    return t(clock.seconds < SLOW_SECONDS ? "setting.clock.decision" : "setting.clock.move", { time: timeText(clock.seconds), then });
  }
  if (clock.kind === "bank") {
    const time = timeText(clock.seconds);
    if (!clock.increment) return t("setting.clock.bank_only", { time, then });
    return t("setting.clock.bank", { time, more: timeText(clock.increment), then });
  }
  return t("setting.clock.none");
}

/**
 * Return the value of an option as a sentence. An option without a sentence gets the explanation of the server.
 * @param {string} game @param {Option} option @param {any} value
 */
export function optionSentence(game, option, value) {
  const key = `setting.${game}.${option.name}`;
  if (option.name === "first_seat") {
    if (value === "random") return t("setting.first_seat.random");
    return t("setting.first_seat.chosen", { colour: capitalize(t(`colour.${SEAT_COLOURS[Number(value)]}`)) });
  }
  const end = { pick: Array.isArray(value) ? "each" : value, flag: value ? "on" : "off", cards: value?.length ? "chosen" : "chance" }[option.kind];
  if (option.kind === "limit") {
    const name = value === null ? "none" : value === 0 && hasText(`${key}.zero`) ? "zero" : "number";
    return hasText(`${key}.${name}`) ? t(`${key}.${name}`, { count: value ?? 0 }) : `${option.help} ${value ?? ""}`;
  }
  return hasText(`${key}.${end}`) ? t(`${key}.${end}`) : option.help;
}

/** @param {string} game @param {Option} option @param {Record<string, any>} values @returns {Sentence} */
function ofOption(game, option, values) {
  const value = option.name in values ? values[option.name] : option.default;
  const isChanged = JSON.stringify(value) !== JSON.stringify(option.default);
  return {
    key: option.name,
    icon: ICONS[option.name] ?? "dot",
    text: optionSentence(game, option, value),
    isMain: isChanged || Boolean(MAIN_OPTIONS[game]?.includes(option.name)),
  };
}

/**
 * Return all settings of a table as sentences, those that matter most first.
 * @param {any} settings @param {Option[]} options of the game
 * @returns {Sentence[]}
 */
export function settingSentences(settings, options) {
  /** @type {Sentence[]} */
  const sentences = [
    { key: "seats", icon: "people", text: t(`setting.seats.${settings.seats}`, { who: t(settings.private ? "setting.private" : "setting.open") }), isMain: true },
    ...(settings.rated ? [{ key: "rated", icon: "flag", text: t("setting.rated"), isMain: true }] : []),
    { key: "clock", icon: "clock", text: clockSentence(settings), isMain: true },
    ...options.filter((option) => !isRuledOut(option, settings.options ?? {})).map((option) => ofOption(settings.game, option, settings.options ?? {})),
    { key: "spectators", icon: "eye", text: t(`setting.spectators.${settings.spectators ? "on" : "off"}`), isMain: true },
    { key: "bots", icon: "robot", text: t(`setting.bots.${settings.bots ? "on" : "off"}`), isMain: !settings.bots },
    { key: "hints", icon: "bulb", text: t(`setting.hints.${settings.hints}`), isMain: settings.hints !== "alone" && !settings.rated },
    { key: "show_decided", icon: "check", text: t(`setting.show_decided.${settings.show_decided ? "on" : "off"}`), isMain: !settings.show_decided },
    ...(isByTheDay(settings) ? daySentences(settings) : [{ key: "absence", icon: "hourglass", text: absenceSentence(settings), isMain: false }]),
  ];
  if (settings.sealed_on_devices) sentences.splice(1, 0, { key: "sealed_on_devices", icon: "lock", text: t("setting.sealed_on_devices"), isMain: true });
  if (settings.delayed_view) {
    const { kind } = settings.delayed_view;
    const who = settings.spectators_delayed ? "all" : "commentators";
    sentences.splice(1, 0, { key: "delayed_view", icon: "eye", text: t(`setting.delayed_view.${who}.${kind}`, { count: settings.delayed_view[kind] }), isMain: true });
  }
  if (settings.begin === "full") sentences.splice(1, 0, { key: "begin", icon: "bolt", text: t("setting.begin.full"), isMain: true });
  if (settings.language) {
    const language = TABLE_LANGUAGES[settings.language] ?? settings.language;
    sentences.splice(1, 0, { key: "language", icon: "globe", text: t("setting.language", { language }), isMain: true });
  }
  return [...sentences.filter(({ isMain }) => isMain), ...sentences.filter(({ isMain }) => !isMain)];
}

/** What differs at a table that is played by the day. @param {any} settings @returns {Sentence[]} */
function daySentences({ holiday_days: days = 0 }) {
  /** @type {Sentence[]} */
  const holidays = days ? [{ key: "holidays", icon: "tree", text: t("setting.holidays", { count: days }), isMain: true }] : [];
  return [...holidays, { key: "by_day", icon: "hourglass", text: t("setting.by_day"), isMain: true }];
}

/** @param {any} settings */
function absenceSentence({ absence_seconds: seconds, time_up: timeUp = "bot" }) {
  if (seconds === null || seconds === undefined) return t("setting.absence.none");
  return t("setting.absence", { time: timeText(seconds), then: t(`setting.then.${timeUp}`) });
}

// The scene of Investors.

import { t } from "../catalogue/index.js";
import { Board } from "./investors/board.js";
import { Decision } from "./investors/decision.js";
import { selectionFor } from "./investors/hint-selection.js";
import { End, EndBoard } from "./investors/end.js";
import { OpenHand } from "./investors/open-hand.js";
import { reading } from "./investors/reading.js";
import { SeatStats } from "./investors/seat-stats.js";
import { contextAfter, opensSection, sectionAt, sectionTitle } from "./investors/sections.js";
import { sentence } from "./investors/sentences.js";
import { YEARS } from "./investors/values.js";
import "../style/investors-board.css";
import "../style/investors-city.css";
import "../style/investors-hand.css";
import "../style/investors-cheques.css";
import "../style/investors-deal.css";
import "../style/investors-reveal.css";
import "../style/investors-short.css";
import "../style/investors-side.css";

/** The part of the rules that explains each stage of the game. @type {Record<string, string>} */
const RULES_PARTS = {
  laying: "setup",
  considering: "round",
  influence_bidding: "influence",
  cheque_bidding: "cheques",
  option_choosing: "options",
  option_bidding: "options",
  bargaining: "bargaining",
  investing: "investing",
  acting: "actions",
  claiming: "subsidies",
  drawing: "subsidies",
  over: "end",
};

/** @param {any} view */
function rulesPart(view) {
  return RULES_PARTS[view.play?.game.stage.name] ?? "aim";
}

/** @param {any} view */
function heading(view) {
  const game = view.play?.game;
  if (!game) return "";
  if (game.stage.name === "laying") return t("inv.heading.laying");
  const { round, years } = game;
  if (view.table.phase === "over") return t("inv.heading.over", { count: round });
  return years.length < YEARS.length ? t("inv.heading", { round, year: YEARS[years.length] }) : t("inv.heading.last", { round });
}

/** @type {import("../pages/table.js").Scene} */
export const scene = {
  Board,
  Decision,
  SeatStats,
  OpenHand,
  End,
  EndBoard,
  sentence,
  reading,
  contextAfter,
  opensSection,
  sectionAt,
  sectionTitle,
  rulesPart,
  heading,
  selectionFor,
  rules: ["aim", "setup", "round", "influence", "cheques", "options", "bargaining", "investing", "majority", "actions", "subsidies", "end"],
};

// The scene of Planners.

import { t } from "../catalogue/index.js";
import "../style/planners-cards.css";
import "../style/planners-city.css";
import "../style/planners-market.css";
import "../style/planners-standings.css";
import "../style/planners-seats.css";
import "../style/planners-bar.css";
import "../style/planners-sheet.css";
import "../style/planners-end.css";
import { Aside } from "./planners/aside.js";
import { Board } from "./planners/board.js";
import { Decision } from "./planners/decision.js";
import { End, EndBoard } from "./planners/end.js";
import { reading } from "./planners/reading.js";
import { SeatStats } from "./planners/seat-stats.js";
import { opensSection, sectionAt, sectionTitle } from "./planners/sections.js";
import { sentence } from "./planners/sentences.js";
import { selectionFor } from "./planners/interaction.js";

/** The part of the rules that explains each stage of the game. @type {Record<string, string>} */
const RULES_PARTS = {
  turn: "turn",
  laying: "draw",
  placing: "placing",
  bonus: "bonus",
  confirming: "finalize",
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
  if (game.stage.name === "over") return t("planners.heading.over");
  return t("planners.heading", { cards: game.deck, count: game.tokens });
}

/** @type {import("../pages/table.js").Scene} */
export const scene = {
  Aside,
  Board,
  Decision,
  SeatStats,
  End,
  EndBoard,
  sentence,
  reading,
  opensSection,
  sectionAt,
  sectionTitle,
  rulesPart,
  heading,
  selectionFor,
  keepsLog: true,
  rules: ["aim", "turn", "draw", "finalize", "contracts", "placing", "network", "squares", "towers", "bonus", "end", "points", "ties"],
};

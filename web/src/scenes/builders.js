// The scene of Builders.

import { t } from "../catalogue/index.js";
import "../style/builders.css";
import { Board } from "./builders/board.js";
import { Aside } from "./builders/side-boards.js";
import { YEAR_BOARD } from "./builders/game-data.js";
import { Decision } from "./builders/decision.js";
import { End, EndBoard } from "./builders/end.js";
import { OpenHand } from "./builders/open-hand.js";
import { reading } from "./builders/reading.js";
import { SeatStats } from "./builders/seat-stats.js";
import { opensSection, sectionAt, sectionTitle } from "./builders/sections.js";
import { sentence } from "./builders/sentences.js";

/** The part of the rules that explains each stage of the game. @type {Record<string, string>} */
const RULES_PARTS = {
  placing: "order",
  acting: "actions",
  rewarding: "years",
  composing: "building",
  gaining: "cards",
  confirming: "order",
  over: "end",
};

/** @param {any} view */
function rulesPart(view) {
  const game = view.play?.game;
  if (!game) return "aim";
  return game.area === YEAR_BOARD && game.stage.name === "placing" ? "years" : RULES_PARTS[game.stage.name];
}

/** @param {any} view */
function heading(view) {
  const game = view.play?.game;
  if (!game) return "";
  if (game.area === YEAR_BOARD) return t("builders.heading.year", { year: game.year });
  return t("builders.heading", { year: game.year, number: game.area });
}

/** A selection of Builders is a command, perhaps incomplete, so a command is its own selection. @param {any} command */
function selectionFor(command) {
  return command;
}

/** @type {import("../pages/table.js").Scene} */
export const scene = {
  Board,
  Aside,
  Decision,
  SeatStats,
  OpenHand,
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
  rules: ["aim", "setup", "order", "actions", "building", "cards", "boards", "years", "goals", "end"],
};

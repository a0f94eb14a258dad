// Reads games from a file, renders the log of every viewer in every language, and prints the lines that are broken.
// test_golden_sentences.py writes the file and runs this script.

import { readFileSync } from "node:fs";

import { fetchArea, language, languageNames } from "../../web/src/catalogue/index.js";
import { lineOf, Narrator } from "../../web/src/parts/narration.js";
import * as buildersSections from "../../web/src/scenes/builders/sections.js";
import { sentence as buildersSentence } from "../../web/src/scenes/builders/sentences.js";
import * as investorsSections from "../../web/src/scenes/investors/sections.js";
import { sentence as investorsSentence } from "../../web/src/scenes/investors/sentences.js";
import * as plannersSections from "../../web/src/scenes/planners/sections.js";
import { sentence as plannersSentence } from "../../web/src/scenes/planners/sentences.js";

const scenes = {
  builders: { ...buildersSections, sentence: buildersSentence },
  investors: { ...investorsSections, sentence: investorsSentence },
  planners: { ...plannersSections, sentence: plannersSentence },
};

/** A missing value, a raw placeholder, a catalogue key instead of its text, a raw list, a hyphen as a minus sign. */
const BROKEN = /undefined|NaN|\bnull\b|\[object|[{}|]|\b\w+\.[a-z_]\w*|  |\d,\d\b(?!\d\d)|(^|\s)-\d|\b1 (points|cards|sticks|cheques|rounds|Punkte|Karten|Schecks|Runden)\b/;

const FIRST_SECTION = {
  investors: () => 1,
  planners: (view) => view.play.game.tokens_at_start,
  builders: () => 1906,
};

const { games, show } = JSON.parse(readFileSync(process.argv[2], "utf-8"));
const broken = new Set();
const texts = new Set();
let count = 0;

function check(text, where) {
  count += 1;
  texts.add(text);
  if (BROKEN.test(text)) broken.add(`${where}: ${text}`);
}

/** The texts that the page of a table has; others have texts about events that only a replay shows. */
const AREAS = ["page", "investors", "planners", "builders"];
await Promise.all(Object.keys(languageNames).flatMap((code) => AREAS.map((area) => fetchArea(code, area))));

for (const code of Object.keys(languageNames)) {
  language.value = code;
  for (const { game, name, viewers } of games) {
    for (const { view, entries } of viewers) {
      const where = `${code}/${name}/${view.mine ?? "spectator"}`;
      const scene = /** @type {any} */ (scenes[game]);
      const narrator = new Narrator(scene);
      const items = narrator.items(entries, view, true);
      for (const { line, heading } of items) check(line?.text ?? heading, where);
      if (!items.some(({ heading }) => heading)) broken.add(`${where}: no heading`);
      // A log whose beginning is not loaded has the same lines, apart from bids whose beginning is not known.
      const [later] = [entries.slice(entries.length / 2)];
      const partial = new Narrator(scene).items(later, view, false);
      for (const { line, heading } of partial) check(line?.text ?? heading, where);
      const whole = new Map(items.map(({ key, line, heading }) => [key, line?.text ?? heading]));
      const auction = later.findIndex(({ events }) => events.some(({ event }) => !event.startsWith("bid_") && event !== "undone"));
      for (const { key, number, line, heading } of partial.slice(1)) {
        const text = line?.text ?? heading;
        if (number > later[auction].number && whole.get(key) !== text) broken.add(`${where}: ${whole.get(key)} became ${text}`);
      }
      if (items[0].heading !== scene.sectionTitle(FIRST_SECTION[game](view))) broken.add(`${where}: begins with ${items[0].heading}`);
      for (const { events } of entries) for (const event of events) check(lineOf(event, view, scene)?.text ?? "", `${where} live`);
    }
  }
}
if (show) console.error([...texts].sort().join("\n"));
console.log(JSON.stringify({ count, broken: [...broken] }));

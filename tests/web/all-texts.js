// Every text in every language, for unit tests: they choose a language by its signal, without a network.

import { fetchArea, languageNames } from "../../web/src/catalogue/index.js";

export const AREAS = ["page", "refusals", "waiting", "people", "you", "circle", "relations", "notifications", "replay", "reader", "rules", "lesson", "lesson-investors", "lesson-planners", "lesson-builders", "investors", "planners", "builders", "tips", "fairness", "coach", "commentary", "watching", "orders"];

await Promise.all(Object.keys(languageNames).flatMap((code) => AREAS.map((area) => fetchArea(code, area))));

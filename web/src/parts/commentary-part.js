// What a table page fetches only where a table has commentators.

import { withTexts } from "../catalogue/index.js";

/** The module of the delayed view, with its texts. */
export const COMMENTARY = withTexts(() => import("./commentary.js"), "commentary", "replay");

// What only a seat knew at a moment: the scene draws it, and where it stands depends on the room.

import { t } from "../../catalogue/index.js";
import { Chip } from "../../parts/art.js";
import { nameOf } from "../../parts/names.js";
import "../../style/open-hand.css";

/** @typedef {{game: Record<string, any>, answer: any}} Open what a seat knew alone, and what it answered to the open decision */

/** The hand of a seat, below its counters. @param {{scene: import("../table.js").Scene, seat: number, open: Open}} props */
export function OpenHand({ scene, seat, open }) {
  return (
    <div class="open-hand small" data-open={seat}>
      {scene.OpenHand && <scene.OpenHand open={open} />}
    </div>
  );
}

/** The open hands of all seats, below each other. @param {{scene: import("../table.js").Scene, view: any, open: (Open | null)[]}} props */
export function OpenHands({ scene, view, open }) {
  return (
    <ul class="open-hands">
      {open.map((each, seat) => (
        <li key={seat}>
          <p>
            <Chip seat={seat} size={20} /> <b>{nameOf(view, seat)}</b>
          </p>
          {each ? <OpenHand scene={scene} seat={seat} open={each} /> : <p class="small muted">{t("replay.open.unknown")}</p>}
        </li>
      ))}
    </ul>
  );
}

// A replay inside the page of another site: the board, who plays, what happened, a small bar, and the way to the whole page.

import { t } from "../../catalogue/index.js";
import { Chip, Icon } from "../../parts/art.js";
import { nameOf } from "../../parts/names.js";
import { momentPath } from "../../replay-address.js";
import { StepButtons, Where } from "./controls.js";
import { Notes, textOf, useKeys, useMoment } from "./frame.js";
import { Timeline } from "./timeline.js";
import "../../style/replay-embedded.css";

/** @param {{model: import("../../replay-model.js").ReplayModel, scene: import("../table.js").Scene}} props */
export function Embedded({ model, scene }) {
  const { past, shownLines, places } = useMoment(model, scene);
  const view = past.view.value;
  useKeys(model, view.seats.length, () => {});
  const { steps } = model;
  const path = momentPath(model.id, { step: steps.target.value, eyes: steps.eyes.value }, model.key);
  return (
    <div class="replay-embedded" data-game={view.table.game}>
      <main class="middle" aria-busy={!steps.isCurrent} aria-label={t("replay.board")}>
        <div class="embedded-board">
          <scene.Board model={past} highlighted={places} />
        </div>
        <Notes model={model} />
      </main>
      <section class="embedded-bar" aria-label={t("replay.controls")}>
        <p class="embedded-text" aria-live={model.player.isPlaying.value ? "off" : "polite"}>
          {textOf(shownLines)}
        </p>
        <ul class="embedded-seats small" aria-label={t("table.seats")}>
          {view.seats.map((/** @type {any} */ _, /** @type {number} */ seat) => (
            <li key={seat}>
              <Chip seat={seat} size={18} /> {nameOf(view, seat)}
            </li>
          ))}
        </ul>
        <StepButtons model={model} isShort />
        <Timeline model={model} scene={scene} view={view} />
        <Where model={model} />
        <a class="button" href={path} target="_blank" rel="noopener" title={t("replay.full_page")}>
          <Icon name="whole" size={16} />
          <span class="embedded-link">{t("replay.full_page")}</span>
        </a>
      </section>
    </div>
  );
}

/** @param {{sentence: string, children?: any}} props */
export function EmbeddedRefusal({ sentence, children }) {
  return (
    <main class="loading">
      <p role="alert">{sentence}</p>
      {children}
    </main>
  );
}

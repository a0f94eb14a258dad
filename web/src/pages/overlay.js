// A table as a layer over a video stream, `/t/ID?overlay`: seats and city on a transparent page, in large type, without
// anything to click. It shows what spectators see, so it is not for somebody who sits at the table.

import { useEffect, useState } from "preact/hooks";
import { t } from "../catalogue/index.js";
import { Symbol } from "../parts/art.js";
import { COMMENTARY } from "../parts/commentary-part.js";
import { ConnectionBanner } from "../parts/banner.js";
import { lazy } from "../parts/lazy.js";
import { nameOf } from "../parts/names.js";
import { ResultFrame } from "../parts/result-frame.js";
import { Seats } from "../parts/seats.js";
import { TurnStatus } from "../parts/turn-status.js";
import { SCENES } from "./scenes.js";
import "../style/overlay.css";

/** Events whose sentences stand at the bottom. */
const LINES = 2;

/** Return whether an address asks for the table as an overlay. @param {string} query */
export function asksForOverlay(query) {
  return new URLSearchParams(query).has("overlay");
}

/** @param {{store: import("../store.js").Store, model: import("../store.js").TableModel}} props */
export function Overlay({ store, model }) {
  const view = model.view.value;
  const game = view?.table.game;
  const scene = game ? lazy(SCENES[game])?.scene : null;
  const isShown = scene && view.play && view.mine === null;
  const isLate = model.isDelayed || (view?.mine === null && view.table.settings.spectators_delayed);
  const commentary = isLate ? lazy(COMMENTARY) : null;
  return (
    <div class={`app overlay ${model.isDelayed ? "with-hands" : ""}`} data-game={game}>
      <ConnectionBanner store={store} />
      {isShown && <Seats model={model} scene={scene} extra={(seat) => commentary && <commentary.SeatHand model={model} scene={scene} seat={seat} />} />}
      <main class="middle" aria-label={t("table.board")}>
        {isShown ? <Middle model={model} scene={scene} /> : <Note view={view} />}
      </main>
      {isShown && view.table.phase === "running" && (
        <footer class="overlay-bar">
          <strong class="serif">{t(`game.${game}`)}</strong>
          <span class="muted">{scene.heading(model.gameView.value)}</span>
          {commentary && <commentary.BehindSign model={model} />}
          <TurnStatus model={model} />
          <Latest model={model} scene={scene} />
        </footer>
      )}
    </div>
  );
}

/** The city, or the result. @param {{model: import("../store.js").TableModel, scene: import("./table.js").Scene}} props */
function Middle({ model, scene }) {
  const view = model.gameView.value;
  if (view.table.phase === "over") return <ResultFrame view={view} scene={scene} />;
  return <scene.Board model={model} highlighted={null} />;
}

/** What is said while there is no game to show. @param {{view: any}} props */
function Note({ view }) {
  const isSeated = view && view.mine !== null;
  return (
    <section class="overlay-note card">
      <Symbol name="hall-ruin" width={72} />
      <p>{t(!view ? "table.loading" : isSeated ? "overlay.seated" : "overlay.waiting")}</p>
      {view && !isSeated && <p class="muted">{view.seats.flatMap((/** @type {any} */ chair, /** @type {number} */ seat) => (chair.name ? [nameOf(view, seat)] : [])).join(" · ")}</p>}
    </section>
  );
}

/** The last things that happened. @param {{model: import("../store.js").TableModel, scene: import("./table.js").Scene}} props */
function Latest({ model, scene }) {
  const events = model.latest.value;
  const view = model.gameView.value;
  const [lines, setLines] = useState(/** @type {string[]} */ ([]));
  useEffect(() => {
    const said = events.flatMap((event) => scene.sentence(event, view)?.text ?? []);
    if (said.length) setLines((before) => [...before, ...said].slice(-LINES));
  }, [events]);
  return <p class="overlay-lines">{lines.join(" ")}</p>;
}

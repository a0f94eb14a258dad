// The frame of a lesson: the table as in a game, without chat, votes and clocks, and the guide over it.

import { useEffect, useState } from "preact/hooks";
import { useComputed } from "@preact/signals";
import { t, withTexts } from "../../catalogue/index.js";
import { Icon, Symbol } from "../../parts/art.js";
import { ConnectionBanner } from "../../parts/banner.js";
import { PreferenceButtons } from "../../parts/chrome.js";
import { SceneContext } from "../../parts/hint.js";
import { lazy } from "../../parts/lazy.js";
import { layout } from "../../parts/layout.js";
import { LiveRegion } from "../../parts/live-region.js";
import { Log } from "../../parts/log.js";
import { narrow } from "../../parts/narrow.js";
import { onEscape } from "../../parts/on-escape.js";
import { ResultFrame } from "../../parts/result-frame.js";
import { RulesDrawer, useRules } from "../../parts/rules.js";
import { Seats } from "../../parts/seats.js";
import { TouchTooltip } from "../../parts/touch-tooltip.js";
import { TurnStatus } from "../../parts/turn-status.js";
import { isMyMove } from "../../parts/your-move.js";
import { OpenRule } from "../../rules/rule-link.js";
import { LessonEnd } from "./end.js";
import { Guide } from "./guide.js";

/** @typedef {import("../../lessons/lesson-model.js").LessonModel} LessonModel */
/** @typedef {import("../table.js").Scene} Scene */

/** Fetched on its own, since nobody needs its keys before the table is shown. */
const READER = withTexts(() => import("../../parts/reader.js"), "reader");

/** What the page shows besides the board, in the order in which the guide looks there for a target that it does not see. */
const PLACES = ["move", "boards", "log"];

/**
 * @param {object} props
 * @param {import("../../store.js").Store} props.store
 * @param {(path: string) => void} props.navigate
 * @param {LessonModel} props.model
 * @param {Scene} props.scene
 * @param {import("../../lessons/targets.js").Kinds} props.kinds what a lesson of this game may point at
 */
export function LessonFrame({ store, navigate, model, scene, kinds }) {
  const [place, setPlace] = useState("move");
  const rules = useRules();
  const reader = lazy(READER);
  const [highlighted, setHighlighted] = useState(/** @type {any} */ (null));
  const isMine = useComputed(() => isMyMove(model.view.value)).value;
  const about = useComputed(() => model.view.value.play?.decision?.about).value;
  const isOver = useComputed(() => model.view.value.table.phase === "over").value;
  const { Aside, Board, Decision } = scene;
  const isSide = layout.value === "side";
  const tabs = [...(narrow.value ? ["move"] : []), ...(Aside && (narrow.value || isSide) ? ["boards"] : []), "log"];
  const tab = tabs.includes(place) ? place : tabs[0];
  // Where a window is low, the boards of a game need the height of the right column more than its log does.
  const isFolded = layout.value === "short" && Aside !== undefined && !scene.keepsLog && place !== "log";
  const isPanelOpen = isSide && place !== "move";
  const end = model.end.value;
  useEffect(() => setPlace("move"), [model.step.value, end]);
  const lookElsewhere = () => setPlace((now) => PLACES[PLACES.indexOf(now) + 1] ?? "move");
  return (
    <div class={`app lesson-app tab-${tab} ${isFolded ? "folded" : ""} ${rules.asked ? "rules-open" : ""} ${isPanelOpen ? "panel-open" : ""}`} data-game={model.game}>
      <header class="bar">
        <div class="bar-start">
          <button class="plain home" onClick={() => navigate("/")} aria-label={t("table.to_lobby")}>
            <Symbol name="hall-built" width={30} />
          </button>
          <h1 class="serif">{t(`game.${model.game}`)}</h1>
          <span class="small muted heading">{t("guide.heading")}</span>
        </div>
        <TurnStatus model={model} />
        <div class="bar-end">
          <button class="tool" onClick={rules.toggle} aria-expanded={rules.asked !== null}>
            <Icon name="book" />
            <span class="tool-label">{t("table.rules")}</span>
          </button>
          {!narrow.value && <PreferenceButtons />}
          {reader && <reader.Reader model={model} scene={scene} />}
          <button class="tool" onClick={() => navigate("/learn")} title={t("guide.leave")}>
            <Icon name="leave" />
            <span class="tool-label">{t("guide.leave")}</span>
          </button>
        </div>
      </header>
      <ConnectionBanner store={store} />
      {end ? <LessonEnd store={store} navigate={navigate} model={model} how={end} /> : <Guide model={model} scene={scene} kinds={kinds} onMissing={lookElsewhere} />}
      <Seats model={model} scene={scene} />
      <main class="middle">
        {isOver ? <Final model={model} scene={scene} /> : <Board model={model} highlighted={highlighted} />}
      </main>
      <OpenRule.Provider value={rules.openRule}>
        <section class={`bottom ${isMine ? "act" : ""}`} data-about={about} data-decision={model.decisionNumber} aria-label={t("table.decision")}>
          {!isOver && (
            <SceneContext.Provider value={scene}>
              <Decision model={model} />
            </SceneContext.Provider>
          )}
        </section>
      </OpenRule.Provider>
      <aside class={`right ${Aside ? "with-boards" : ""}`} onKeyDown={onEscape(() => setPlace("move"), isPanelOpen)}>
        {Aside && (tab === "boards" || !(narrow.value || isSide)) && <Aside model={model} />}
        <div class="tabs">
          <div class="tab-list" role="tablist">
            {tabs.map((name) => (
              <button key={name} role="tab" class={name === "move" && isMine ? "calls" : ""} aria-selected={tab === name} onClick={() => setPlace(name)}>
                {t(`tab.${name}`)}
              </button>
            ))}
          </div>
        </div>
        {tab === "log" && !isFolded && <Log model={model} scene={scene} onHighlight={setHighlighted} />}
      </aside>
      {rules.asked && <RulesDrawer model={model} scene={scene} asked={rules.asked} onClose={rules.close} />}
      <LiveRegion model={model} scene={scene} />
      <TouchTooltip />
    </div>
  );
}

/** The end of the game that the lesson plays. @param {{model: LessonModel, scene: Scene}} props */
function Final({ model, scene }) {
  return <ResultFrame view={model.gameView.value} scene={scene} />;
}

// The frame of a replay: seats, board, log, and below them the controls and the timeline.

import { useEffect, useMemo, useState } from "preact/hooks";
import { signal, useComputed } from "@preact/signals";
import { t } from "../../catalogue/index.js";
import { Icon, Symbol } from "../../parts/art.js";
import { ConnectionBanner } from "../../parts/banner.js";
import { formatDate } from "../../parts/figures.js";
import { GameTabs } from "../../parts/game-tabs.js";
import { layout } from "../../parts/layout.js";
import { Log } from "../../parts/log.js";
import { nameOf } from "../../parts/names.js";
import { pointsText } from "../../parts/points-text.js";
import { linesOf, pastModel, placesOf } from "../../parts/replay.js";
import { Seats } from "../../parts/seats.js";
import { TitledPopover } from "../../parts/titled-popover.js";
import { TouchTooltip } from "../../parts/touch-tooltip.js";
import { actionOf } from "../../replay-keys.js";
import { RecordCheck } from "./record-check.js";
import { Controls, PhoneControls, Where } from "./controls.js";
import { HelpDialog } from "./help.js";
import { Download, hasDownload, hasTabs, MoreMenu } from "./more.js";
import { OpenHand, OpenHands } from "./open-hand.js";
import { PlayOn } from "./play-on.js";
import { Share } from "./share.js";
import { Timeline } from "./timeline.js";

/** @typedef {import("../../replay-model.js").ReplayModel} ReplayModel */
/** @typedef {import("../table.js").Scene} Scene */

/** Whether boards and log have room below each other. */
const tallQuery = globalThis.matchMedia?.("(min-height: 860px)");
const isTall = signal(tallQuery?.matches ?? false);
tallQuery?.addEventListener("change", () => (isTall.value = tallQuery.matches));

/** Return the table at the shown step, and the places that the lines of the step name. @param {ReplayModel} model @param {Scene} scene */
export function useMoment(model, scene) {
  useMemo(() => {
    model.narrate.value = (step) => linesOf(step, scene);
  }, [model, scene]);
  const past = useComputed(() => pastModel(model.end, model.view.value));
  const line = model.player.shownLine;
  const lines = model.lines.value;
  const shownLines = line === null ? lines : lines.slice(line, line + 1);
  return { past: past.value, shownLines, places: placesOf(shownLines) };
}

/** @param {{store: import("../../store.js").Store, navigate: (path: string) => void, model: ReplayModel, scene: Scene}} props */
export function ReplayFrame({ store, navigate, model, scene }) {
  const { past, shownLines, places } = useMoment(model, scene);
  const [hovered, setHovered] = useState(/** @type {any} */ (null));
  const [isHelpOpen, setHelpOpen] = useState(false);
  useKeys(model, past.view.value.seats.length, () => setHelpOpen(true));
  const view = past.view.value;
  const { game } = view.table;
  const isSheet = layout.value === "phone" || layout.value === "side";
  const open = model.shown.value?.open;
  const isBusy = !model.steps.isCurrent;
  return (
    <div class="app replay-app tab-move" data-game={game}>
      <header class="bar">
        <div class="bar-start">
          <button class="plain home" onClick={() => navigate("/")} aria-label={t("table.to_lobby")}>
            <Symbol name="hall-built" width={30} />
          </button>
          <h1 class="serif">{t(`game.${game}`)}</h1>
          <span class="small muted heading">{summaryText(model)}</span>
        </div>
        {/* Where the bar has no room for them, the menu has these pages. */}
        {hasTabs() && <GameTabs id={model.id} accessKey={model.key} hasPlayed={model.me.value !== null} active="replay" />}
        <div class="bar-end">
          <RecordCheck model={model} view={view} />
          <Share model={model} />
          <PlayOn model={model} store={store} navigate={navigate} />
          {hasDownload() && <Download model={model} />}
          <MoreMenu model={model} navigate={navigate} onHelp={() => setHelpOpen(true)} />
        </div>
      </header>
      <ConnectionBanner store={store} />
      <Seats model={past} scene={scene} note={(seat) => endText(model, seat)} extra={(seat) => !isSheet && scene.OpenHand && open?.[seat] && <OpenHand scene={scene} seat={seat} open={open[seat]} />} />
      <main class="middle" aria-busy={isBusy} aria-label={t("replay.board")}>
        <scene.Board model={past} highlighted={hovered ?? places} />
        <Notes model={model} />
      </main>
      {!isSheet && <SidePanels past={past} model={model} scene={scene} onHighlight={setHovered} />}
      <section class="bottom replay-bottom" aria-label={t("replay.controls")}>
        {isSheet ? (
          <PhoneControls model={model}>
            <TitledPopover label={t("replay.log")} icon="panel" buttonClass="step-button" hasLabel={false} align="start" class="replay-sheet">
              <Sheet past={past} model={model} scene={scene} open={open} />
            </TitledPopover>
          </PhoneControls>
        ) : (
          <Controls model={model} onHelp={() => setHelpOpen(true)} />
        )}
        <Timeline model={model} scene={scene} view={view} />
        <StepText model={model} lines={shownLines} />
      </section>
      {isHelpOpen && <HelpDialog seats={view.seats.length} onClose={() => setHelpOpen(false)} />}
      <TouchTooltip />
    </div>
  );
}

/** The further boards of the game, and the log. @param {{past: any, model: ReplayModel, scene: Scene, onHighlight: (place: any) => void}} props */
function SidePanels({ past, model, scene, onHighlight }) {
  const { Aside } = scene;
  // A low or narrow window has room for one of them.
  const hasTabs = Aside !== undefined && !scene.keepsLog && !(layout.value === "wide" && isTall.value);
  // Where the log is a small part of the column, every line counts.
  const hasTitle = Aside === undefined || scene.keepsLog;
  const [tab, setTab] = useState("log");
  const hasBoards = Aside && (!hasTabs || tab === "boards");
  return (
    <aside class={`right ${hasBoards ? "with-boards" : ""} ${hasTabs ? "replay-tabbed" : ""}`}>
      {hasTabs && <Tabs names={["log", "boards"]} tab={tab} onTab={setTab} />}
      {hasBoards && <Aside model={past} />}
      {hasTitle && (
        <p class="log-title">
          <b>{t("replay.log")}</b> <span class="small muted">{t("replay.log_hint")}</span>
        </p>
      )}
      {(!hasTabs || tab === "log") && <ReplayLog model={model} scene={scene} onHighlight={onHighlight} />}
    </aside>
  );
}

/** @param {{past: any, model: ReplayModel, scene: Scene, open: any[] | undefined}} props */
function Sheet({ past, model, scene, open }) {
  const { Aside } = scene;
  const names = ["log", ...(Aside ? ["boards"] : []), ...(scene.OpenHand && open?.some(Boolean) ? ["hands"] : [])];
  const [chosen, setTab] = useState("log");
  const tab = names.includes(chosen) ? chosen : "log";
  return (
    <>
      {names.length > 1 && <Tabs names={names} tab={tab} onTab={setTab} />}
      <div class="sheet-content">
        {tab === "log" && <ReplayLog model={model} scene={scene} onHighlight={() => {}} />}
        {tab === "boards" && Aside && <Aside model={past} />}
        {tab === "hands" && <OpenHands scene={scene} view={past.view.value} open={open ?? []} />}
      </div>
    </>
  );
}

/** @param {{names: string[], tab: string, onTab: (name: string) => void}} props */
function Tabs({ names, tab, onTab }) {
  return (
    <div class="tabs">
      <div class="tab-list" role="tablist">
        {names.map((name) => (
          <button key={name} type="button" role="tab" aria-selected={tab === name} onClick={() => onTab(name)}>
            {t(`replay.tab.${name}`)}
          </button>
        ))}
      </div>
    </div>
  );
}

/** The log, once it is there. @param {{model: ReplayModel, scene: Scene, onHighlight: (place: any) => void}} props */
function ReplayLog({ model, scene, onHighlight }) {
  const refusal = model.logRefusal.value;
  if (refusal) {
    return (
      <p class="empty" role="alert">
        {refusal}
        <button class="quiet" onClick={() => model.loadLog()}>
          {t("log.again")}
        </button>
      </p>
    );
  }
  if (!model.end.view.value) return <p class="empty muted">{t("replay.log_loading")}</p>;
  return <Log model={model.end} scene={scene} onHighlight={onHighlight} />;
}

/** What stands over the board: an address beyond the end, a refusal. @param {{model: ReplayModel}} props */
export function Notes({ model }) {
  const refusal = model.steps.refusal.value;
  const beyond = model.beyond.value;
  if (refusal) {
    return (
      <p class="replay-note" role="alert">
        {refusal}
        <button class="quiet" onClick={() => model.steps.goTo(model.steps.target.value)}>
          {t("log.again")}
        </button>
      </p>
    );
  }
  if (beyond === null) return null;
  return (
    <p class="replay-note" role="status">
      {t("replay.beyond", { step: beyond, last: model.steps.last.value })}
      <button class="tool" aria-label={t("menu.close")} onClick={() => (model.beyond.value = null)}>
        <Icon name="close" />
      </button>
    </p>
  );
}

/** Return the lines of a step as one text. @param {{text: string}[]} lines */
export function textOf(lines) {
  return lines.map(({ text }) => text).join(" ") || t("replay.quiet");
}

/** The lines of the step where there is no room for the log, and for screen readers, which do not see it move along. @param {{model: ReplayModel, lines: any[]}} props */
function StepText({ model, lines }) {
  const text = textOf(lines);
  return (
    <>
      <div class="step-text" aria-hidden="true">
        <div>
          <Where model={model} />
          <p>{text}</p>
        </div>
      </div>
      {/* While the game plays by itself, it would be read without an end. */}
      <p class="hidden-visually" aria-live="polite">
        {model.player.isPlaying.value ? "" : text}
      </p>
    </>
  );
}

/** "ended 2nd, 28": the place and the points of a seat at the end; null if the game was abandoned. @param {ReplayModel} model @param {number} seat */
function endText(model, seat) {
  const outcome = model.final?.play?.outcome;
  return outcome ? t("replay.ended", { place: t(`place.${outcome.places[seat]}`), points: pointsText(outcome.scores[seat], outcome.per_point) }) : null;
}

/** "Replay · 14 November · Ana won 31 : 28 : 22" @param {ReplayModel} model */
function summaryText(model) {
  const record = model.record.value?.game;
  const view = model.final;
  const outcome = view?.play?.outcome;
  const when = record?.ended ? formatDate(record.ended, { day: "numeric", month: "long", year: "numeric" }) : null;
  let result = null;
  if (outcome) {
    const seats = outcome.scores.map((/** @type {number} */ _, /** @type {number} */ seat) => seat).toSorted((/** @type {number} */ one, /** @type {number} */ other) => outcome.scores[other] - outcome.scores[one]);
    const scores = seats.map((/** @type {number} */ seat) => pointsText(outcome.scores[seat], outcome.per_point)).join(" : ");
    const [first] = outcome.winners;
    const named = { ...view, mine: model.me.value };
    result = outcome.winners.length > 1 ? t("replay.result.shared", { scores }) : t(first === named.mine ? "replay.result.you" : "replay.result", { name: nameOf(named, first), scores });
  } else if (view) result = t("end.title.abandoned");
  return [t("replay.title"), when, result].filter(Boolean).join(" · ");
}

/** @param {ReplayModel} model @param {number} seats @param {() => void} onHelp */
export function useKeys(model, seats, onHelp) {
  useEffect(() => {
    const listen = (/** @type {KeyboardEvent} */ event) => {
      const action = actionOf(/** @type {any} */ (event), seats);
      if (!action || event.defaultPrevented) return;
      event.preventDefault();
      act(model, action, onHelp);
    };
    addEventListener("keydown", listen);
    return () => removeEventListener("keydown", listen);
  }, [model, seats]);
}

/** @param {ReplayModel} model @param {string} action @param {() => void} onHelp */
function act(model, action, onHelp) {
  const { player, steps } = model;
  if (action === "play") player.toggle();
  else if (action === "help") onHelp();
  else if (action === "all" || action === "spectators") model.setEyes(action);
  else if (action.startsWith("seat")) model.setEyes(Number(action.slice(4)));
  else {
    player.stop();
    if (action === "previous") player.previous();
    else if (action === "next") player.next();
    else if (action === "previous_round") player.skip(-1);
    else if (action === "next_round") player.skip(1);
    else player.goTo(action === "first" ? 0 : steps.last.value);
  }
}

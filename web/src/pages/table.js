// The page of a table: a waiting room before the game, then the board, and at the end the result.

import { lazy, Loading } from "../parts/lazy.js";
import { useMemo, useState } from "preact/hooks";
import { computed } from "@preact/signals";
import { t, withTexts } from "../catalogue/index.js";
import { Icon, Symbol } from "../parts/art.js";
import { COMMENTARY } from "../parts/commentary-part.js";
import { ConnectionBanner, connectionWord } from "../parts/banner.js";
import { PreferenceButtons } from "../parts/chrome.js";
import { SceneContext } from "../parts/hint.js";
import { TouchTooltip } from "../parts/touch-tooltip.js";
import { LiveRegion } from "../parts/live-region.js";
import { Log } from "../parts/log.js";
import { Notices } from "../parts/notices.js";
import { Missed } from "../parts/missed.js";
import { GameTabs } from "../parts/game-tabs.js";
import { layout } from "../parts/layout.js";
import { narrow } from "../parts/narrow.js";
import { NotFound } from "../parts/not-found.js";
import { Result } from "../parts/result.js";
import { RulesDrawer, useRules } from "../parts/rules.js";
import { Seats } from "../parts/seats.js";
import { Chat, UnreadBadge } from "../parts/chat.js";
import { TableMenu } from "../parts/menu.js";
import { Origin } from "../parts/origin.js";
import { isByTheDay } from "../parts/pace.js";
import { TurnStatus } from "../parts/turn-status.js";
import { NextGame } from "../parts/next-game.js";
import { onEscape } from "../parts/on-escape.js";
import { isMyMove } from "../parts/your-move.js";
import { OrderRulesContext, ORDERS } from "../orders/load.js";
import { OpenRule } from "../rules/rule-link.js";
import { Tips } from "../tips/tips.js";
import { asksForOverlay, Overlay } from "./overlay.js";
import { SCENES } from "./scenes.js";
import "../style/table.css";
import "../style/look-back.css";
import "../style/panels.css";
import "../style/tips.css";
import "../style/contrast.css";

/** @typedef {import("../main.js").PageProps} PageProps */
/** @typedef {import("../store.js").TableModel} TableModel */
/**
 * The part of a table page that depends on the game. A scene draws a view and a prompt; it contains no rules.
 * @typedef {object} Scene
 * @property {(props: {model: TableModel, highlighted: any}) => any} Board the city, in the middle
 * @property {(props: {model: TableModel}) => any} Decision the bar at the bottom: the choices of the open decision, and the hand
 * @property {(props: {model: TableModel}) => any} [Aside] further public boards: above the log, or behind a tab on a phone
 * @property {(props: {model: TableModel, seat: number}) => any} SeatStats the public counters of a seat
 * @property {(props: {open: {game: any, answer: any}}) => any} [OpenHand] in a replay, what only a seat knew, and what it sealed
 * @property {(props: {view: any}) => any} End where the points came from, inside the result
 * @property {(props: {view: any}) => any} [EndBoard] the final board, below the result
 * @property {(event: any, view: any, context?: import("../parts/narration.js").Context) => import("../parts/narration.js").Line | null} sentence
 *   the line of an event in the log, with the places that `Board` highlights, by kind; without a context the view is
 *   the one right after the event
 * @property {{position: (view: any) => (string | null)[], standing: (view: any) => string[]}} reading the table as texts to be read aloud
 * @property {(event: any) => boolean} opensSection whether a section of the log, such as a round, begins with an event
 * @property {(view: any, later: number) => any} sectionAt the section that so many others follow in the log up to a view
 * @property {(section: any) => string} sectionTitle the heading of a section
 * @property {(running: any, event: any) => any} [contextAfter] what sentences need to know of the events before theirs,
 *   folded event by event; undefined at the beginning of the loaded log
 * @property {(view: any) => string} rulesPart the key of the part of the rules that explains the current stage
 * @property {(view: any) => string} heading the round or year
 * @property {(command: any, view: any) => Record<string, any> | null} [selectionFor]
 *   the selection that a player would have made to send this command, so that a hint can be shown on the board
 * @property {boolean} [keepsLog] whether the boards beside the log leave it room on a low window
 * @property {string[]} rules the keys of the parts of the rules, in order
 */

/** Fetched on its own, since somebody who comes to a running game does not need it. */
const WAITING_ROOM = withTexts(() => import("./waiting.js"), "waiting", "commentary");
/** Fetched on its own, since players never look back. */
const LOOK_BACK = withTexts(() => import("../parts/look-back.js"), "replay");

/** Fetched on its own, since it stands behind a tab. */
const SPECTATORS = withTexts(() => import("../parts/spectator-panel.js"), "watching");

/** Fetched on its own, since its texts are needed only by those who look at the lock. */
const FAIRNESS = withTexts(() => import("../parts/fairness-card.js"), "fairness");

/** Fetched on its own, since nobody needs its keys before the table is shown. */
const READER = withTexts(() => import("../parts/reader.js"), "reader");

/** Fetched on its own, since most people play at live tables. */
const OFFER = withTexts(() => import("../notifications/offer.js"), "notifications");

/** @param {PageProps} props */
export function Page(props) {
  const { store } = props;
  const model = store.table.value;
  if (!model) return null;
  if (model.error.value) return <NotFound store={store} title={t("unknown.table")} sentence={model.error.value.message} />;
  if (asksForOverlay(location.search)) return <Overlay store={store} model={model} />;
  const stage = model.stage.value;
  if (stage === "loading") {
    return (
      <main class="loading" aria-busy="true">
        <ConnectionBanner store={store} />
        <Symbol name="hall-ruin" width={72} />
        <p class="muted">{t("table.loading")}</p>
      </main>
    );
  }
  if (stage === "waiting") {
    const waiting = lazy(WAITING_ROOM);
    return waiting ? <waiting.WaitingRoom {...props} model={model} /> : <Loading />;
  }
  // A table that was closed before its game began has nothing else to show.
  if (stage === "closed") return <NotFound store={store} title={t("table.closed")} sentence={t("table.closed_why")} />;
  return (
    <>
      <RunningTable {...props} model={model} />
      <Tips store={store} model={model} />
    </>
  );
}

/** @param {PageProps & {model: TableModel}} props */
function RunningTable({ store, navigate, model }) {
  // The frame of the page reads values only, so an update renders the parts that show it and not the whole page.
  const { game, isOver, hasGame, isMine, about, isSpectator, hasCommentary, isLate } = useFrame(model);
  const scene = lazy(SCENES[game])?.scene;
  const reader = lazy(READER);
  const fairness = lazy(FAIRNESS);
  const commentary = hasCommentary ? lazy(COMMENTARY) : null;
  const [chosenTab, setTab] = useState("move");
  const rules = useRules();
  /** Whether the tabs of the right column are folded; null until the player folds or unfolds them. */
  const [chosenFold, setFold] = useState(/** @type {boolean | null} */ (null));
  /** Whether the right column is open over the page, in the layout that has no room for it. */
  const [isPanelOpen, setPanelOpen] = useState(false);
  /** The table at the step that a spectator looks back at; null while the live table is shown. */
  const [past, setPast] = useState(/** @type {import("../parts/look-back.js").Past | null} */ (null));
  const [isLookingBack, setLookingBack] = useState(false);
  const [highlighted, setHighlighted] = useState(/** @type {any} */ (null));
  if (!scene) return <Loading />;
  const { Aside, Board, Decision } = scene;
  const isSide = layout.value === "side";
  // Where a window is low, the boards of a game need the height of the right column more than its log does.
  const canFold = layout.value === "wide" || layout.value === "short";
  const isFolded = canFold && (chosenFold ?? (layout.value === "short" && Aside !== undefined && !scene.keepsLog));
  // Where the seats are small, the hands that commentators see have a tab.
  const hasHands = model.isDelayed && commentary !== null && (narrow.value || isSide);
  // A phone has a tab for the player's move; a wide page always shows it.
  const tabs = [...(narrow.value ? ["move"] : []), ...(Aside && (narrow.value || isSide) ? ["boards"] : []), ...(hasHands ? ["hands"] : []), "log", "chat", "watching"];
  const tab = tabs.includes(chosenTab) ? chosenTab : "log";
  const isPanelShown = isSide ? isPanelOpen : !isFolded;
  const canLookBack = isSpectator && !isOver && !model.isDelayed;
  const shown = (!isOver && past?.model) || model;
  const hasTabs = isOver && hasGame && !narrow.value;
  const openPredictions = () => {
    setTab("watching");
    setFold(false);
    setPanelOpen(true);
  };
  const orderRules = (!isSpectator && store.games.value.find(({ name }) => name === game)?.orders) || null;
  const orders = orderRules && lazy(ORDERS);
  return (
    <div class={`app tab-${tab} ${isFolded ? "folded" : ""} ${rules.asked ? "rules-open" : ""} ${isSide && isPanelOpen ? "panel-open" : ""} ${model.isDelayed ? "with-hands" : ""}`} data-game={game}>
      <header class="bar">
        <div class="bar-start">
          <button class="plain home" onClick={() => navigate("/")} aria-label={t("table.to_lobby")}>
            <Symbol name="hall-built" width={30} />
          </button>
          <h1 class="serif">{t(`game.${game}`)}</h1>
          <Heading model={shown} scene={scene} />
          {!narrow.value && <TableOrigin model={model} />}
          {/* A phone has room for a sign; the card is in the menu, unless something is wrong. */}
          {commentary && !narrow.value && <commentary.CommentarySign model={model} me={store.me.value} />}
          {fairness && (!narrow.value || model.differs.value !== null) && <fairness.Lock model={model} />}
        </div>
        <TurnStatus model={model} isQuiet={hasTabs}>
          {commentary && narrow.value && <commentary.ShortSign model={model} />}
          {fairness && narrow.value && <fairness.LockSign model={model} />}
        </TurnStatus>
        {hasTabs && <GameTabs id={model.id} accessKey={isSpectator && !model.isDelayed ? model.key : null} hasPlayed={!isSpectator} active="result" />}
        <div class="bar-end">
          <span class={`small live live-${store.connection.value}`}>{t(connectionWord(store))}</span>
          <NextGame store={store} navigate={navigate} />
          <button class="tool" onClick={rules.toggle} aria-expanded={rules.asked !== null}>
            <Icon name="book" />
            <span class="tool-label">{t("table.rules")}</span>
          </button>
          {!narrow.value && <PreferenceButtons />}
          {isSide && (
            <button class="tool" onClick={() => setPanelOpen(!isPanelOpen)} aria-expanded={isPanelOpen} title={t("table.panels")}>
              <Icon name="panel" />
              <span class="tool-label">{t("table.panels")}</span>
              {!isPanelOpen && <UnreadBadge model={model} me={store.me.value} />}
            </button>
          )}
          {reader && <reader.Reader model={shown} scene={scene} />}
          <TableMenu store={store} model={model} navigate={navigate}>
            {commentary && narrow.value && <commentary.CommentaryInMenu model={model} me={store.me.value} />}
            {fairness && narrow.value && <fairness.FairnessInMenu model={model} />}
          </TableMenu>
        </div>
      </header>
      <ConnectionBanner store={store} />
      <div class="notices">
        <Notices model={model} />
        {orders && <orders.Orders model={model} rules={orderRules} />}
        {!isSpectator && !isOver && <SlowOffer store={store} model={model} />}
      </div>
      <Seats model={shown} scene={scene} extra={(seat) => model.isDelayed && commentary && !hasHands && <commentary.SeatHand model={model} scene={scene} seat={seat} />} />
      <main class="middle" aria-label={t("table.board")}>
        {isOver ? <Result store={store} model={model} scene={scene} navigate={navigate} /> : <Board model={shown} highlighted={highlighted ?? past?.places} />}
      </main>
      <OpenRule.Provider value={rules.openRule}>
        <section
          class={`bottom ${isMine ? "act" : ""}`}
          data-about={about}
          data-decision={model.decisionNumber}
          aria-label={t("table.decision")}
        >
          {!isOver && !canLookBack && (
            <SceneContext.Provider value={scene}>
              <OrderRulesContext.Provider value={orderRules}>
                {model.isDelayed && commentary ? <commentary.CommentatorBar model={model} /> : <Decision model={model} />}
              </OrderRulesContext.Provider>
            </SceneContext.Provider>
          )}
          {canLookBack && <LookBackBar model={model} scene={scene} isOpen={isLookingBack} onOpen={setLookingBack} onShow={setPast} onPredict={openPredictions} />}
        </section>
      </OpenRule.Provider>
      <aside class={`right ${Aside ? "with-boards" : ""}`} aria-label={t("table.side")} onKeyDown={onEscape(() => setPanelOpen(false), isPanelOpen)}>
        {Aside && (tab === "boards" || !(narrow.value || isSide)) && <Aside model={shown} />}
        <div class="tabs">
          <div class="tab-list" role="tablist">
            {tabs.map((name) => (
              <button
                key={name}
                role="tab"
                class={name === "move" && isMine ? "calls" : ""}
                aria-selected={tab === name}
                onClick={() => {
                  setTab(name);
                  setFold(false);
                }}
              >
                {t(name === "move" && isOver ? "tab.result" : name === "watching" && isLate ? "tab.stream" : `tab.${name}`, { count: model.presence.value?.spectators ?? 0 })}
                {name === "chat" && <UnreadBadge model={model} me={store.me.value} />}
              </button>
            ))}
          </div>
          {canFold && (
            <button class="fold" aria-expanded={!isFolded} aria-label={t("table.fold")} title={t("table.fold")} onClick={() => setFold(!isFolded)}>
              <Icon name={isFolded ? "previous" : "next"} />
            </button>
          )}
          {isSide && (
            <button class="fold" aria-label={t("table.close_panels")} onClick={() => setPanelOpen(false)}>
              <Icon name="close" />
            </button>
          )}
        </div>
        {isPanelShown && tab === "hands" && commentary && <commentary.AllHands model={model} scene={scene} />}
        {isPanelShown && tab === "log" && <Log model={model} scene={scene} onHighlight={setHighlighted} />}
        {isPanelShown && tab === "chat" && <Chat model={model} me={store.me.value} />}
        {isPanelShown && tab === "watching" && <Spectators store={store} model={model} />}
      </aside>
      {rules.asked && <RulesDrawer model={model} scene={scene} asked={rules.asked} onClose={rules.close} />}
      <Missed model={model} scene={scene} />
      <LiveRegion model={model} scene={scene} />
      <TouchTooltip />
    </div>
  );
}

/**
 * The bar of spectators: the live game, or what they look back at.
 * @param {object} props
 * @param {TableModel} props.model
 * @param {Scene} props.scene
 * @param {boolean} props.isOpen
 * @param {(isOpen: boolean) => void} props.onOpen
 * @param {(past: any) => void} props.onShow
 * @param {() => void} props.onPredict
 */
function LookBackBar({ model, scene, isOpen, onOpen, onShow, onPredict }) {
  const module = isOpen ? lazy(LOOK_BACK) : null;
  const close = () => {
    model.lookedBackAt.value = null;
    onOpen(false);
  };
  if (isOpen && module) return <module.LookBack model={model} scene={scene} onShow={onShow} onClose={close} />;
  return (
    <>
      <SceneContext.Provider value={scene}>
        <scene.Decision model={model} />
      </SceneContext.Provider>
      <div class="look-back-open">
        {model.predictions.value?.open && model.predictions.value.own === null && (
          <button type="button" onClick={onPredict}>
            {t("predict.open")}
          </button>
        )}
        <button type="button" onClick={() => onOpen(true)}>
          <Icon name="previous" />
          {t("look_back.open")}
        </button>
      </div>
    </>
  );
}

/** Those who watch, and their predictions. @param {{store: import("../store.js").Store, model: TableModel}} props */
function Spectators({ store, model }) {
  const module = lazy(SPECTATORS);
  return module ? <module.SpectatorPanel store={store} model={model} /> : <div class="watching-panel" aria-busy="true" />;
}

/** Return what the frame of a running table depends on. @param {TableModel} model */
function useFrame(model) {
  const parts = useMemo(
    () => ({
      game: computed(() => model.view.value.table.game),
      isOver: computed(() => model.view.value.table.phase === "over"),
      hasGame: computed(() => Boolean(model.view.value.play)),
      isMine: computed(() => isMyMove(model.view.value)),
      about: computed(() => model.view.value.play?.decision?.about),
      isSpectator: computed(() => model.view.value.mine === null),
      hasCommentary: computed(() => {
        const { commentary, settings } = model.view.value.table;
        return model.isDelayed || Boolean(commentary || settings.spectators_delayed);
      }),
      // Who sees the table late is not told who watches.
      isLate: computed(() => model.isDelayed || (model.view.value.mine === null && Boolean(model.view.value.table.settings.spectators_delayed))),
    }),
    [model],
  );
  return { game: parts.game.value, isOver: parts.isOver.value, hasGame: parts.hasGame.value, isMine: parts.isMine.value, about: parts.about.value, isSpectator: parts.isSpectator.value, hasCommentary: parts.hasCommentary.value, isLate: parts.isLate.value };
}

/** The offer to be told of the next move, at a table by the day. @param {{store: import("../store.js").Store, model: TableModel}} props */
function SlowOffer({ store, model }) {
  const { settings, phase } = model.gameView.value.table;
  const hasOthers = model.gameView.value.seats.filter((/** @type {any} */ seat) => seat.user).length > 1;
  if (phase !== "running" || !hasOthers || !isByTheDay(settings)) return null;
  const offer = lazy(OFFER);
  return offer && <offer.NotificationOffer store={store} model={model} />;
}

/** Where the game comes from. @param {{model: TableModel}} props */
function TableOrigin({ model }) {
  return <Origin view={model.gameView.value} />;
}

/** The round or year. @param {{model: TableModel, scene: Scene}} props */
function Heading({ model, scene }) {
  return <span class="small muted heading">{scene.heading(model.gameView.value)}</span>;
}

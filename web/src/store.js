// The state of the page as signals: a component that reads a signal renders again when it changes. All state comes from
// the server.

import { batch, computed, signal } from "@preact/signals";
import { withHeldAnswer } from "./fairness/held.js";
import { applyPatch } from "./patch.js";
import { Refusal } from "./refusal.js";
import { reconnectDelay } from "./socket.js";
import { TableList } from "./table-list.js";
import { TableLog } from "./table-log.js";

/** @typedef {import("./socket.js").Message} Message */
/** @typedef {import("./socket.js").Socket} Socket */

/** Attempts to subscribe to a busy table before the page says so; it goes on trying. */
const QUIET_ATTEMPTS = 3;

/** @typedef {{user: string, name: string, room: string, text: string, at: number | null}} Line a line of chat */

/** @typedef {{counts: number[], open: boolean, own: number | null}} ShownPredictions whom spectators expect to win, by seat, and the visitor */

/** Lines of people without a seat that the page keeps. */
const MAX_LINES = 100;

/** The requests that name the last head of the public chain, so that two people who were shown different games notice it. */
const WITH_HEAD = new Set(["decide", "seal", "unseal", "undo", "vote", "resign"]);

/** The code for verifiable tables, fetched where a table is one. */
const fairParts = () => import("./fairness/part.js");

/** The parts of a view that boards and seats show. */
const GAME_PARTS = ["mine", "table", "seats", "play"];

/** Return two lists of lines as one, by their time; each is in order already. @param {Line[]} logged @param {Line[]} others */
export function mergedLines(logged, others) {
  if (!others.length) return logged;
  return [...logged, ...others].sort((one, other) => (one.at ?? 0) - (other.at ?? 0));
}

/**
 * Return the value of a signal, the same object until one of these parts of it changes.
 * @param {import("@preact/signals").Signal<any>} source @param {string[]} parts
 */
function sameUnless(source, parts) {
  /** @type {any} */
  let kept = null;
  return computed(() => {
    const now = source.value;
    if (!kept || !now || parts.some((part) => kept[part] !== now[part])) kept = now;
    return kept;
  });
}

/** A table that the page is subscribed to: its view, kept up to date by patches, and its log. */
export class TableModel {
  /**
   * @param {string} id @param {string | null} key @param {Socket} socket
   * @param {{hasLog?: boolean, isDelayed?: boolean, isNamed?: () => boolean}} [options] `isNamed`: whether the visitor wants to be seen while watching
   */
  constructor(id, key, socket, { hasLog = true, isDelayed = false, isNamed = () => false } = {}) {
    this.id = id;
    this.key = key;
    this.socket = socket;
    /** Whether the log is kept; a table in small does not show it. */
    this.hasLog = hasLog;
    /** Whether this is the delayed view of commentators; `key` is theirs then. */
    this.isDelayed = isDelayed;
    this.isNamed = isNamed;
    /** The refusal of the subscription, as a sentence. */
    this.error = signal(/** @type {import("./refusal.js").Refusal | null} */ (null));
    /** The view of this viewer; null until it has arrived. */
    this.view = signal(/** @type {any} */ (null));
    const gameView = sameUnless(this.view, GAME_PARTS);
    /** The same without regard to chat, votes and clocks: it stays the same object as long as nothing else changes. */
    this.gameView = computed(() => withHeldAnswer(gameView.value, id));
    /** What the page of the table shows. */
    this.stage = computed(() => {
      const view = this.view.value;
      return !view ? "loading" : view.table.phase === "open" ? "waiting" : view.play ? "running" : "closed";
    });
    /** The number of the open decision; 0 if there is none. */
    this.decisionNumber = computed(() => this.view.value?.play?.decision?.number ?? 0);
    // The log of commentators begins when they come: its older pages are those of another viewer.
    this.tableLog = new TableLog((before) => (isDelayed ? Promise.resolve({ entries: [], more: false }) : this.request("read_log", { before, ...(key ? { key } : {}) })));
    /** The loaded events, oldest first. */
    this.log = computed(() => this.tableLog.entries.value.flatMap(({ events }) => events.map((event) => ({ event }))));
    /** The events of the last update, for what is shown once: a reveal, a sound. */
    this.latest = signal(/** @type {any[]} */ ([]));
    /** The last update before the page was disconnected, if updates came meanwhile; null when there are none to show. */
    this.missedAfter = signal(/** @type {number | null} */ (null));
    /** The steps of the game while they are stepped through. */
    this.replay = signal(/** @type {import("./replay-steps.js").Replay | null} */ (null));
    /** `away`: since when each seat has been away, in milliseconds since 1970 by this device's clock. */
    this.presence = signal(/** @type {{seats: string[], spectators: number, away: (number | null)[]} | null} */ (null));
    /** Whom spectators expect to win; null for players of a running game. */
    this.predictions = signal(/** @type {ShownPredictions | null} */ (null));
    /** The step that a spectator looked back at when the game ended; null if they watched it live. */
    this.lookedBackAt = signal(/** @type {number | null} */ (null));
    /** The last chat lines of people without a seat, which are not part of the view. */
    this.others = signal(/** @type {Line[]} */ ([]));
    /** The chat: the lines in the view and those of people without a seat, by their time. */
    this.lines = computed(() => mergedLines(this.view.value?.talk ?? [], this.others.value));
    /** When the clocks in the view were right, by this device's clock. */
    this.clocksReceivedAt = signal(0);
    /** How long the clocks of the open decision had run when the last message came; in a pause they stand there. */
    this.clocksElapsed = signal(0);
    /** The number of lines of the public chain and its head; null at a table that is not verifiable. */
    this.head = signal(/** @type {{line: number, head: string} | null} */ (null));
    /** The seat whose page was shown another course of the game, -1 for the own; null as long as nobody's was. */
    this.differs = signal(/** @type {number | null} */ (null));
    /** The seats whose devices did not answer in time when the game was to begin. */
    this.voided = signal(/** @type {number[]} */ ([]));
    /** What the page does to make the game verifiable; null until a table needs it. @type {Promise<import("./fairness/part.js").FairPart | null> | null} */
    this.fairPart = null;
    this.number = 0;
    /** The server's proof of the last update, which it checks when the page resumes. @type {string | null} */
    this.proof = null;
    this.hasView = false;
    /** Counts subscriptions, so that a later one, or the end, replaces the attempts of an earlier one. */
    this.subscriptions = 0;
    /** Whether a view is expected that resumes from the last update. */
    this.isResuming = false;
  }

  /**
   * Subscribe to the table, resuming from the last update that arrived. At a busy table this is tried again.
   * @param {number} [attempts] that were refused before
   */
  async subscribe(attempts = 0) {
    this.isResuming = this.hasView;
    this.subscriptions += 1;
    const subscription = this.subscriptions;
    try {
      await this.socket.request({
        type: "watch",
        table: this.id,
        ...(this.key ? { key: this.key } : {}),
        ...(this.isDelayed ? { delayed: true } : {}),
        ...(this.hasView ? { have: this.number, stamp: this.proof } : {}),
        ...(this.isNamed() ? { named: true } : {}),
      });
      this.error.value = null;
    } catch (reason) {
      const refusal = /** @type {import("./refusal.js").Refusal} */ (reason);
      const { code } = refusal;
      if (code !== "busy" || attempts >= QUIET_ATTEMPTS) this.error.value = refusal;
      if (code === "busy") setTimeout(() => subscription === this.subscriptions && this.subscribe(attempts + 1), reconnectDelay(attempts, Math.random()));
    }
  }

  /** Say something in the chat. @param {string} text */
  say(text) {
    return this.request("say", { text, ...(this.isDelayed ? { room: "commentary" } : {}) });
  }

  /** End the subscription. */
  unsubscribe() {
    this.subscriptions += 1;
    this.request("unwatch").catch(() => {});
  }

  /** @param {Message} message */
  receive(message) {
    if (message.type === "view") this.applyView(message);
    else if (message.type === "update") this.applyUpdate(message);
    else if (message.type === "presence") this.applyPresence(message);
    else if (message.type === "predictions") this.predictions.value = { own: null, ...this.predictions.value, counts: message.counts, open: message.open };
    else if (message.type === "chat") this.others.value = [...this.others.value, ...message.lines].slice(-MAX_LINES);
  }

  /**
   * Take part in what makes the game verifiable, after a view or an update. The code for it is fetched meanwhile, so
   * what it gets is kept in order.
   * @param {Message} message @param {any[]} events
   */
  keepFair({ line, head }, events) {
    const view = this.view.value;
    if (head) this.head.value = { line, head };
    const differing = events.find(({ event }) => event === "history_differs")?.seat ?? view.table?.fairness?.differs?.[0];
    if (differing !== undefined) this.noteDifference(differing);
    const voided = events.find(({ event }) => event === "seeds_voided");
    if (voided) this.voided.value = voided.late;
    else if (view.table?.fairness?.stage !== "waiting") this.voided.value = [];
    // A table in small, where nobody plays, has nothing to keep.
    if (!view.table?.fairness || (!this.hasLog && view.mine === null)) return;
    this.fairPart ??= fairParts().then(
      ({ FairPart }) => new FairPart(this.id, (type, fields) => this.request(type, fields)),
      // Without it the server does its part alone.
      () => null,
    );
    const isRolledBack = events.some(({ event }) => event === "went_back");
    this.fairPart.then((part) => {
      if (!part) return;
      if (isRolledBack) part.kept.forget(view.play?.decision?.number);
      if (head) part.kept.keepHead(line, head, view.mine !== null);
      const differs = part.kept.now.differs;
      if (differs !== null) this.differs.value ??= differs;
      part.follow(view);
    });
  }

  /** Note that somebody was shown another course of the game. @param {number} seat -1 for this page */
  noteDifference(seat) {
    this.differs.value = seat;
    this.fairPart?.then((part) => part?.kept.change({ differs: seat }));
  }

  /** @param {Message} message */
  applyPresence({ seats, spectators, away = [] }) {
    const since = away.map((/** @type {number | null} */ milliseconds) => (milliseconds === null ? null : Date.now() - milliseconds));
    this.presence.value = { seats, spectators, away: since };
  }

  /** Note the visitor's own prediction; the numbers follow. @param {number} winner */
  notePrediction(winner) {
    const known = this.predictions.value;
    if (known) this.predictions.value = { ...known, own: winner };
  }

  /** @param {Message} message */
  applyView(message) {
    batch(() => {
      // A repeated request gets the same view again.
      const isNew = message.number !== this.number || message.stamp !== this.proof;
      if (this.hasLog && (!this.hasView || isNew)) this.joinLog(message);
      this.number = message.number;
      this.proof = message.stamp;
      this.hasView = true;
      this.isResuming = false;
      this.view.value = message.view;
      this.others.value = message.chat ?? [];
      this.predictions.value = message.predictions ?? null;
      this.setClocks(message.elapsed);
      this.keepFair(message, message.missed ?? []);
    });
  }

  /**
   * Load what the log lacks up to a view. Without `missed` the page was away for long, or the numbers may be those of
   * another viewer, and after a rollback they count other updates, so then the log is loaded anew.
   * @param {Message} message
   */
  joinLog({ number, missed, view }) {
    const isRolledBack = missed?.some((/** @type {any} */ { event }) => event === "went_back");
    const isSameViewer = this.isResuming && view.mine === this.view.value.mine;
    if (missed ? missed.length && !isRolledBack && this.hasView : isSameViewer && number > this.number) this.missedAfter.value = this.number;
    if (!this.hasView || !missed || isRolledBack || number < this.number) this.tableLog.reset(number);
    else this.tableLog.extend(number);
  }

  /** @param {Message} message */
  applyUpdate(message) {
    if (!this.hasView || message.number <= this.number) return;
    if (message.number !== this.number + 1) {
      this.subscribe();
      return;
    }
    batch(() => {
      const before = this.view.value;
      this.number = message.number;
      this.proof = message.stamp;
      this.view.value = applyPatch(before, message.patch);
      if (this.hasLog) this.tableLog.append({ number: message.number, at: Date.now(), events: message.events });
      this.latest.value = message.events;
      const [old, now] = [before, this.view.value].map((view) => view.play?.decision?.number);
      // From the beginning of a game predictions are open, and there are none.
      const { table, mine } = this.view.value;
      if (before.table?.phase === "open" && table.phase === "running" && mine === null && !table.settings.spectators_delayed) {
        this.predictions.value = { counts: this.view.value.seats.map(() => 0), open: true, own: null };
      }
      if (message.elapsed !== undefined) this.setClocks(message.elapsed);
      else if (old !== now) this.setClocks(0);
      this.keepFair(message, message.events);
    });
  }

  /** @param {number} elapsed milliseconds that the clocks of the open decision have run */
  setClocks(elapsed) {
    this.clocksElapsed.value = elapsed;
    this.clocksReceivedAt.value = Date.now() - elapsed;
  }

  /**
   * Send a request about this table.
   * @param {string} type @param {object} [fields]
   * @returns {Promise<any>}
   */
  request(type, fields = {}) {
    const seen = WITH_HEAD.has(type) ? this.head.value : null;
    const reply = this.socket.request({ type, table: this.id, ...fields, ...(seen ? { seen: `${seen.line}.${seen.head}` } : {}) });
    if (!seen) return reply;
    return reply.catch((/** @type {import("./refusal.js").Refusal} */ refusal) => {
      // After a rollback everybody has been told that the last lines are gone.
      if (refusal.code === "other_history" && !this.view.value.table.went_back) this.noteDifference(-1);
      throw refusal;
    });
  }

  /**
   * Answer the open decision.
   * @param {object} command as the prompt describes it
   */
  decide(command) {
    const { number, sealed } = this.view.value.play.decision;
    const alone = () => this.request("decide", { decision: number, command });
    if (!sealed || !this.fairPart) return alone();
    return this.fairPart.then((part) => (part ? part.decide(command, () => this.view.value) : alone()));
  }

  /**
   * Return the game as it would be after a command that can be undone. The game does not change.
   * @param {object} command as the prompt describes it
   * @returns {Promise<any>} what `view.play` would be
   */
  async preview(command) {
    const { play } = await this.request("look_ahead", { decision: this.view.value.play.decision.number, command });
    return play;
  }

  undo() {
    return this.request("undo", { decision: this.view.value.play.decision.number });
  }
}

/** The state outside of the subscribed table. */
export class Store {
  constructor() {
    this.connection = signal(/** @type {"connecting" | "open" | "silent" | "lost" | "stopped" | "reload"} */ ("connecting"));
    /** Whether a reply is overdue although the connection is open. */
    this.isSlow = signal(false);
    this.me = signal(/** @type {{id: string, name: string, handle?: string | null} | null} */ (null));
    /** The games of this server with their seats and options. */
    this.games = signal(/** @type {any[]} */ ([]));
    /** The open and running tables that the shown page has asked for. */
    this.lists = new TableList();
    this.yourTables = signal(/** @type {any[]} */ ([]));
    /** The people whom the visitor follows; null until they have been asked for. */
    this.people = signal(/** @type {any[] | null} */ (null));
    /** Invitations of the visitor to tables, the latest first. */
    this.invitations = signal(/** @type {any[]} */ ([]));
    /** The code for friends' games and invitations, once it has been fetched for somebody with an account. */
    this.circle = signal(/** @type {typeof import("./pages/circle.js") | null} */ (null));
    /** The code for the big table of the home page, once the visitor has seen where it stands. */
    this.bigTable = signal(/** @type {typeof import("./pages/big-table.js") | null} */ (null));
    this.wantsBigTable = signal(false);
    this.table = signal(/** @type {TableModel | null} */ (null));
    /** Further tables that a page shows in small. @type {Set<TableModel>} */
    this.watched = new Set();
  }

  /**
   * Subscribe to a further table, and return the function that ends it.
   * @param {TableModel} model
   */
  watch(model) {
    this.watched.add(model);
    if (this.connection.value === "open") model.subscribe();
    return () => {
      this.watched.delete(model);
      // The page of this table, or another part of this page, may have subscribed meanwhile, on the same connection.
      if (![this.table.peek(), ...this.watched].some((other) => other?.id === model.id)) model.unsubscribe();
    };
  }

  /**
   * Change the visitor's name. Who the visitor is may become known only while the request is on its way.
   * @param {Socket} socket @param {string} name
   */
  async rename(socket, name) {
    const answer = await socket.request({ type: "set_name", name });
    const me = this.me.value;
    if (me) this.me.value = { ...me, name: answer.name ?? name };
  }

  /** Subscribe to all tables again, on a new connection. */
  subscribe() {
    this.table.value?.subscribe();
    for (const model of this.watched) model.subscribe();
  }

  /** @param {Message} message */
  receive(message) {
    switch (message.type) {
      case "welcome":
        batch(() => {
          this.me.value = message.user;
          this.games.value = message.games;
        });
        break;
      case "tables":
      case "tables_changed":
        this.lists.receive(message);
        break;
      case "your_tables":
        this.yourTables.value = message.tables;
        break;
      case "people_changed":
        this.people.value = message.people;
        break;
      case "invitations":
        this.invitations.value = message.invitations;
        break;
      case "refused":
        // The server has ended a subscription: players can end that of commentators at any time.
        if (message.id === null && this.table.value?.isDelayed) this.table.value.error.value = new Refusal(/** @type {any} */ (message));
        break;
      default:
        for (const model of [this.table.value, ...this.watched]) if (model && message.table === model.id) model.receive(message);
    }
  }
}

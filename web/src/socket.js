// The WebSocket connection. It reconnects with exponential backoff and resends requests without a reply. Each request
// has an id, so the server carries it out once however often it arrives.

import { decode, encode } from "@msgpack/msgpack";
import { Refusal } from "./refusal.js";

/** @typedef {{type: string, [field: string]: any}} Message */

/**
 * Return how to react to a close code: `again` reconnects at once, `later` reconnects with backoff, `reload` means that
 * the page is outdated, `stop` means not to reconnect.
 * @param {number} code
 * @returns {"again" | "later" | "reload" | "stop"}
 */
export function closeReaction(code) {
  if (code === 4426) return "reload";
  if (code === 4001 || code === 4003) return "stop";
  if (code === 1001 || code === 1012 || code === 4008) return "again";
  return "later";
}

/**
 * Return the milliseconds before reconnect attempt `attempts` (from 0): exponential backoff from 0.5 to 8 seconds, with
 * jitter so that clients do not reconnect at the same moment. It grows slowly, so that after a restart a page waits for
 * half as long again as the server was away, at most.
 * @param {number} attempts @param {number} chance random, from 0 to 1
 */
export function reconnectDelay(attempts, chance) {
  return Math.min(8000, 500 * 1.5 ** attempts) * (0.5 + chance / 2);
}

/** Return the milliseconds of silence after which a page at rest sends a ping. @param {number} chance random, from 0 to 1 */
export function pingAfterRest(chance) {
  return PING_AFTER_REST * (1 + 0.4 * chance);
}

const SUBPROTOCOL = "sanfrancisco.1.msgpack";
const SLOW_REPLY_AFTER = 2500;

/** Milliseconds between two checks of the heartbeat. */
const CHECK_INTERVAL = 250;
/** Milliseconds after which a ping is sent if the visitor did something and nothing has arrived since. */
const PING_AFTER_ACT = 1500;
/**
 * Milliseconds without a message after which a ping is sent although nobody does anything: at least these, and up to
 * two fifths more, so that pages do not ping at the same moment. The server sends `alive` after 20 s of rest: to many
 * connections at once, which is far cheaper than a ping of each page. So this is for the case that it does not come.
 */
const PING_AFTER_REST = 25000;
/** Milliseconds without an answer to a ping after which the connection counts as silent. An act, a ping and this take less than 3 s. */
const SILENT_AFTER = 1250;
/** Milliseconds without an answer to a ping after which the connection is abandoned; later, so that a slow network does not reconnect all the time. */
const ABANDON_AFTER = 10000;
/** Milliseconds between two checks that show that the device slept, so that what it did not receive proves nothing. */
const SLEPT = 5000;

export class Socket {
  /**
   * @param {object} options
   * @param {() => Promise<string>} options.url returns the URL to connect to, once a session exists
   * @param {(message: Message) => void} options.onMessage receives every message except replies
   * @param {(state: "connecting" | "open" | "silent" | "lost" | "stopped" | "reload") => void} options.onState
   *   `silent`: the connection is open, but nothing arrives any more
   * @param {(isSlow: boolean) => void} [options.onSlow] called when a reply is overdue, and when none is any more
   * @param {(url: string, subprotocol: string) => WebSocket} [options.open]
   * @param {() => boolean} [options.isUrgent] whether the visitor is looking at a clock that is about to run out
   */
  constructor({
    url,
    onMessage,
    onState,
    onSlow = () => {},
    open = (url, subprotocol) => new WebSocket(url, subprotocol),
    isUrgent = () => false,
  }) {
    this.url = url;
    this.onMessage = onMessage;
    this.onState = onState;
    this.onSlow = onSlow;
    this.open = open;
    this.isUrgent = isUrgent;
    /** @type {WebSocket | null} */
    this.socket = null;
    /** @type {Map<string, {message: Message, resolve: (result: any) => void, reject: (refusal: Refusal) => void}>} */
    this.unanswered = new Map();
    /** The ids of requests whose reply is overdue. @type {Set<string>} */
    this.overdue = new Set();
    this.idPrefix = Math.random().toString(36).slice(2, 10);
    this.requestCount = 0;
    this.attempts = 0;
    this.lastReceivedAt = 0;
    /** When the visitor first did something after the last message; null if nothing was done since. @type {number | null} */
    this.actedAt = null;
    this.restPing = pingAfterRest(Math.random());
    this.lastCheckedAt = Date.now();
    /** When the ping without an answer was sent, and its id; null if there is none. @type {{id: string, at: number} | null} */
    this.ping = null;
    /** Milliseconds that the last ping took. A slow network is given twice that time before it counts as silent. */
    this.roundTrip = 0;
    this.isSilent = false;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.timer = undefined;
    this.isStopped = false;
  }

  start() {
    this.connect();
    setInterval(() => this.checkHeartbeat(), CHECK_INTERVAL);
  }

  async connect() {
    clearTimeout(this.timer);
    this.onState("connecting");
    let url;
    try {
      url = await this.url();
    } catch {
      this.reconnect("later");
      return;
    }
    const socket = this.open(url, SUBPROTOCOL);
    socket.binaryType = "arraybuffer";
    this.socket = socket;
    this.lastReceivedAt = Date.now();
    socket.onmessage = (event) => {
      if (socket === this.socket) this.receive(/** @type {Message} */ (decode(new Uint8Array(event.data))));
    };
    socket.onclose = (event) => {
      if (socket !== this.socket) return;
      this.forget();
      this.reconnect(closeReaction(event.code));
    };
  }

  /** @param {"again" | "later" | "reload" | "stop"} reaction */
  reconnect(reaction) {
    if (reaction === "reload" || reaction === "stop") {
      this.isStopped = true;
      this.onState(reaction === "reload" ? "reload" : "stopped");
      return;
    }
    this.onState("lost");
    const wait = reaction === "again" && this.attempts === 0 ? Math.random() * 400 : reconnectDelay(this.attempts, Math.random());
    this.attempts += 1;
    this.timer = setTimeout(() => this.connect(), wait);
  }

  /** Reconnect or check the connection at once, because the network is back or the page is visible again. */
  reconnectNow() {
    if (this.isStopped) return;
    if (this.socket) {
      if (!this.ping) this.sendPing();
      return;
    }
    this.attempts = 0;
    this.connect();
  }

  /** Have the connection checked soon, because the visitor did something and would like to see an effect. */
  noteAct() {
    this.actedAt ??= Date.now();
  }

  /** Say at once that nothing arrives any more, because the browser has lost its network. */
  noteOffline() {
    if (this.socket?.readyState !== 1) return;
    if (!this.ping) this.sendPing();
    this.setSilent(true);
  }

  /** @param {boolean} isSilent */
  setSilent(isSilent) {
    if (this.isSilent === isSilent) return;
    this.isSilent = isSilent;
    this.onState(isSilent ? "silent" : "open");
  }

  /** Have no connection any more. */
  forget() {
    this.socket = null;
    this.isSilent = false;
    this.ping = null;
  }

  /** @param {Message} message */
  receive(message) {
    this.lastReceivedAt = Date.now();
    this.actedAt = null;
    this.setSilent(false);
    if (this.ping && message.id === this.ping.id) {
      // The rate limit of the server may have refused the ping: that is an answer too.
      this.roundTrip = Date.now() - this.ping.at;
      this.ping = null;
      return;
    }
    if (message.type === "welcome") {
      this.attempts = 0;
      // Requests made during the welcome are sent by themselves; only older ones are sent again here.
      const unanswered = [...this.unanswered.values()];
      this.onState("open");
      this.onMessage(message);
      for (const { message: older } of unanswered) this.transmit(older);
      return;
    }
    const request = message.type === "done" || message.type === "refused" ? this.unanswered.get(message.id) : undefined;
    if (!request) {
      this.onMessage(message);
      return;
    }
    this.unanswered.delete(message.id);
    if (this.overdue.delete(message.id) && !this.overdue.size) this.onSlow(false);
    if (message.type === "done") request.resolve(message.result);
    else request.reject(new Refusal(/** @type {any} */ (message)));
  }

  /**
   * Send a request. The promise survives reconnects until the server replies.
   * @param {Message} message without an id
   * @returns {Promise<any>}
   */
  request(message) {
    this.requestCount += 1;
    const sent = { ...message, id: `${this.idPrefix}-${this.requestCount}` };
    this.noteAct();
    return new Promise((resolve, reject) => {
      this.unanswered.set(sent.id, { message: sent, resolve, reject });
      this.transmit(sent);
      setTimeout(() => this.markOverdue(sent.id), SLOW_REPLY_AFTER);
    });
  }

  /** Mark a request as overdue if it has no reply yet. @param {string} id */
  markOverdue(id) {
    if (!this.unanswered.has(id)) return;
    this.overdue.add(id);
    this.onSlow(true);
  }

  /** @param {Message} message */
  transmit(message) {
    if (this.socket?.readyState === 1) this.socket.send(encode(message));
  }

  /** Send a ping if nothing arrives when something should, and draw the conclusions if it has no answer. */
  checkHeartbeat() {
    const now = Date.now();
    const hasSlept = now - this.lastCheckedAt > SLEPT;
    this.lastCheckedAt = now;
    if (this.socket?.readyState !== 1) return;
    if (!this.ping) {
      if (this.isUrgent()) this.noteAct();
      const isDue = this.actedAt !== null && now - this.actedAt >= PING_AFTER_ACT;
      if (isDue || hasSlept || now - this.lastReceivedAt >= this.restPing) this.sendPing();
      return;
    }
    if (hasSlept) this.ping.at = now;
    // Anything that arrives after the ping is as good as its answer.
    const silence = now - Math.max(this.ping.at, this.lastReceivedAt);
    if (silence >= ABANDON_AFTER) this.abandon();
    else if (silence >= Math.max(SILENT_AFTER, 2 * this.roundTrip)) this.setSilent(true);
  }

  sendPing() {
    // A ping is about this connection alone, so unlike requests it is not repeated on the next one.
    this.requestCount += 1;
    this.restPing = pingAfterRest(Math.random());
    this.ping = { id: `${this.idPrefix}-${this.requestCount}`, at: Date.now() };
    this.transmit({ type: "ping", id: this.ping.id });
  }

  /** Reconnect because the network is gone without a close frame. */
  abandon() {
    const dead = this.socket;
    this.forget();
    // `close` would wait for the peer, so nothing waits for it.
    dead?.close();
    this.reconnect("again");
  }
}

// The WebSocket connection. It reconnects with exponential backoff and resends requests without a reply. Each request
// has an id, so the server carries it out once however often it arrives.

import { decode, encode } from "@msgpack/msgpack";

/** @typedef {{type: string, [field: string]: any}} Message */

/** A refusal by the server: a code for programs and a sentence for people. */
export class Refusal extends Error {
  /** @param {string} code @param {string} sentence */
  constructor(code, sentence) {
    super(sentence);
    this.code = code;
  }
}

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
 * jitter so that clients do not reconnect at the same moment.
 * @param {number} attempts @param {number} chance random, from 0 to 1
 */
export function reconnectDelay(attempts, chance) {
  return Math.min(8000, 500 * 2 ** attempts) * (0.5 + chance / 2);
}

const SUBPROTOCOL = "sanfrancisco.1.msgpack";
const PING_INTERVAL = 4000;
const HEARTBEAT_TIMEOUT = 10000;
const SLOW_REPLY_AFTER = 2500;

export class Socket {
  /**
   * @param {object} options
   * @param {() => Promise<string>} options.url returns the URL to connect to, once a session exists
   * @param {(message: Message) => void} options.onMessage receives every message except replies
   * @param {(state: "connecting" | "open" | "lost" | "stopped" | "reload") => void} options.onState
   * @param {(isSlow: boolean) => void} [options.onSlow] called when a reply is overdue, and when none is any more
   * @param {(url: string, subprotocol: string) => WebSocket} [options.open]
   */
  constructor({ url, onMessage, onState, onSlow = () => {}, open = (url, subprotocol) => new WebSocket(url, subprotocol) }) {
    this.url = url;
    this.onMessage = onMessage;
    this.onState = onState;
    this.onSlow = onSlow;
    this.open = open;
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
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.timer = undefined;
    this.isStopped = false;
  }

  start() {
    this.connect();
    setInterval(() => this.checkHeartbeat(), PING_INTERVAL);
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
      this.socket = null;
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

  /** Reconnect at once, because the network is back or the page is visible again. */
  reconnectNow() {
    if (this.isStopped || this.socket) return;
    this.attempts = 0;
    this.connect();
  }

  /** @param {Message} message */
  receive(message) {
    this.lastReceivedAt = Date.now();
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
    else request.reject(new Refusal(message.code, message.sentence));
  }

  /**
   * Send a request. The promise survives reconnects until the server replies.
   * @param {Message} message without an id
   * @returns {Promise<any>}
   */
  request(message) {
    this.requestCount += 1;
    const sent = { ...message, id: `${this.idPrefix}-${this.requestCount}` };
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

  checkHeartbeat() {
    if (this.socket?.readyState !== 1) return;
    if (Date.now() - this.lastReceivedAt > HEARTBEAT_TIMEOUT) {
      // The network is gone without a close frame. `close` would wait for the peer, so this socket is abandoned.
      const dead = this.socket;
      this.socket = null;
      dead.close();
      this.reconnect("again");
      return;
    }
    if (Date.now() - this.lastReceivedAt >= PING_INTERVAL - 100) this.request({ type: "ping" }).catch(() => {});
  }
}

// The one connection to the server: connects, comes back by itself with growing reconnectDelay, and sends again whatever has
// not been answered. A request has an id made here; the server answers it once, however often it arrives.

import { decode, encode } from "@msgpack/msgpack";

/** @typedef {{type: string, [field: string]: any}} Message */

/** A no from the server: a code for programs and a sentence for people. */
export class Refusal extends Error {
  /** @param {string} code @param {string} sentence */
  constructor(code, sentence) {
    super(sentence);
    this.code = code;
  }
}

/**
 * What to do when the server has closed the connection.
 * `again`: come back at once; `later`: come back with reconnectDelay; `reload`: this page is too old; `stop`: do not come back.
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
 * Milliseconds to wait before try number `attempts` (from 0): from half a second to eight, spread so that not everybody
 * comes at the same moment.
 * @param {number} attempts @param {number} chance from 0 to 1
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
   * @param {() => Promise<string>} options.url gives the url to connect to, when there is a session for it
   * @param {(message: Message) => void} options.onMessage every message but answers
   * @param {(state: "connecting" | "open" | "lost" | "stopped" | "reload") => void} options.onState
   * @param {(isSlow: boolean) => void} [options.onSlow] told when the server keeps us request for an answer, and when no longer
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
    /** The ids of those that have waited for long. @type {Set<string>} */
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

  /** Try at once: the network is back, or the page is looked at again. */
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
      // What is asked because of the welcome goes out by itself.
      const unanswered = [...this.unanswered.values()];
      this.onState("open");
      this.onMessage(message);
      for (const { message: unsent } of unanswered) this.transmit(unsent);
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
   * Ask for something. The promise is kept over lost connections until the server has answered.
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

  /** Note that an answer is overdue. @param {string} id */
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
      // The network is gone without a word. Closing would wait for the other side, so this socket is simply left.
      const dead = this.socket;
      this.socket = null;
      dead.close();
      this.reconnect("again");
      return;
    }
    if (Date.now() - this.lastReceivedAt >= PING_INTERVAL - 100) this.request({ type: "ping" }).catch(() => {});
  }
}

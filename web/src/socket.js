// The one connection to the server: connects, comes back by itself with growing patience, and sends again whatever has
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
 * `again`: come back at once; `later`: come back with patience; `reload`: this page is too old; `stop`: do not come back.
 * @param {number} code
 * @returns {"again" | "later" | "reload" | "stop"}
 */
export function reactionTo(code) {
  if (code === 4426) return "reload";
  if (code === 4001 || code === 4003) return "stop";
  if (code === 1001 || code === 1012 || code === 4008) return "again";
  return "later";
}

/**
 * Milliseconds to wait before try number `tries` (from 0): from half a second to eight, spread so that not everybody
 * comes at the same moment.
 * @param {number} tries @param {number} chance from 0 to 1
 */
export function patience(tries, chance) {
  return Math.min(8000, 500 * 2 ** tries) * (0.5 + chance / 2);
}

const SUBPROTOCOL = "sanfrancisco.1.msgpack";
const PING_EVERY = 4000;
const DEAD_AFTER = 10000;
const SLOW_AFTER = 2500;

export class Socket {
  /**
   * @param {object} outside
   * @param {() => Promise<string>} outside.address gives the address to connect to, when there is a session for it
   * @param {(message: Message) => void} outside.onMessage every message but answers
   * @param {(state: "connecting" | "open" | "lost" | "stopped" | "reload") => void} outside.onState
   * @param {(isSlow: boolean) => void} [outside.onSlow] told when the server keeps us waiting for an answer, and when no longer
   * @param {(address: string, subprotocol: string) => WebSocket} [outside.open]
   */
  constructor({ address, onMessage, onState, onSlow = () => {}, open = (url, subprotocol) => new WebSocket(url, subprotocol) }) {
    this.address = address;
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
    this.prefix = Math.random().toString(36).slice(2, 10);
    this.count = 0;
    this.tries = 0;
    this.heardAt = 0;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.timer = undefined;
    this.isStopped = false;
  }

  start() {
    this.connect();
    setInterval(() => this.checkPulse(), PING_EVERY);
  }

  async connect() {
    clearTimeout(this.timer);
    this.onState("connecting");
    let address;
    try {
      address = await this.address();
    } catch {
      this.comeBack("later");
      return;
    }
    const socket = this.open(address, SUBPROTOCOL);
    socket.binaryType = "arraybuffer";
    this.socket = socket;
    this.heardAt = Date.now();
    socket.onmessage = (event) => {
      if (socket === this.socket) this.hear(/** @type {Message} */ (decode(new Uint8Array(event.data))));
    };
    socket.onclose = (event) => {
      if (socket !== this.socket) return;
      this.socket = null;
      this.comeBack(reactionTo(event.code));
    };
  }

  /** @param {"again" | "later" | "reload" | "stop"} reaction */
  comeBack(reaction) {
    if (reaction === "reload" || reaction === "stop") {
      this.isStopped = true;
      this.onState(reaction === "reload" ? "reload" : "stopped");
      return;
    }
    this.onState("lost");
    const wait = reaction === "again" && this.tries === 0 ? Math.random() * 400 : patience(this.tries, Math.random());
    this.tries += 1;
    this.timer = setTimeout(() => this.connect(), wait);
  }

  /** Try at once: the network is back, or the page is looked at again. */
  hurry() {
    if (this.isStopped || this.socket) return;
    this.tries = 0;
    this.connect();
  }

  /** @param {Message} message */
  hear(message) {
    this.heardAt = Date.now();
    if (message.type === "welcome") {
      this.tries = 0;
      // What is asked because of the welcome goes out by itself.
      const unanswered = [...this.unanswered.values()];
      this.onState("open");
      this.onMessage(message);
      for (const { message: waiting } of unanswered) this.transmit(waiting);
      return;
    }
    const waiting = message.type === "done" || message.type === "refused" ? this.unanswered.get(message.id) : undefined;
    if (!waiting) {
      this.onMessage(message);
      return;
    }
    this.unanswered.delete(message.id);
    if (this.overdue.delete(message.id) && !this.overdue.size) this.onSlow(false);
    if (message.type === "done") waiting.resolve(message.result);
    else waiting.reject(new Refusal(message.code, message.sentence));
  }

  /**
   * Ask for something. The promise is kept over lost connections until the server has answered.
   * @param {Message} message without an id
   * @returns {Promise<any>}
   */
  request(message) {
    this.count += 1;
    const whole = { ...message, id: `${this.prefix}-${this.count}` };
    return new Promise((resolve, reject) => {
      this.unanswered.set(whole.id, { message: whole, resolve, reject });
      this.transmit(whole);
      setTimeout(() => this.lookAfter(whole.id), SLOW_AFTER);
    });
  }

  /** Note that an answer is overdue. @param {string} id */
  lookAfter(id) {
    if (!this.unanswered.has(id)) return;
    this.overdue.add(id);
    this.onSlow(true);
  }

  /** @param {Message} message */
  transmit(message) {
    if (this.socket?.readyState === 1) this.socket.send(encode(message));
  }

  checkPulse() {
    if (this.socket?.readyState !== 1) return;
    if (Date.now() - this.heardAt > DEAD_AFTER) {
      // The network is gone without a word. Closing would wait for the other side, so this socket is simply left.
      const dead = this.socket;
      this.socket = null;
      dead.close();
      this.comeBack("again");
      return;
    }
    if (Date.now() - this.heardAt >= PING_EVERY - 100) this.request({ type: "ping" }).catch(() => {});
  }
}

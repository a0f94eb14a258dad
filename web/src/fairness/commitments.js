// The encodings of fairness: commitments, seeds and the public chain, as docs/fairness.md describes them.
//
// protocol/commitments.py has the same functions, and protocol/fairness-vectors.json holds both fast. Everything here is
// a pure function without dependencies, and runs in the page and in Node.

/** @typedef {{ identity: string, seed: Uint8Array }} Contribution what a seat adds to the seed of a game; both are empty
 * for a bot, and for a seat that took no part */

const TEXT = new TextEncoder();
const WORD = 2 ** 32;
const SALT_BYTES = 16;

/** Return whether this browser can hash: browsers do so only on pages from https addresses and from this machine. */
export const canHash = () => globalThis.crypto?.subtle !== undefined;

/**
 * Return the parts, each prefixed with its length, so that no two lists of parts have the same encoding.
 *
 * @param {...(string | Uint8Array)} parts
 * @returns {Uint8Array<ArrayBuffer>}
 */
export function encodeParts(...parts) {
  const encoded = parts.map((part) => (typeof part === "string" ? TEXT.encode(part) : part));
  const whole = new Uint8Array(encoded.reduce((size, part) => size + 4 + part.length, 0));
  const lengths = new DataView(whole.buffer);
  let place = 0;
  for (const part of encoded) {
    lengths.setUint32(place, part.length);
    whole.set(part, place + 4);
    place += 4 + part.length;
  }
  return whole;
}

/**
 * Return the SHA-256 of the parts under a label that names their purpose.
 *
 * @param {string} label
 * @param {...(string | Uint8Array)} parts
 */
export async function digest(label, ...parts) {
  return new Uint8Array(await crypto.subtle.digest("SHA-256", encodeParts(label, ...parts)));
}

/**
 * Return a JSON value as the text that is hashed: sorted keys, no spaces, no needless escapes.
 *
 * @param {any} value
 * @returns {string}
 */
export function canonicalJson(value) {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(",")}]`;
  if (value === null || typeof value !== "object") return JSON.stringify(value);
  const members = Object.keys(value)
    .sort()
    .map((key) => `${JSON.stringify(key)}:${canonicalJson(value[key])}`);
  return `{${members.join(",")}}`;
}

/**
 * Return bytes as lower-case hexadecimal.
 *
 * @param {Uint8Array} bytes
 */
export const hex = (bytes) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");

/**
 * Return the bytes that a text describes in lower-case hexadecimal; throw an Error for any other text.
 *
 * @param {string} text
 */
export function fromHex(text) {
  if (typeof text !== "string" || !/^(?:[0-9a-f]{2})*$/.test(text)) throw new Error("This is not hexadecimal.");
  return Uint8Array.from({ length: text.length / 2 }, (_, place) => parseInt(text.slice(2 * place, 2 * place + 2), 16));
}

/**
 * Return bytes as base64url without padding.
 *
 * @param {Uint8Array} bytes
 */
export function base64url(bytes) {
  return btoa(String.fromCharCode(...bytes))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "");
}

/**
 * Return the commitment of the server to its seed, in hexadecimal.
 *
 * @param {string} table
 * @param {number} game
 * @param {Uint8Array} seed
 */
export async function serverCommitment(table, game, seed) {
  return hex(await digest("pf1/server-seed", table, String(game), seed));
}

/**
 * Return the commitment of a seat to its seed, in hexadecimal.
 *
 * @param {string} table
 * @param {number} game
 * @param {number} seat
 * @param {string} identity
 * @param {Uint8Array} seed
 */
export async function seedCommitment(table, game, seat, identity, seed) {
  return hex(await digest("pf1/client-seed", table, String(game), String(seat), identity, seed));
}

/**
 * Return the seed from which all chance of a game follows: that of the server, keyed with those of the seats.
 *
 * @param {Uint8Array} serverSeed
 * @param {string} table
 * @param {number} game
 * @param {string} rules
 * @param {string[]} deck
 * @param {Contribution[]} seats
 */
export async function gameSeed(serverSeed, table, game, rules, deck, seats) {
  const contributions = seats.map(({ identity, seed }, seat) => encodeParts(String(seat), identity, seed));
  const context = await digest("pf1/context", table, String(game), rules, encodeParts(...deck), ...contributions);
  return mac(await keyOf(serverSeed), encodeParts("pf1/game-seed", context));
}

/**
 * Return the commitment to a sealed answer, which is canonical JSON, in base64url.
 *
 * @param {string} table
 * @param {number} game
 * @param {number} decision
 * @param {number} seat
 * @param {number} attempt
 * @param {string} answer
 * @param {Uint8Array} salt
 */
export async function answerCommitment(table, game, decision, seat, attempt, answer, salt) {
  const numbers = [game, decision, seat, attempt].map(String);
  return base64url(await digest("pf1/answer", table, ...numbers, answer, salt));
}

/**
 * Return the salt of a sealed answer that the server made, which follows from the seed of the game.
 *
 * @param {Uint8Array} seed
 * @param {number} decision
 * @param {number} seat
 * @param {number} attempt
 */
export async function serverSalt(seed, decision, seat, attempt) {
  const message = encodeParts("pf1/salt", String(decision), String(seat), String(attempt));
  return (await mac(await keyOf(seed), message)).slice(0, SALT_BYTES);
}

/**
 * Return the head of the public chain of a table before its first line.
 *
 * @param {string} table
 */
export const chainStart = (table) => digest("pf1/chain", table);

/**
 * Return the head of the public chain after a line.
 *
 * @param {Uint8Array} head
 * @param {string} line
 */
export const chainNext = (head, line) => digest("pf1/line", head, line);

/**
 * Return the items in the order that a label of the game's seed decides (Fisher-Yates shuffle).
 *
 * @template T
 * @param {Uint8Array} seed
 * @param {string} label
 * @param {T[]} items
 * @returns {Promise<T[]>}
 */
export async function shuffled(seed, label, items) {
  const order = [...items];
  const words = wordsOf(seed, label);
  for (let top = order.length - 1; top > 0; top--) {
    const other = await belowNext(words, top + 1);
    [order[top], order[other]] = [order[other], order[top]];
  }
  return order;
}

/**
 * Return the number from 0 up to, but not including, the bound that a label of the game's seed decides.
 *
 * @param {Uint8Array} seed
 * @param {string} label
 * @param {number} bound
 */
export const below = (seed, label, bound) => belowNext(wordsOf(seed, label), bound);

/**
 * Return the fingerprint of a head of the chain, for people to read to each other: four groups of four characters.
 *
 * @param {Uint8Array} head
 */
export const fingerprint = (head) =>
  hex(head)
    .slice(0, 16)
    .replace(/.{4}(?=.)/g, "$& ");

/**
 * @param {AsyncIterator<number>} words
 * @param {number} bound
 */
async function belowNext(words, bound) {
  if (!Number.isInteger(bound) || bound < 1 || bound > WORD) throw new Error(`No number is below ${bound}.`);
  // Rejection sampling: beyond the last whole multiple of the bound, a remainder would favour small numbers.
  const limit = WORD - (WORD % bound);
  for (;;) {
    const word = (await words.next()).value;
    if (word < limit) return word % bound;
  }
}

/**
 * Yield the 32-bit words of the stream of a label.
 *
 * @param {Uint8Array} seed
 * @param {string} label
 * @returns {AsyncGenerator<number, never>}
 */
async function* wordsOf(seed, label) {
  const key = await keyOf(seed);
  const counter = new Uint8Array(8);
  const counted = new DataView(counter.buffer);
  for (let block = 0; ; block++) {
    counted.setUint32(4, block);
    const words = new DataView((await mac(key, encodeParts("pf1/stream", label, counter))).buffer);
    for (let place = 0; place < words.byteLength; place += 4) yield words.getUint32(place);
  }
}

/** @param {Uint8Array} seed */
function keyOf(seed) {
  return crypto.subtle.importKey("raw", Uint8Array.from(seed), { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
}

/**
 * @param {CryptoKey} key
 * @param {Uint8Array<ArrayBuffer>} message
 */
async function mac(key, message) {
  return new Uint8Array(await crypto.subtle.sign("HMAC", key, message));
}

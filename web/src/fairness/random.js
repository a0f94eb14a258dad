// Random bytes of this device, for seeds and salts.

import { hex } from "./commitments.js";

export const SEED_BYTES = 32;

/** Return random bytes in hexadecimal. @param {number} count */
export function randomHex(count) {
  return hex(crypto.getRandomValues(new Uint8Array(count)));
}

// A hook for a page that shows the reply to one request, and asks again when the request changes.

import { useEffect, useState } from "preact/hooks";

/**
 * @typedef {object} Answer
 * @property {any} reply the reply to the latest request that was answered; it stays while another one is pending
 * @property {import("../refusal.js").Refusal | null} refusal
 * @property {boolean} isPending
 * @property {() => void} again asks once more
 */

/**
 * Return the reply to a request. While the request is null nothing is asked, and there is neither a reply nor a refusal.
 * The socket repeats a request on a new connection until it is answered.
 * @param {{request: (message: any) => Promise<any>}} socket @param {{type: string, [field: string]: any} | null} request
 * @returns {Answer}
 */
export function useAnswer(socket, request) {
  const [state, setState] = useState({ reply: /** @type {any} */ (null), refusal: /** @type {any} */ (null), key: "" });
  const [round, setRound] = useState(0);
  const key = `${JSON.stringify(request)} ${round}`;
  useEffect(() => {
    if (!request) return;
    // A reply to an earlier request that comes late must not replace the shown one.
    let isWanted = true;
    socket.request(request).then(
      (reply) => isWanted && setState({ reply, refusal: null, key }),
      (refusal) => isWanted && setState(({ reply }) => ({ reply, refusal, key })),
    );
    return () => {
      isWanted = false;
    };
  }, [key]);
  const again = () => setRound(round + 1);
  if (!request) return { reply: null, refusal: null, isPending: false, again };
  return { reply: state.reply, refusal: state.refusal, isPending: state.key !== key, again };
}

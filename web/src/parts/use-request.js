// A hook for requests from a button: whether one is pending, and the server's sentence if it was refused.

import { useState } from "preact/hooks";

/**
 * @returns {[(work: () => Promise<any>) => Promise<void>, {isBusy: boolean, refusal: string | null}]}
 */
export function useRequest() {
  const [isBusy, setBusy] = useState(false);
  const [refusal, setRefusal] = useState(/** @type {string | null} */ (null));
  /** @param {() => Promise<any>} work */
  const run = async (work) => {
    setBusy(true);
    setRefusal(null);
    try {
      await work();
    } catch (reason) {
      setRefusal(/** @type {Error} */ (reason).message);
    } finally {
      setBusy(false);
    }
  };
  return [run, { isBusy, refusal }];
}

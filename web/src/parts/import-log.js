// Looking at a game from its log file. The server reads the file and makes a private game of it.

import { useRef, useState } from "preact/hooks";
import { t } from "../catalogue/index.js";
import { importLog } from "../replay-source.js";
import { Icon } from "./art.js";

/** The largest file that the server accepts, in bytes (`MAX_FILE_BYTES` in server/gateway/http/games.py). */
const MAX_BYTES = 2 * 1024 * 1024;

/**
 * Return a function that asks for a file and shows its game, the field for it, which must be rendered, and how the
 * import goes.
 * @param {(path: string) => void} navigate
 */
export function useLogImport(navigate) {
  /** @type {import("preact").RefObject<HTMLInputElement>} */
  const field = useRef(null);
  const [isBusy, setBusy] = useState(false);
  const [refusal, setRefusal] = useState(/** @type {string | null} */ (null));
  const read = async (/** @type {Event & {currentTarget: HTMLInputElement}} */ event) => {
    const input = event.currentTarget;
    const file = input.files?.[0];
    if (!file) return;
    setRefusal(null);
    setBusy(true);
    try {
      if (file.size > MAX_BYTES) throw new Error(t("replay.import.large"));
      navigate(await importLog(await file.text()));
    } catch (reason) {
      setRefusal(/** @type {Error} */ (reason).message);
    } finally {
      setBusy(false);
      // The same file can be chosen again.
      input.value = "";
    }
  };
  return {
    choose: () => field.current?.click(),
    input: <input ref={field} type="file" accept=".json,.jsonl,.log,.txt,application/json" class="hidden-visually" tabIndex={-1} aria-hidden="true" onChange={read} />,
    isBusy,
    refusal,
    dismiss: () => setRefusal(null),
  };
}

/** A button that asks for a log file and opens its game. @param {{navigate: (path: string) => void}} props */
export function ImportLog({ navigate }) {
  const { choose, input, isBusy, refusal } = useLogImport(navigate);
  return (
    <div class="import-log">
      <button type="button" class="quiet" title={t("replay.import.note")} disabled={isBusy} aria-busy={isBusy} onClick={choose}>
        <Icon name="upload" />
        {t(isBusy ? "replay.import.busy" : "replay.import")}
      </button>
      {input}
      {refusal && (
        <p class="error" role="alert">
          {refusal}
        </p>
      )}
    </div>
  );
}

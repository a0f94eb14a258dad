// After a reconnect: the last three lines that the player missed.

import { t } from "../catalogue/index.js";
import { itemsOf } from "./narration.js";

/** @param {{model: import("../store.js").TableModel, scene: import("../pages/table.js").Scene}} props */
export function Missed({ model, scene }) {
  const after = model.missedAfter.value;
  if (after === null || model.tableLog.isLoading.value) return null;
  const lines = itemsOf(model, scene).flatMap(({ number, line }) => (line && number > after ? [line.text] : []));
  if (lines.length < 2) return null;
  // After a long absence only the newest page of the log is loaded, so the number of lines before it is not known.
  const isWhole = model.tableLog.lowest <= after + 1;
  return (
    <div class="missed card" role="status">
      <h2>{t("missed.title")}</h2>
      <ul>
        {lines.slice(-3).map((line, index) => (
          <li key={index}>{line}</li>
        ))}
      </ul>
      {lines.length > 3 && <p class="small muted">{isWhole ? t("missed.more", { count: lines.length - 3 }) : t("missed.many")}</p>}
      <button class="bay" onClick={() => (model.missedAfter.value = null)}>
        {t("missed.go_on")}
      </button>
    </div>
  );
}

// The folded guide where there is little room: a button that opens it again.

import { t } from "../../catalogue/index.js";
import { Symbol } from "../../parts/art.js";

/** @param {{model: import("../../lessons/lesson-model.js").LessonModel, onOpen: () => void}} props */
export function Pill({ model, onOpen }) {
  const at = t("guide.step", { step: model.step.value + 1, steps: model.length });
  return (
    <button type="button" class="guide-pill" onClick={onOpen} aria-label={t("guide.unfold", { at })}>
      <Symbol name="influence-6" width={32} />
      {at}
    </button>
  );
}

// The check of the record of a finished game, for everybody who looks at it.

import { t, withTexts } from "../../catalogue/index.js";
import { lazy } from "../../parts/lazy.js";
import { TitledPopover } from "../../parts/titled-popover.js";

/** Fetched when somebody asks for it. */
const VERIFIED = withTexts(() => import("../../parts/verified.js"), "fairness");

/** @param {{model: import("../../replay-model.js").ReplayModel, view: any}} props */
export function RecordCheck({ model, view }) {
  return (
    <TitledPopover label={t("replay.verify")} icon="verified" buttonClass="replay-tool" class="record-check">
      <Check model={model} view={view} />
    </TitledPopover>
  );
}

/** @param {{model: import("../../replay-model.js").ReplayModel, view: any}} props */
function Check({ model, view }) {
  const module = lazy(VERIFIED);
  return module ? <module.Verified id={model.id} accessKey={model.key} view={view} /> : <div class="verified-place" />;
}

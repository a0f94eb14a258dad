// A popover about the shown moment: sharing it, or playing on from it.

import { useEffect } from "preact/hooks";
import { TitledPopover } from "../../parts/titled-popover.js";
import "../../style/replay-share.css";

/**
 * @param {object} props
 * @param {import("../../replay-model.js").ReplayModel} props.model
 * @param {string} props.label
 * @param {any} props.icon
 * @param {string} [props.buttonClass]
 * @param {any} props.children
 */
export function MomentPopover({ model, label, icon, buttonClass = "", children }) {
  return (
    <TitledPopover label={label} icon={icon} buttonClass={`replay-tool ${buttonClass}`}>
      <Pause model={model} />
      {children}
    </TitledPopover>
  );
}

/** Stops the game that plays by itself, so that the moment stays the one that the popover is about. @param {{model: import("../../replay-model.js").ReplayModel}} props */
function Pause({ model }) {
  useEffect(() => model.player.stop(), []);
  return null;
}

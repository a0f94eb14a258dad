// The switch for tips. At a table, it begins them again there.

import { t } from "../catalogue/index.js";
import { Segmented } from "../parts/controls.js";
import { areTipsWanted, beginTipsAgain, endTips, hasTips } from "./memory.js";

/** @param {{open?: {game: string, table: string}}} props the table that the page shows */
export function TipsSwitch({ open }) {
  const isOn = open ? hasTips(open.game, open.table) : areTipsWanted();
  return (
    <Segmented
      label={t("chrome.tips")}
      value={isOn ? "on" : "off"}
      options={["on", "off"].map((value) => ({ value, label: t(`chrome.${value}`) }))}
      onChange={(value) => (value === "off" ? endTips() : isOn || beginTipsAgain(open))}
    />
  );
}

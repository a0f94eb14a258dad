// How people are called on this page.

import { t } from "../catalogue/index.js";
import { SEAT_COLOURS } from "./art.js";

/** @param {any} view @param {number} seat */
export function nameOf(view, seat) {
  if (seat === view.mine) return t("seat.you");
  const { name, bot } = view.seats[seat];
  return name ?? t("seat.bot_named", { strength: bot ?? "", colour: t(`colour.${SEAT_COLOURS[seat]}`) });
}

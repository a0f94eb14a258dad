// Investors read aloud: the position, and the standing.

import { t } from "../../catalogue/index.js";
import { formatList, formatNames, nameOf } from "../../parts/names.js";
import { districtCell } from "./cell-text.js";
import { DISTRICTS, coordinate, standing } from "./city.js";
import { actionName, actionParts, kindName, money, targetText, tenderParts } from "./labels.js";

const ALL = Array.from({ length: DISTRICTS }, (_, district) => district);

/** Return what the seats compete for. @param {any} view */
function tenderTexts(view) {
  const { action, stage, tender, bag } = view.play.game;
  if (action) {
    const { effect, mode } = actionParts(action);
    return [actionName(action), t(`action.what.${effect}`), mode && t(`action.by.${mode}`)];
  }
  if (stage.name === "laying") return [kindName(stage.tile), t("bag.count", { count: bag })];
  if (!tender) return [t("tender.none")];
  const { target, mode, rights } = tenderParts(tender);
  const isKind = target !== "edge" && target !== "options";
  const invests = stage.name === "investing" ? stage.rights.map((/** @type {any} */ right) => right.seat) : null;
  return [t(`tender.title.${isKind ? "kind" : target}`, { target: targetText(target) }), invests ? t("tender.order", { names: formatNames(view, invests) }) : t(`tender.how.${mode}`, { count: rights })];
}

/** Return the tender, the districts in ruins with sticks, and the viewer's own hand. @param {any} view */
export function position(view) {
  const { game } = view.play;
  const disputed = ALL.filter((district) => game.rebuilt[district] < 0 && game.layout[district] && game.layout[district] !== "park" && standing(game, game.sticks, district).seats.length);
  const own = view.mine === null ? null : game.seats[view.mine];
  return [
    ...tenderTexts(view),
    t("tender.deck", { count: game.tender_deck }),
    t("action.deck", { count: game.action_deck }),
    t("bank.count", { count: game.bank }),
    ...disputed.map((district) => districtCell(view, district)),
    own && t("reader.pair", { label: t("seat.you"), value: formatList([t("stats.influence", { count: own.influence }), t("stats.sticks", { count: own.sticks })]) }),
    own && t("reader.pair", { label: t("hand.cheques"), value: (game.hand ?? []).map(money).join("; ") || t("reader.none") }),
  ];
}

/** Return the seats with the most prestige first, and what each has rebuilt. @param {any} view */
export function standings(view) {
  const { game } = view.play;
  const order = [...game.seats.keys()].sort((one, other) => game.seats[other].prestige - game.seats[one].prestige);
  return order.map((seat) => {
    const { prestige, influence, cheques, sticks } = game.seats[seat];
    const rebuilt = ALL.filter((district) => game.rebuilt[district] === seat).map((district) => t("inv.place", { kind: kindName(game.layout[district]), at: coordinate(district) }));
    const parts = [
      t("stats.prestige", { count: prestige }),
      t("stats.influence", { count: influence }),
      t("stats.cheques", { count: cheques }),
      t("stats.sticks", { count: sticks }),
      ...(rebuilt.length ? [t("reader.investors.rebuilt", { districts: formatList(rebuilt) })] : []),
    ];
    return t("reader.pair", { label: nameOf(view, seat), value: parts.join(", ") });
  });
}

export const reading = { position, standing: standings };

// The coach of Investors: what its commands are called, where they are on the map, and the cards of a tender.

import { t } from "../../catalogue/index.js";
import { Chip, Symbol } from "../../parts/art.js";
import { nameInSentence, nameOf } from "../../parts/names.js";
import { total } from "../../parts/prompt.js";
import { COLUMNS, ROWS, FREE, coordinate, districtBox, districtsOf } from "../../scenes/investors/city.js";
import { Note, OptionDrawing } from "../../scenes/investors/hand.js";
import { money, streetText, targetText, termsText } from "../../scenes/investors/labels.js";
import { CityMap, FRAME } from "../../scenes/investors/map.js";
import { Tenders } from "./tenders.js";
import { tenderOf } from "./tender-text.js";
import "../../style/investors-board.css";
import "../../style/investors-city.css";
import "../../style/investors-cheques.css";

/** @typedef {import("../../coach-model.js").TurningPoint} TurningPoint */

/** The labels of the decision bar that say all of a command. @type {Record<string, string>} */
const LABELS = {
  accept_tender: "do.accept",
  reject_tender: "do.reject",
  abstain: "do.abstain",
  pass_bid: "do.pass",
  pass_offer: "do.no_offer",
  accept_offer: "do.accept_offer",
  decline_offer: "do.decline_offer",
  pay_offer: "do.pay_offer",
  waive: "do.waive",
  draw_cheque: "do.draw",
};

/** Return the whole bid after a raise: what lies already, and what is added. @param {any} command @param {any} view @param {number} seat */
function bidOf({ cheques }, view, seat) {
  return total(view.play?.game.stage.bids?.[seat] ?? []) + total(cheques);
}

/** @param {any} command @param {any} view @param {number} seat */
export function commandText(command, view, seat) {
  const label = LABELS[command.do];
  if (label) return t(label);
  switch (command.do) {
    case "play_influence":
      return t("do.seal_card", { card: command.card });
    case "raise_bid":
      return t("do.bid", { amount: money(bidOf(command, view, seat)) });
    case "choose_option":
      return t("do.choose_option", { option: targetText(command.option) });
    case "pay_cheque":
      return t("do.pay", { amount: money(command.cheque) });
    case "bid_cheques":
      return command.cheques.length ? t("do.seal", { amount: money(total(command.cheques)) }) : t("do.seal_nothing");
    case "make_offer":
      return t("coach.do.offer", { terms: termsText(command), name: nameInSentence(view, command.investor) });
    case "lay_tile":
      return t("coach.do.lay_tile", { at: coordinate(command.space) });
    case "move_stick":
      return t("coach.do.move_stick", { from: streetText(command.move[0]), to: streetText(command.move[1]) });
    case "swap_sticks":
      return t("coach.do.swap_sticks", { one: streetText(command.sticks[0]), other: streetText(command.sticks[1]) });
    case "claim_subsidy":
      return subsidyText(command);
    case "stop_drawing":
      return t("coach.do.stop_drawing");
    default: {
      const { street, lift = null } = command;
      const key = lift === null ? `coach.do.${command.do}` : `coach.do.${command.do}.lift`;
      return t(key, { street: streetText(street), lifted: lift === null ? "" : streetText(lift) });
    }
  }
}

/** @param {{mode: string, sticks?: number[] | null}} command */
function subsidyText({ mode, sticks = null }) {
  if (sticks === null) return t(`coach.do.claim.${mode}`);
  return sticks.length ? t(`coach.do.remove.${mode}`, { count: sticks.length }) : t("coach.do.remove.none");
}

/** @param {{command: any}} props */
function Picture({ command }) {
  switch (command.do) {
    case "play_influence":
      return (
        <span class="coach-influence">
          <b class="serif">{command.card}</b>
          <Symbol name={`influence-${command.card}`} width={30} />
        </span>
      );
    case "choose_option":
      return <OptionDrawing option={command.option} width={52} />;
    case "raise_bid":
    case "bid_cheques":
      return <Notes cheques={command.cheques} />;
    case "pay_cheque":
      return <Notes cheques={[command.cheque]} />;
    default:
      return null;
  }
}

/** The largest cheques of a bid. @param {{cheques: number[]}} props */
function Notes({ cheques }) {
  if (!cheques.length) return null;
  return (
    <span class="coach-notes">
      {cheques.toSorted((one, other) => other - one).slice(0, 2).map((value, index) => (
        <Note key={index} value={value} />
      ))}
    </span>
  );
}

/** Return the sticks that a command would change: the street and its new owner. @param {any} command @param {number[]} sticks @param {number} seat @returns {[number, number][]} */
export function changesOf(command, sticks, seat) {
  switch (command.do) {
    case "place_stick":
    case "replace_stick":
      return [...(command.lift ?? null) === null ? [] : [/** @type {[number, number]} */ ([command.lift, FREE])], [command.street, seat]];
    case "move_stick":
      return [[command.move[0], FREE], [command.move[1], sticks[command.move[0]]]];
    case "swap_sticks":
      return [[command.sticks[0], sticks[command.sticks[1]]], [command.sticks[1], sticks[command.sticks[0]]]];
    default:
      return [];
  }
}

/** Return the streets of a command on which something lies afterwards. @param {any} command */
export function streetsOfCommand(command) {
  return changesOf(command, [], 0).filter(([, owner]) => owner !== FREE).map(([street]) => street);
}

/**
 * Return the part of the city around streets, as first and last column and row: at least 3 by 2 districts.
 * @param {number[]} streets
 */
export function partAround(streets) {
  const districts = streets.flatMap(districtsOf);
  const columns = districts.map((district) => district % COLUMNS);
  const rows = districts.map((district) => Math.floor(district / COLUMNS));
  const grown = (/** @type {number[]} */ found, /** @type {number} */ least, /** @type {number} */ limit) => {
    let [first, last] = [Math.min(...found), Math.max(...found)];
    for (let isEnd = true; last - first + 1 < least; isEnd = !isEnd) {
      if ((isEnd && last < limit - 1) || first === 0) last += 1;
      else first -= 1;
    }
    return { first, last };
  };
  return { columns: grown(columns, 3, COLUMNS), rows: grown(rows, 2, ROWS) };
}

/** Return all numbers from the first to the last. @param {{first: number, last: number}} bounds */
function range({ first, last }) {
  return Array.from({ length: last - first + 1 }, (_, index) => first + index);
}

/** Room around districts: their streets, and a little of the next ones. */
const AROUND = 24;

/** The part of the city with the better command as an outlined ghost. @param {{point: TurningPoint, view: any, seat: number}} props */
function CityPart({ point: { played, better }, view, seat }) {
  const streets = streetsOfCommand(better).length ? streetsOfCommand(better) : streetsOfCommand(played);
  const near = partAround([...streets, ...streetsOfCommand(played)]);
  // Where both are far apart, the better place counts.
  const part = near.columns.last - near.columns.first > 3 || near.rows.last - near.rows.first > 3 ? partAround(streets) : near;
  const [first, last] = [districtBox(part.rows.first * COLUMNS + part.columns.first), districtBox(part.rows.last * COLUMNS + part.columns.last)];
  const [x, y] = [first.x - AROUND, first.y - AROUND];
  const [width, height] = [last.x + last.width + AROUND - x, last.y + last.height + AROUND - y];
  const percent = (/** @type {number} */ piece, /** @type {number} */ whole) => `${(100 * piece) / whole}%`;
  const { sticks } = view.play.game;
  const interaction = /** @type {any} */ ({ open: new Map(), chosen: new Set(), changes: changesOf(better, sticks, seat) });
  return (
    <div class="coach-city">
      <div class="coach-city-part" style={{ aspectRatio: `${width} / ${height}` }}>
        <div class="coach-city-clip">
          <div style={{ width: percent(FRAME.width, width), left: percent(FRAME.x - x, width), top: percent(FRAME.y - y, height) }}>
            <CityMap view={view} interaction={interaction} highlighted={{ streets }} />
          </div>
        </div>
        {range(part.columns).map((column) => {
          const box = districtBox(column);
          return (
            <span key={`c${column}`} class="coach-column" style={{ left: percent(box.x + box.width / 2 - x, width) }}>
              {coordinate(column)[0]}
            </span>
          );
        })}
        {range(part.rows).map((row) => {
          const box = districtBox(row * COLUMNS);
          return (
            <span key={`r${row}`} class="coach-row" style={{ top: percent(box.y + box.height / 2 - y, height) }}>
              {row + 1}
            </span>
          );
        })}
      </div>
    </div>
  );
}

/** The cards that all seats showed. @param {{view: any, tender: import("../../coach-model.js").Tender}} props */
function ShownCards({ view, tender: { bids, outcome } }) {
  return (
    <ul class="coach-shown">
      {bids.map((card, each) => (
        <li key={each} class={`bid bid-${outcome[each]}`} title={nameOf(view, each)}>
          <Chip seat={each} size={18} />
          <b class="serif">{card ?? "–"}</b>
        </li>
      ))}
    </ul>
  );
}

/** Return whether a command is about a tender by sealed cards. @param {any} command */
const isSealed = (command) => command.do === "play_influence" || command.do === "abstain";

/** @type {import("./scenes.js").CoachScene} */
export const coach = {
  commandText,
  Picture,
  hasPlace: ({ played, better, step }, findings) =>
    streetsOfCommand(better).length + streetsOfCommand(played).length > 0 || (isSealed(played) && tenderOf(findings.tenders, step) !== null),
  Place: ({ point, view, seat, findings }) => {
    const tender = isSealed(point.played) ? tenderOf(findings.tenders, point.step) : null;
    return tender ? <ShownCards view={view} tender={tender} /> : <CityPart point={point} view={view} seat={seat} />;
  },
  isWide: false,
  priceText: (amount, command) => (command.do === "play_influence" ? String(amount) : money(amount)),
  Tenders,
};

// The reveals of Investors: influence cards, option tiles, sealed cheques, and winning bids.

import { t } from "../../catalogue/index.js";
import { Symbol } from "../../parts/art.js";
import { capitalize, formatNames, nameOf } from "../../parts/names.js";
import { total } from "../../parts/prompt.js";
import { Reveal, TurnedCard } from "../../parts/reveal.js";
import { Note, OptionDrawing } from "./hand.js";
import { money, targetText } from "./labels.js";

/** @typedef {import("../../store.js").TableModel} TableModel */
/**
 * @typedef {object} Shown the sealed answer of one seat
 * @property {number} seat
 * @property {{card: number | null} | {option: string} | {cheques: number[]}} face
 * @property {number | null} rank the place in the order of investing, from 1; null if nothing was won
 * @property {boolean} isTied
 * @property {string} note
 */

const REVEALS = ["influence_revealed", "options_revealed", "option_bids_revealed", "auction_won"];

/** Return for each value whether another is equal. @param {(number | null)[]} values */
export function tied(values) {
  return values.map((value) => value !== null && values.filter((other) => other === value).length > 1);
}

/**
 * Return what the events of one update reveal, the highest first; null if nothing.
 * @param {any[]} events of one step @param {any} view
 * @returns {{title: string, shown: Shown[], order: number[]} | null}
 */
export function revealOf(events, view) {
  const event = events.find(({ event: name }) => REVEALS.includes(name));
  if (!event) return null;
  const rights = events.find(({ event: name }) => name === "tender_closed")?.rights ?? null;
  const order = (rights ?? []).map((/** @type {any} */ right) => right.seat);
  if (event.event === "influence_revealed") return influenceReveal(event, view, rights ? order : []);
  if (event.event === "options_revealed") return optionsReveal(event, view);
  if (event.event === "option_bids_revealed") return bidsReveal(event, events, view, order);
  return auctionReveal(event, view);
}

/** @param {any} event @param {any} view @param {number[]} order */
function influenceReveal(event, view, order) {
  /** @type {(number | null)[]} */
  const cards = event.cards;
  const ties = tied(cards);
  const shown = cards.map((card, seat) => {
    const rank = event.winners.indexOf(seat) + 1 || null;
    const note = card === null ? "reveal.abstained" : rank ? "reveal.pays" : ties[seat] ? "reveal.tied" : "reveal.out";
    const place = rank ? t(`place.${rank}`) : "";
    return { seat, face: { card }, rank, isTied: ties[seat], note: t(note, { amount: card ?? 0, place }) };
  });
  shown.sort((one, other) => (other.face.card ?? -1) - (one.face.card ?? -1) || one.seat - other.seat);
  const first = event.winners[0];
  const title =
    first !== undefined
      ? t(ties.some(Boolean) ? "reveal.influence.ties" : "reveal.influence", { number: capitalize(t(`number.${cards[first]}`)) })
      : t(cards.every((card) => card === null) ? "reveal.influence.all_abstain" : "reveal.influence.nobody");
  return { title, shown, order };
}

/** @param {any} event @param {any} view */
function optionsReveal(event, view) {
  /** @type {string[]} */
  const options = event.options;
  const shown = options.map((option, seat) => {
    const others = options.filter((other) => other === option).length - 1;
    return { seat, face: { option }, rank: null, isTied: false, note: others ? t("reveal.contest", { count: others }) : t("reveal.alone") };
  });
  shown.sort((one, other) => one.face.option.localeCompare(other.face.option) || one.seat - other.seat);
  return { title: t("reveal.options"), shown, order: [] };
}

/** @param {any} event @param {any[]} events @param {any} view @param {number[]} order */
function bidsReveal(event, events, view, order) {
  const options = view.play.game.options;
  const won = new Map(events.filter(({ event: name }) => name === "option_won").map((each) => [each.seat, each]));
  /** @type {Shown[]} */
  const shown = event.bids.flatMap((/** @type {number[] | null} */ bid, /** @type {number} */ seat) => {
    if (!bid) return [];
    const rank = won.has(seat) ? order.indexOf(seat) + 1 || 1 : null;
    const note = rank ? t("reveal.pays", { amount: money(total(bid)), place: t(`place.${rank}`) }) : t("reveal.out");
    return [{ seat, face: { cheques: bid }, rank, isTied: false, note: options ? `${capitalize(targetText(options[seat]))}: ${note}` : note }];
  });
  if (!shown.length) return null;
  const sum = (/** @type {Shown} */ each) => total(/** @type {{cheques: number[]}} */ (each.face).cheques);
  shown.sort((one, other) => sum(other) - sum(one) || (one.rank ?? 9) - (other.rank ?? 9));
  return { title: t("reveal.bids"), shown, order };
}

/** @param {any} event @param {any} view */
function auctionReveal(event, view) {
  const amount = money(total(event.cheques));
  const title = event.seat === view.mine ? t("reveal.auction.you", { amount }) : t("reveal.auction", { name: nameOf(view, event.seat), amount });
  const shown = [{ seat: event.seat, face: { cheques: event.cheques }, rank: 1, isTied: false, note: "" }];
  return { title, shown, order: [] };
}

/** @param {{model: TableModel}} props */
export function Reveals({ model }) {
  const view = model.gameView.value;
  return (
    <Reveal
      model={model}
      find={revealOf}
      draw={({ title, shown, order }) => (
        <>
          <h2 class="reveal-title">{title}</h2>
          <RevealedRow view={view} shown={shown} />
          {order.length > 0 && (
            <p class="reveal-order card">
              <b>{t("reveal.order")}</b> {capitalize(formatNames(view, order))}
            </p>
          )}
        </>
      )}
    />
  );
}

/** The sealed answers side by side. @param {{view: any, shown: Shown[]}} props */
export function RevealedRow({ view, shown }) {
  return (
    <ol class="reveal-row">
      {groups(shown).map((group) => (
        <li key={group[0].seat} class={group.length > 1 ? "reveal-tie" : ""}>
          {group.length > 1 && <span class="bracket small">{t("reveal.equal")}</span>}
          {group.map((each) => (
            <RevealedSeat key={each.seat} view={view} shown={each} />
          ))}
        </li>
      ))}
    </ol>
  );
}

/** Return the answers in groups of tied cards. @param {Shown[]} shown */
function groups(shown) {
  /** @type {Shown[][]} */
  const found = [];
  for (const each of shown) {
    const last = found.at(-1);
    const value = /** @type {any} */ (each.face).card;
    if (each.isTied && last?.[0].isTied && /** @type {any} */ (last[0].face).card === value) last.push(each);
    else found.push([each]);
  }
  return found;
}

/** @param {{view: any, shown: Shown}} props */
function RevealedSeat({ view, shown }) {
  const { seat, face, rank, isTied, note } = shown;
  return (
    <TurnedCard view={view} seat={seat} back={<Symbol name="influence-back" width={64} />} rank={rank === null ? null : t(`place.${rank}`)} isTied={isTied} note={note}>
      {"card" in face && (
        <>
          <span class="card-number serif">{face.card ?? "–"}</span>
          {face.card !== null && <Symbol name={`influence-${face.card}`} width={84} class="portrait" />}
          <span class="card-name">{face.card === null ? t("reveal.abstained") : t(`influence.${face.card}`)}</span>
        </>
      )}
      {"option" in face && (
        <>
          <OptionDrawing option={face.option} width={100} />
          <span class="card-name">{capitalize(targetText(face.option))}</span>
        </>
      )}
      {"cheques" in face && (
        <>
          <span class="revealed-sum serif">{money(total(face.cheques))}</span>
          <span class="revealed-notes">
            {face.cheques.map((value, index) => (
              <Note key={index} value={value} />
            ))}
          </span>
        </>
      )}
    </TurnedCard>
  );
}

// All tenders by sealed influence cards: what each seat showed, what would have been enough, and what it was worth.

import { signal } from "@preact/signals";
import { t } from "../../catalogue/index.js";
import { Chip, Icon, Symbol } from "../../parts/art.js";
import { nameOf } from "../../parts/names.js";
import { narrow } from "../../parts/narrow.js";
import { stageShort, gradeOf } from "./texts.js";
import { tenderName, tenderSymbol, gradeText } from "./tender-text.js";
import "../../style/coach-tenders.css";

/** @typedef {import("../../coach-model.js").Tender} Tender */

/** Whether two halves of the table have room side by side. */
const query = globalThis.matchMedia?.("(min-width: 1240px)");
const isPaired = signal(query?.matches ?? false);
query?.addEventListener("change", () => (isPaired.value = query.matches));

/** @param {{view: any, findings: import("../../coach-model.js").Findings, seat: number}} props */
export function Tenders({ view, findings: { tenders, seats }, seat }) {
  if (!tenders.length) return null;
  const { too_many: count, overpaid_in: overpaid } = seats[seat].summary;
  const middle = Math.ceil(tenders.length / 2);
  const halves = isPaired.value && tenders.length > 5 ? [tenders.slice(0, middle), tenders.slice(middle)] : [tenders];
  return (
    <section class="coach-tenders card" aria-labelledby="tenders-title">
      <header>
        <h2 id="tenders-title">{t("coach.tenders")}</h2>
        <p class="small muted">{t("coach.tenders.enough")}</p>
        <p class="small coach-tender-key">
          <span>
            <b class="bid bid-won serif">5</b> {t("coach.outcome.won")}
          </span>
          <span>
            <b class="bid bid-tied serif">5</b> {t("coach.outcome.tied")}
          </span>
          <span>
            <b class="bid bid-lost serif">5</b> {t("coach.outcome.lost")}
          </span>
        </p>
      </header>
      {narrow.value ? (
        <TenderList view={view} tenders={tenders} seat={seat} />
      ) : (
        <div class="coach-tender-halves" style={{ "--halves": halves.length }}>
          {halves.map((rows, index) => (
            // A region that scrolls has to be reached by the keyboard.
            <div key={index} class="coach-tender-frame" role="region" aria-labelledby="tenders-title" tabIndex={0}>
              <TenderTable view={view} tenders={rows} seat={seat} />
            </div>
          ))}
        </div>
      )}
      {count !== null && (
        <p class="coach-tender-total">
          <b>{t("coach.tenders.too_many", { count })}</b> {overpaid ? t("coach.tenders.overpaid", { count: overpaid }) : ""}
        </p>
      )}
    </section>
  );
}

/** The same on a phone: each tender has two lines. @param {{view: any, tenders: Tender[], seat: number}} props */
function TenderList({ view, tenders, seat }) {
  return (
    <ol class="coach-tender-list">
      {tenders.map((tender) => (
        <li key={tender.step}>
          <p>
            <b>{stageShort(tender.stage)}</b>
            <Symbol name={tenderSymbol(tender)} width={24} />
            <span class="coach-tender-title">
              {tenderName(tender)} <span class="small muted">{t("coach.tender.rights.count", { count: tender.rights })}</span>
            </span>
            <Grade tender={tender} seat={seat} />
          </p>
          <p>
            {tender.bids.map((_, each) => (
              <span key={each} class={each === seat ? "own" : ""}>
                <Chip seat={each} size={18} />
                <span class="hidden-visually">{nameOf(view, each)}: </span>
                <Bid tender={tender} seat={each} />
              </span>
            ))}
            <span class="small coach-tender-facts">
              {t("coach.tender.enough")} <b>{tender.enough[seat] ?? "–"}</b> · {t("coach.tender.worth")} <b>{tender.worth[seat]}</b>
            </span>
          </p>
        </li>
      ))}
    </ol>
  );
}

/** What a seat showed, with what became of it. @param {{tender: Tender, seat: number}} props */
function Bid({ tender: { bids, outcome }, seat }) {
  return (
    <>
      <b class={`bid bid-${outcome[seat]} serif`}>{bids[seat] ?? "–"}</b>
      <span class="hidden-visually"> {t(`coach.outcome.${outcome[seat]}`)}</span>
    </>
  );
}

/** How the bid of a seat was. @param {{tender: Tender, seat: number}} props */
function Grade({ tender, seat }) {
  const found = gradeOf(tender, seat);
  return (
    <span class={`grade grade-${found.grade}`}>
      {found.grade === "exact" && <Icon name="check" size={14} />}
      {gradeText(found)}
    </span>
  );
}

/** @param {{view: any, tenders: Tender[], seat: number}} props */
function TenderTable({ view, tenders, seat }) {
  return (
    <table class="coach-tender-table">
      <thead>
        <tr>
          <th scope="col">{t("coach.tender.round")}</th>
          <th scope="col" class="start">
            {t("coach.tender.what")}
          </th>
          <th scope="col">{t("coach.tender.rights")}</th>
          {view.seats.map((/** @type {any} */ _, /** @type {number} */ each) => (
            <th key={each} scope="col" class={each === seat ? "own" : ""} title={nameOf(view, each)}>
              <Chip seat={each} size={22} />
              <span class="hidden-visually">{nameOf(view, each)}</span>
            </th>
          ))}
          <th scope="col">{t("coach.tender.enough")}</th>
          <th scope="col">{t("coach.tender.worth")}</th>
          <th scope="col" class="start">
            {nameOf(view, seat)}
          </th>
        </tr>
      </thead>
      <tbody>
        {tenders.map((tender) => (
          <TenderRow key={tender.step} tender={tender} seat={seat} />
        ))}
      </tbody>
    </table>
  );
}

/** @param {{tender: Tender, seat: number}} props */
function TenderRow({ tender, seat }) {
  const name = tenderName(tender);
  return (
    <tr>
      <th scope="row">{stageShort(tender.stage)}</th>
      <td class="start">
        <span class="coach-tender-name" title={name}>
          <Symbol name={tenderSymbol(tender)} width={24} />
          <span class="cut">{name}</span>
        </span>
      </td>
      <td class="muted">{tender.rights}</td>
      {tender.bids.map((_, each) => (
        <td key={each} class={each === seat ? "own" : ""}>
          <Bid tender={tender} seat={each} />
        </td>
      ))}
      <td>
        <b class="serif">{tender.enough[seat] ?? "–"}</b>
      </td>
      <td>{tender.worth[seat]}</td>
      <td class="start">
        <Grade tender={tender} seat={seat} />
      </td>
    </tr>
  );
}

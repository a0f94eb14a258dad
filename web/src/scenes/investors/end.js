// The result: who won, where every point came from, what broke a tie, the city as it stands, and the way back
// through the game.

import { useEffect, useRef, useState } from "preact/hooks";
import { t } from "../../catalogue/index.js";
import { Chip, Symbol } from "../../parts/art.js";
import { useErrand } from "../../parts/errand.js";
import { nameOf } from "../../parts/names.js";
import { LookBack } from "./look-back.js";
import { CityMap } from "./map.js";
import { capital, kindName, people } from "./words.js";

/** @typedef {import("../../store.js").TableModel} TableModel */

const KINDS = ["hall", "bank", "factory", "office", "market", "leisure", "villa", "residential", "bonus"];

/** The seats from the first place to the last. @param {{places: number[]}} outcome */
export function ranking(outcome) {
  return outcome.places.map((_, seat) => seat).sort((one, other) => outcome.places[one] - outcome.places[other] || one - other);
}

/** The sentence above the table. @param {any} view */
function headline(view) {
  const outcome = view.play?.outcome;
  if (!outcome) return t("end.title.abandoned");
  const [first] = outcome.winners;
  const points = outcome.scores[first];
  if (outcome.winners.length > 1) return t("end.title.shared", { names: capital(people(view, outcome.winners)), points });
  return first === view.mine ? t("end.title.win.you", { points }) : t("end.title.win", { name: nameOf(view, first), points });
}

/** @param {{model: TableModel, go: (path: string) => void}} props */
export function End({ model, go }) {
  const view = model.view.value;
  const outcome = view.play?.outcome ?? null;
  const [run, { isBusy, refusal }] = useErrand();
  const again = async () => {
    const { table, key } = await model.ask("play_again");
    go(`/t/${table}${key ? `#k=${key}` : ""}`);
  };
  const [isStepping, setStepping] = useState(false);
  /** @type {import("preact").RefObject<HTMLButtonElement>} */
  const opener = useRef(null);
  const hasStepped = useRef(false);
  useEffect(() => {
    // Whoever comes back goes on where they left.
    if (!isStepping && hasStepped.current) opener.current?.focus();
    hasStepped.current = isStepping;
  }, [isStepping]);
  if (isStepping) return <LookBack model={model} onClose={() => setStepping(false)} />;
  return (
    <div class="investors-end">
      <section class="end-card card">
        <h2 class="end-title">{headline(view)}</h2>
        {outcome && <p class="muted">{t(`end.reason.${outcome.reason}`)}</p>}
        {outcome && <Points view={view} outcome={outcome} />}
        {outcome?.tie_break && <TieBreak outcome={outcome} />}
        <div class="end-actions">
          {view.mine !== null && (
            <button type="button" class="primary" disabled={isBusy} onClick={() => run(again)}>
              {t(view.table.next ? "end.again_there" : "end.again")}
            </button>
          )}
          {view.play && (
            <button type="button" ref={opener} onClick={() => setStepping(true)}>
              {t("steps.open")}
            </button>
          )}
          <button type="button" onClick={() => go("/")}>
            {t("end.lobby")}
          </button>
          {refusal && (
            <p class="error" role="alert">
              {refusal}
            </p>
          )}
        </div>
      </section>
      {view.play && (
        <section class="end-city card" aria-label={t("end.city")}>
          <CityMap view={view} />
        </section>
      )}
    </div>
  );
}

/** @param {{view: any, outcome: any}} props */
function Points({ view, outcome }) {
  const { sticks } = view.play.game;
  const kinds = KINDS.filter((kind) => outcome.breakdown.some((/** @type {any} */ parts) => parts[kind]));
  const isTied = (/** @type {number} */ seat) =>
    outcome.scores.filter((/** @type {number} */ score) => score === outcome.scores[seat]).length > 1;
  return (
    <div class="points-room">
      <table class="points">
        <caption class="small muted">{t("end.ranking")}</caption>
        <thead>
          <tr>
            <th scope="col">
              <span class="hidden-visually">{t("end.place")}</span>
            </th>
            <th scope="col" class="who">
              {t("end.player")}
            </th>
            {kinds.map((kind) => (
              <th key={kind} scope="col" title={kind === "bonus" ? t("end.bonus") : capital(kindName(kind))}>
                <Symbol
                  name={kind === "bonus" ? "action-bonus" : `${kind}-built`}
                  width={kind === "bonus" ? 22 : 30}
                  label={kind === "bonus" ? t("end.bonus") : kindName(kind)}
                />
              </th>
            ))}
            <th scope="col">{t("end.total")}</th>
            {outcome.tie_break && <th scope="col">{t("end.sticks")}</th>}
          </tr>
        </thead>
        <tbody>
          {ranking(outcome).map((seat) => (
            <tr key={seat} class={outcome.places[seat] === 1 ? "winner" : ""}>
              <td class="place">{t(`place.${outcome.places[seat]}`)}</td>
              <th scope="row" class="who">
                <Chip seat={seat} size={24} /> {nameOf(view, seat)}
              </th>
              {kinds.map((kind) => (
                <td key={kind}>{outcome.breakdown[seat][kind] ?? <span class="muted">–</span>}</td>
              ))}
              <td class="total serif">{outcome.scores[seat]}</td>
              {outcome.tie_break && (
                <td class={isTied(seat) ? "broke" : "muted"}>{sticks.filter((/** @type {number} */ owner) => owner === seat).length}</td>
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** @param {{outcome: any}} props */
function TieBreak({ outcome }) {
  const isShared = new Set(outcome.places).size < outcome.places.length;
  return (
    <p class="small">
      {t(`end.tie.${outcome.tie_break}`)} {isShared && t("end.tie.still")}
    </p>
  );
}

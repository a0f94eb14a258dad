// The panel about those who watch: how many, who wants to be seen, and whom they expect to win. Spectators predict here.

import { useEffect, useId, useState } from "preact/hooks";
import { t } from "../catalogue/index.js";
import { Chip, Icon } from "./art.js";
import { COMMENTARY } from "./commentary-part.js";
import { Disclosure } from "./controls.js";
import { CopyField } from "./copy-field.js";
import { Face } from "./face.js";
import { numberText } from "./figures.js";
import { overlayLink } from "./invite.js";
import { lazy } from "./lazy.js";
import { nameOf } from "./names.js";
import { PersonName } from "./person-name.js";
import { seenWatching } from "./preferences.js";
import { useAnswer } from "./use-answer.js";
import { useRequest } from "./use-request.js";
import { WatchNext } from "./watch-next.js";
import "../style/spectators.css";

/** @typedef {import("../store.js").TableModel} TableModel */
/** @typedef {{right: number, games: number}} PredictionScore */
/** @typedef {{user: string, name: string, handle: string | null, winner: number | null, score: PredictionScore | null}} Watcher */

/** Milliseconds after which the panel asks again who watches. */
const ASK_EVERY = 15_000;

/** Return the share of each seat in whole percent; null as long as nobody has predicted. @param {number[]} counts */
export function sharesOf(counts) {
  const all = counts.reduce((sum, count) => sum + count, 0);
  return all ? counts.map((count) => Math.round((100 * count) / all)) : null;
}

/** @param {{store: import("../store.js").Store, model: TableModel}} props */
export function SpectatorPanel({ store, model }) {
  const commentary = lazy(COMMENTARY);
  return (
    <div class="watching-panel" tabIndex={0} role="group" aria-label={t("watching.label")}>
      {!model.isDelayed && <Watching store={store} model={model} />}
      {commentary && <commentary.CommentaryPart model={model} me={store.me.value} />}
      <Disclosure summary={t("overlay.title")}>
        <p class="small muted">{t("overlay.about")}</p>
        <CopyField label={t("overlay.link")} text={overlayLink(model)} />
      </Disclosure>
    </div>
  );
}

/** Who watches, and whom they expect to win. @param {{store: import("../store.js").Store, model: TableModel}} props */
function Watching({ store, model }) {
  const { reply, again } = useAnswer(model.socket, { type: "get_watching", table: model.id, ...(model.key ? { key: model.key } : {}) });
  const count = model.presence.value?.spectators ?? 0;
  const isSpectator = model.gameView.value.mine === null;
  useEffect(() => {
    const timer = setInterval(again, ASK_EVERY);
    return () => clearInterval(timer);
  }, [again]);
  return (
    <>
      {model.predictions.value && <Predictions model={model} score={reply?.score ?? null} onPredicted={again} />}
      <p>{t("watching.count", { count })}</p>
      {reply && <Watchers model={model} people={reply.people} others={reply.others} me={store.me.value?.id ?? null} />}
      {isSpectator && <SeenSwitch model={model} onChange={again} />}
      <p class="small muted">{t("watching.hidden")}</p>
      {isSpectator && <WatchNext store={store} model={model} />}
    </>
  );
}

/** Who wins, in the opinion of the spectators. @param {{model: TableModel, score: PredictionScore | null, onPredicted: () => void}} props */
function Predictions({ model, score, onPredicted }) {
  const { counts, open, own } = /** @type {import("../store.js").ShownPredictions} */ (model.predictions.value);
  const view = model.gameView.value;
  const [run, { isBusy, refusal }] = useRequest();
  const isSpectator = view.mine === null;
  const winners = view.table.phase === "over" ? (view.play?.outcome?.winners ?? null) : null;
  const shares = sharesOf(counts);
  // Before the end, players have nothing to see here; afterwards only what somebody has predicted.
  if (!shares && !(isSpectator && open)) return null;
  const predict = (/** @type {number} */ winner) =>
    run(async () => {
      await model.request("predict", { winner });
      model.notePrediction(winner);
      onPredicted();
    });
  const canPredict = isSpectator && open;
  return (
    <section class="predictions" aria-labelledby="predict-title">
      <h3 id="predict-title">{t(winners ? "predict.title.over" : "predict.title")}</h3>
      <ul>
        {counts.map((count, seat) => {
          const share = shares?.[seat] ?? 0;
          const label = t("predict.seat", { name: nameOf(view, seat), share: numberText(share), count });
          const row = <SeatRow seat={seat} name={nameOf(view, seat)} share={shares ? share : null} isOwn={own === seat} isWinner={winners?.includes(seat) ?? false} />;
          return (
            <li key={seat}>
              {canPredict ? (
                <button type="button" class="predict-row" aria-pressed={own === seat} aria-label={label} aria-disabled={isBusy} onClick={() => own !== seat && predict(seat)}>
                  {row}
                </button>
              ) : (
                <div class="predict-row">
                  <span class="hidden-visually">{[label, own === seat && t("predict.own"), winners?.includes(seat) && t("predict.won")].filter(Boolean).join(". ")}</span>
                  <span aria-hidden="true">{row}</span>
                </div>
              )}
            </li>
          );
        })}
      </ul>
      <p class="small muted" role="status">
        {stateText({ open, own, winners, isSpectator })}
        {score && score.games > 0 && ` ${t("predict.score", { right: score.right, games: score.games, count: score.games })}`}
      </p>
      {refusal && (
        <p class="error" role="alert">
          {refusal}
        </p>
      )}
    </section>
  );
}

/**
 * Return what can be done with predictions, or what came of the own one.
 * @param {{open: boolean, own: number | null, winners: number[] | null, isSpectator: boolean}} state
 */
export function stateText({ open, own, winners, isSpectator }) {
  if (winners) return own === null ? t("predict.ended") : t(winners.includes(own) ? "predict.right" : "predict.wrong");
  if (!isSpectator) return t("predict.ended");
  if (!open) return t("predict.closed");
  return t(own === null ? "predict.ask" : "predict.change");
}

/** @param {{seat: number, name: string, share: number | null, isOwn: boolean, isWinner: boolean}} props */
function SeatRow({ seat, name, share, isOwn, isWinner }) {
  return (
    <span class="predict-seat" aria-hidden="true">
      <Chip seat={seat} size={20} />
      <span class="cut">{name}</span>
      {isWinner && <Icon name="podium" size={16} />}
      {isOwn && <Icon name="check" size={16} />}
      {share !== null && <b>{numberText(share)} %</b>}
      <span class="predict-bar">
        <span style={{ width: `${share ?? 0}%` }} />
      </span>
    </span>
  );
}

/** Those who want to be seen. @param {{model: TableModel, people: Watcher[], others: number, me: string | null}} props */
function Watchers({ model, people, others, me }) {
  const view = model.gameView.value;
  if (!people.length) return null;
  return (
    <>
      <ul class="watchers">
        {people.map((person) => (
          <li key={person.user}>
            <Face user={person.user} name={person.name} size={24} />
            <PersonName person={person} class="cut" />
            {person.user === me && <span class="small muted">{t("watching.you")}</span>}
            {person.score && person.score.games > 0 && (
              <span class="small muted" title={t("predict.score_of", { name: person.name, right: person.score.right, games: person.score.games })}>
                {person.score.right}/{person.score.games}
              </span>
            )}
            {person.winner !== null && (
              <span class="watcher-winner" title={t("predict.by", { name: person.name, winner: nameOf(view, person.winner) })}>
                <Chip seat={person.winner} size={18} />
                <span class="hidden-visually">{t("predict.by", { name: person.name, winner: nameOf(view, person.winner) })}</span>
              </span>
            )}
          </li>
        ))}
      </ul>
      {others > 0 && <p class="small muted">{t("watching.others", { count: others })}</p>}
    </>
  );
}

/** Whether others see the visitor's name here. It is kept on this device. @param {{model: TableModel, onChange: () => void}} props */
function SeenSwitch({ model, onChange }) {
  const id = useId();
  const [isBusy, setBusy] = useState(false);
  const change = async () => {
    seenWatching.value = seenWatching.value === "yes" ? "no" : "yes";
    setBusy(true);
    await model.subscribe();
    setBusy(false);
    onChange();
  };
  return (
    <label class="seen-switch small" for={id}>
      <input id={id} type="checkbox" checked={seenWatching.value === "yes"} aria-disabled={isBusy} onChange={change} />
      <span>
        {t("watching.seen")}
        <span class="muted"> {t("watching.seen_note")}</span>
      </span>
    </label>
  );
}

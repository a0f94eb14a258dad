// The delayed view of a table: the sign that says so, the hands that commentators see, and for players the agreement to
// it, with the link for the commentators.

import { useEffect, useState } from "preact/hooks";
import { t } from "../catalogue/index.js";
import { commentaryPath } from "../routes.js";
import { OpenHand, OpenHands } from "../pages/replay/open-hand.js";
import { Icon } from "./art.js";
import { Disclosure } from "./controls.js";
import { CopyField } from "./copy-field.js";
import { DecisionBar } from "./decision-bar.js";
import { TitledPopover } from "./titled-popover.js";
import { useRequest } from "./use-request.js";
import "../style/commentary.css";

/** @typedef {import("../store.js").TableModel} TableModel */

/** The delay that players agree to where the host has set none, as the server has it. */
const DEFAULT_DELAY = { kind: "minutes", minutes: 10 };

/** Return how far behind a delay is: "10 minutes". @param {any} delay */
export function delayText(delay) {
  return t(`commentary.${delay.kind}`, { count: delay[delay.kind] });
}

/** Return the delay with which this page shows the table; null if it shows it at once. @param {TableModel} model */
function ownDelay(model) {
  const { mine, table } = model.view.value;
  const { delayed_view: delay, spectators_delayed: isDelayed } = table.settings;
  if (model.isDelayed) return table.commentary ?? delay ?? DEFAULT_DELAY;
  return mine === null && isDelayed ? delay : null;
}

/** Return what the sign of a table says, and the delay; null if there is nothing to say. @param {TableModel} model */
function signOf(model) {
  const { mine, table } = model.view.value;
  const own = ownDelay(model);
  const delay = own ?? (mine === null || table.phase === "over" ? null : table.commentary);
  if (!delay) return null;
  const short = t(`commentary.${delay.kind}.short`, { count: delay[delay.kind] });
  return { short, text: t(own ? "commentary.behind" : "commentary.sign", { delay: delayText(delay) }), isBehind: own !== null };
}

/**
 * The sign in the bar of a table: what is shown here is late, or commentators will see it. For players it opens what they
 * can do about it.
 * @param {{model: TableModel, me: {id: string} | null}} props
 */
export function CommentarySign({ model, me }) {
  const sign = signOf(model);
  if (!sign) return null;
  if (sign.isBehind) return <BehindSign model={model} />;
  return (
    <TitledPopover label={sign.text} sign={sign.short} icon="eye" buttonClass="tool commentary-button" align="start" class="commentary-card">
      <CommentaryPart model={model} me={me} />
    </TitledPopover>
  );
}

/** How late this page is, in words. @param {{model: TableModel}} props */
export function BehindSign({ model }) {
  const sign = signOf(model);
  return sign?.isBehind ? (
    <span class="commentary-sign small" role="note" title={sign.text}>
      <Icon name="clock" size={16} />
      <span class="commentary-text">{sign.text}</span>
      <span class="commentary-tiny" aria-hidden="true">
        {sign.short}
      </span>
    </span>
  ) : null;
}

/** The sign where a bar has no room for words, beside the state of the turn. @param {{model: TableModel}} props */
export function ShortSign({ model }) {
  const sign = signOf(model);
  return sign ? (
    <span class="commentary-short" role="img" aria-label={sign.text}>
      <Icon name={sign.isBehind ? "clock" : "eye"} size={16} />
    </span>
  ) : null;
}

/** The bar of commentators, in place of a decision. @param {{model: TableModel}} props */
export function CommentatorBar({ model }) {
  return <DecisionBar model={model} class="watching-bar" title={signOf(model)?.text ?? ""} more={t("commentary.watch")} />;
}

/** What those at a table can do about commentators, in its menu. @param {{model: TableModel, me: {id: string} | null}} props */
export function CommentaryInMenu({ model, me }) {
  const sign = signOf(model);
  return sign && !sign.isBehind ? (
    <Disclosure summary={sign.text}>
      <CommentaryPart model={model} me={me} />
    </Disclosure>
  ) : null;
}

/** The hand of a seat, as commentators see it. @param {{model: TableModel, scene: import("../pages/table.js").Scene, seat: number}} props */
export function SeatHand({ model, scene, seat }) {
  const open = model.view.value.open?.[seat];
  return open && scene.OpenHand ? <OpenHand scene={scene} seat={seat} open={open} /> : null;
}

/** The hands of all seats, where the seats have no room for them. @param {{model: TableModel, scene: import("../pages/table.js").Scene}} props */
export function AllHands({ model, scene }) {
  const view = model.view.value;
  return (
    <div class="commentary-hands">
      {view.open ? <OpenHands scene={scene} view={view} open={view.open} /> : <p class="small muted">{t("commentary.not_begun", { delay: delayText(ownDelay(model)) })}</p>}
    </div>
  );
}

/** What those at a table can do about commentators: propose it, agree, end it, and give the link away. @param {{model: TableModel, me: {id: string} | null}} props */
export function CommentaryPart({ model, me }) {
  const { mine, table, votes, seats } = model.view.value;
  const [run, { isBusy, refusal }] = useRequest();
  if (mine === null) return null;
  const { commentary } = table;
  const vote = (/** @type {boolean} */ agree) => run(() => model.request("vote", { on: "commentary", agree }));
  const canPropose = table.phase === "running" && !seats[mine].resigned && !votes.commentary?.length;
  if (!commentary && !canPropose) return null;
  return (
    <section class="commentary-part">
      <h3 class="small">{t("commentary.title")}</h3>
      {commentary ? (
        <>
          <p class="small muted">{t("commentary.about", { delay: delayText(commentary) })}</p>
          {table.settings.sealed_on_devices && <p class="small muted">{t("commentary.on_devices")}</p>}
          {table.host === me?.id && <CommentaryLink model={model} />}
          {table.phase === "running" && (
            <button type="button" class="quiet" disabled={isBusy} onClick={() => vote(false)}>
              {t("commentary.end")}
            </button>
          )}
        </>
      ) : (
        <>
          <p class="small muted">{t("commentary.proposal", { delay: delayText(table.settings.delayed_view ?? DEFAULT_DELAY) })}</p>
          <button type="button" class="quiet" disabled={isBusy} onClick={() => vote(true)}>
            {t("commentary.propose")}
          </button>
        </>
      )}
      {refusal && (
        <p class="error" role="alert">
          {refusal}
        </p>
      )}
    </section>
  );
}

/** The link for commentators, for the host. @param {{model: TableModel}} props */
export function CommentaryLink({ model }) {
  const [key, setKey] = useState(/** @type {string | null} */ (null));
  const [run, { isBusy, refusal }] = useRequest();
  const ask = (/** @type {boolean} */ renew) => run(async () => setKey((await model.request("commentary_key", { renew })).key));
  useEffect(() => void ask(false), [model]);
  return (
    <div class="commentary-link">
      {key && <CopyField label={t("commentary.link")} text={`${location.origin}${commentaryPath(model.id, key)}`} />}
      <p class="small muted">{t("commentary.link_note")}</p>
      {key && (
        <button type="button" class="quiet" disabled={isBusy} onClick={() => ask(true)}>
          {t("commentary.renew")}
        </button>
      )}
      {refusal && (
        <p class="error" role="alert">
          {refusal}
        </p>
      )}
    </div>
  );
}

// Votes and stand-ins, which concern the players rather than the game.

import { useComputed, useSignalEffect } from "@preact/signals";
import { useState } from "preact/hooks";
import { t } from "../catalogue/index.js";
import { Icon } from "./art.js";
import { formatDate } from "./figures.js";
import { capitalize, formatNames } from "./names.js";
import { useRequest } from "./use-request.js";

/** @typedef {import("../store.js").TableModel} TableModel */

/** @typedef {{seat: number, until: number | null}} Missing a missing vote, and from when it is not needed, if the person stays away */

/**
 * Return the votes that are still missing, as the server counts them: a pause does not wait for people who are away
 * while a bot stands in, and nothing else waits for them longer than the table declares.
 * @param {any} view @param {string} on @param {{away: (number | null)[]} | null} presence @param {number} now
 * @returns {Missing[]}
 */
export function missingVotes(view, on, presence, now) {
  const absence = view.table.vote_absence_seconds;
  return view.seats.flatMap((/** @type {any} */ { resigned, stand_in, user }, /** @type {number} */ seat) => {
    if (!user || resigned || view.votes[on]?.includes(seat)) return [];
    const since = presence?.away[seat] ?? null;
    // Hands are shown only if everybody agrees.
    if (on === "commentary") return [{ seat, until: null }];
    // By the day, whose time has run out has been away for long enough.
    if (stand_in && since !== null && (on === "pause" || view.clock?.days)) return [];
    if (on === "pause") return [{ seat, until: null }];
    const until = since === null || !absence ? null : since + absence * 1000;
    return until !== null && until <= now ? [] : [{ seat, until }];
  });
}

/** Return a time of day, with the day if it is not soon. @param {number} at milliseconds since 1970 @param {number} now */
function moment(at, now) {
  const day = at - now < 43_200_000 ? {} : /** @type {const} */ ({ day: "numeric", month: "short" });
  return formatDate(at, { hour: "2-digit", minute: "2-digit", ...day });
}

/** Return the bot that plays for the viewer, and the decision that it meets; null if there is none. @param {any} view */
function replacedAt(view) {
  const mine = view.seats[view.mine];
  return mine?.stand_in && !mine.resigned && view.table.phase === "running" ? `${mine.stand_in} ${view.play?.decision?.number}` : null;
}

/** @param {{model: TableModel}} props */
export function Notices({ model }) {
  const view = model.view.value;
  const [run, { refusal, isBusy }] = useRequest();
  const mine = view.mine === null ? null : view.seats[view.mine];
  const replaced = useComputed(() => replacedAt(model.view.value));
  useSignalEffect(() => {
    // A player whose page is open takes the seat back, for this decision or for the next one.
    if (replaced.value !== null) model.request("return_to_seat").catch(() => {});
  });
  const vote = (/** @type {string} */ on, /** @type {boolean} */ agree) => run(() => model.request("vote", { on, agree }));
  const canVote = mine !== null && !mine.resigned;
  const votes = ["pause", "resume", "abandon", "commentary"].filter((on) => view.votes[on]?.length);
  const isPauseShown = view.table.paused && (mine || view.table.went_back);
  const shown = [...(isPauseShown ? ["paused"] : []), ...votes].join();
  // A notice lies over the page, so it can be put aside until another one comes.
  const [aside, setAside] = useState("");
  if (!shown && !refusal) return null;
  if (shown === aside) {
    return (
      <button class="notice-pill" onClick={() => setAside("")}>
        <Icon name="people" />
        {t(votes.length ? "vote.show" : "table.paused")}
      </button>
    );
  }
  return (
    <>
      <button class="notice-aside" aria-label={t("vote.aside")} title={t("vote.aside")} onClick={() => setAside(shown)}>
        <Icon name="close" size={16} />
      </button>
      {isPauseShown && (
        <div class="notice" role="status">
          <p>{t(view.table.went_back ? "event.went_back" : "table.paused")}</p>
          {canVote && !view.votes.resume?.length && (
            <div class="notice-actions">
              <button class="bay" disabled={isBusy} onClick={() => vote("resume", true)}>
                {t("menu.resume")}
              </button>
            </div>
          )}
        </div>
      )}
      {votes.map((on) => (
        <Vote key={on} on={on} view={view} presence={model.presence.value} canVote={canVote} isBusy={isBusy} vote={vote} />
      ))}
      {refusal && (
        <p class="notice error" role="alert">
          {refusal}
        </p>
      )}
    </>
  );
}

/**
 * @param {{on: string, view: any, presence: {away: (number | null)[]} | null, canVote: boolean, isBusy: boolean, vote: (on: string, agree: boolean) => void}} props
 */
function Vote({ on, view, presence, canVote, isBusy, vote }) {
  const agreed = view.votes[on];
  const hasAgreed = agreed.includes(view.mine);
  const now = Date.now();
  const missing = missingVotes(view, on, presence, now);
  const others = missing.map(({ seat }) => seat).filter((seat) => seat !== view.mine);
  const away = missing.filter(({ until }) => until !== null);
  const isAlone = hasAgreed && agreed.length === 1;
  return (
    <div class="notice" role="status" data-vote={on}>
      <p>{t(isAlone ? `vote.${on}.you` : `vote.${on}`, { names: capitalize(formatNames(view, agreed)), count: agreed.length })}</p>
      {others.length > 0 && <p class="small muted">{t("vote.open", { names: formatNames(view, others), count: others.length })}</p>}
      {away.map(({ seat, until }) => (
        <p key={seat} class="small muted">
          {t("vote.away", { name: capitalize(formatNames(view, [seat])), time: moment(/** @type {number} */ (until), now) })}
        </p>
      ))}
      {canVote && (
        <div class="notice-actions">
          {on === "pause" && hasAgreed && !missing.length && (
            // A pause does not begin by itself when nobody is missing any more.
            <button class="bay" disabled={isBusy} onClick={() => vote(on, true)}>
              {t("vote.pause_now")}
            </button>
          )}
          {hasAgreed ? (
            <button class="quiet" disabled={isBusy} onClick={() => vote(on, false)}>
              {t("vote.withdraw")}
            </button>
          ) : (
            <>
              <button class="bay" disabled={isBusy} onClick={() => vote(on, true)}>
                {t("vote.agree")}
              </button>
              <button class="quiet" disabled={isBusy} onClick={() => vote(on, false)}>
                {t("vote.decline")}
              </button>
            </>
          )}
        </div>
      )}
    </div>
  );
}

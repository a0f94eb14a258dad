// Playing on from a moment: which seat, what is hidden, and against whom. It opens a new private table.

import { useState } from "preact/hooks";
import { t } from "../../catalogue/index.js";
import { Chip, Icon } from "../../parts/art.js";
import { preferredStrength, strengthsOf } from "../../parts/bots.js";
import { Segmented } from "../../parts/controls.js";
import { RadioCards } from "../../parts/radio-cards.js";
import { useRequest } from "../../parts/use-request.js";
import { MomentPopover } from "./moment-popover.js";

/** @typedef {{model: import("../../replay-model.js").ReplayModel, store: import("../../store.js").Store, navigate: (path: string) => void}} Props */

/** @param {Props} props */
export function PlayOn(props) {
  return (
    <MomentPopover model={props.model} label={t("replay.play_on")} icon="branch" buttonClass="bay">
      {props.model.isPlayable ? <PlayOnForm {...props} /> : <p>{t("replay.play_on.over")}</p>}
    </MomentPopover>
  );
}

/** @param {Props} props */
function PlayOnForm({ model, store, navigate }) {
  const view = model.view.value;
  const { steps } = model;
  const eyes = steps.eyes.value;
  const game = store.games.value.find(({ name }) => name === view.table.game);
  const strengths = strengthsOf(game);
  const [seat, setSeat] = useState(typeof eyes === "number" ? eyes : (model.me.value ?? 0));
  const [hidden, setHidden] = useState(/** @type {"redealt" | "as_it_was"} */ ("redealt"));
  const [against, setAgainst] = useState(/** @type {"bots" | "friends"} */ ("bots"));
  const [strength, setStrength] = useState(preferredStrength(game));
  const [run, { isBusy, refusal }] = useRequest();
  const step = steps.target.value;
  const begin = (/** @type {Event} */ event) => {
    event.preventDefault();
    run(async () => {
      const bots = against === "bots" ? strength : null;
      const { table, key } = await model.end.socket.request({ type: "play_on", table: model.id, step, seat, hidden, bots, ...(model.key ? { key: model.key } : {}) });
      navigate(`/t/${table}${key ? `#k=${key}` : ""}`);
    });
  };
  const seats = view.seats.map((/** @type {any} */ chair, /** @type {number} */ each) => ({
    value: each,
    label: each === model.me.value ? t("replay.play_on.you") : (chair.name ?? t("seat.bot")),
    picture: <Chip seat={each} size={22} />,
  }));
  const explained = (/** @type {string} */ value) => ({ value, label: t(`replay.play_on.${value}`), note: t(`replay.play_on.${value}.note`) });
  const others = ["bots", "friends"].map((value) => ({ ...explained(value), picture: <Icon name={value === "bots" ? "robot" : "people"} size={22} /> }));
  return (
    <form class="play-on" onSubmit={begin}>
      <p class="small muted">{t("replay.play_on.what", { step })}</p>
      <RadioCards label={t("replay.play_on.seat")} value={seat} onChange={setSeat} options={seats} isPaired />
      <RadioCards label={t("replay.play_on.hidden")} value={hidden} onChange={setHidden} options={["redealt", "as_it_was"].map(explained)} />
      <RadioCards label={t("replay.play_on.others")} value={against} onChange={setAgainst} options={others} />
      {against === "bots" && strengths.length > 1 && (
        <Segmented label={t("replay.play_on.strength")} value={strength} options={strengths.map((value) => ({ value, label: t(`strength.${value}`) }))} onChange={setStrength} />
      )}
      <button class="bay" disabled={isBusy}>
        {t("replay.play_on.begin")}
      </button>
      {refusal && (
        <p class="error" role="alert">
          {refusal}
        </p>
      )}
    </form>
  );
}

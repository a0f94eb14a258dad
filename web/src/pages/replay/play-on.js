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
/**
 * @typedef {object} FormProps
 * @property {import("../../store.js").Store} store
 * @property {(path: string) => void} navigate
 * @property {{id: string, key: string | null, socket: {request: (message: any) => Promise<any>}}} game
 * @property {any} view of the game, with its seats
 * @property {number | null} me the seat of the visitor; null if they did not play
 * @property {number} step from which the game goes on
 * @property {number} firstSeat the seat that is chosen at first
 */

/** @param {Props} props */
export function PlayOn({ model, store, navigate }) {
  const { steps } = model;
  const eyes = steps.eyes.value;
  const me = model.me.value;
  const form = () => (
    <PlayOnForm
      store={store}
      navigate={navigate}
      game={{ id: model.id, key: model.key, socket: model.end.socket }}
      view={model.view.value}
      me={me}
      step={steps.target.value}
      firstSeat={typeof eyes === "number" ? eyes : (me ?? 0)}
    />
  );
  return (
    <MomentPopover model={model} label={t("replay.play_on")} icon="branch" buttonClass="bay">
      {model.isPlayable ? form() : <p>{t("replay.play_on.over")}</p>}
    </MomentPopover>
  );
}

/** @param {FormProps} props */
export function PlayOnForm({ store, navigate, game: { id, key: accessKey, socket }, view, me, step, firstSeat }) {
  const game = store.games.value.find(({ name }) => name === view.table.game);
  const strengths = strengthsOf(game);
  const [seat, setSeat] = useState(firstSeat);
  const [hidden, setHidden] = useState(/** @type {"redealt" | "as_it_was"} */ ("redealt"));
  const [against, setAgainst] = useState(/** @type {"bots" | "friends"} */ ("bots"));
  const [strength, setStrength] = useState(preferredStrength(game));
  const [run, { isBusy, refusal }] = useRequest();
  const begin = (/** @type {Event} */ event) => {
    event.preventDefault();
    run(async () => {
      const bots = against === "bots" ? strength : null;
      const { table, key } = await socket.request({ type: "play_on", table: id, step, seat, hidden, bots, ...(accessKey ? { key: accessKey } : {}) });
      navigate(`/t/${table}${key ? `#k=${key}` : ""}`);
    });
  };
  const seats = view.seats.map((/** @type {any} */ chair, /** @type {number} */ each) => ({
    value: each,
    label: each === me ? t("replay.play_on.you") : (chair.name ?? t("seat.bot")),
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

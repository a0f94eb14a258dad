// What the coach found in a finished game: `/g/ID/coach`, for a seat `/g/ID/coach?eyes=2`. The server compares every
// decision with a better one by playing on; this page asks for that analysis and shows it.

import { useEffect, useMemo } from "preact/hooks";
import { useSignalEffect } from "@preact/signals";
import { t } from "../catalogue/index.js";
import { CoachModel } from "../coach-model.js";
import { Chip } from "../parts/art.js";
import { Segmented } from "../parts/controls.js";
import { GameHeader } from "../parts/game-header.js";
import { lazy, Loading } from "../parts/lazy.js";
import { nameOf } from "../parts/names.js";
import { TouchTooltip } from "../parts/touch-tooltip.js";
import { AddressFollower, gamePath, parseMoment } from "../replay-address.js";
import { socketSource } from "../replay-source.js";
import { Chances } from "./coach/chart.js";
import { PointCard } from "./coach/point-card.js";
import { Progress } from "./coach/progress.js";
import { COACH_SCENES } from "./coach/scenes.js";
import { Summary } from "./coach/summary.js";
import { costText, headline } from "./coach/texts.js";
import { RefusedGame } from "./refused-game.js";
import "../style/table.css";
import "../style/coach-places.css";
import "../style/coach.css";

/** @typedef {import("../main.js").PageProps} PageProps */

/** @param {PageProps} props */
export function Page(props) {
  // With another key, the same address is another page: a game that was refused may be shown.
  return <Coach key={props.route.key} {...props} />;
}

/** @param {PageProps} props */
function Coach(props) {
  const { store, socket, navigate, route } = props;
  const { id, key } = /** @type {{id: string, key: string | null}} */ (route);
  const model = useMemo(() => {
    const { eyes } = parseMoment(location.search);
    const analyse = () => socket.request({ type: "analyse_game", table: id, ...(key ? { key } : {}) });
    return new CoachModel(id, key, socketSource(socket, id, key), analyse, { eyes: typeof eyes === "number" ? eyes : null });
  }, []);
  const user = store.me.value?.id;
  model.user.value = user;
  useEffect(() => {
    if (user !== undefined) model.load();
  }, [model, user !== undefined]);
  useEffect(() => () => model.close(), [model]);
  useSeatInAddress(model);
  if (model.error.value) return <RefusedGame store={store} game={model} error={model.error.value} onAgain={() => model.load()} />;
  const view = model.view.value;
  if (!view) return <Loading />;
  return (
    <div class="game-page coach-page" data-game={view.table.game}>
      <GameHeader store={store} socket={socket} navigate={navigate} id={id} accessKey={key} view={view} active="coach" />
      <main class="coach">{model.findings.value ? <Found {...props} model={model} view={view} findings={model.findings.value} /> : <Progress model={model} />}</main>
      <TouchTooltip />
    </div>
  );
}

/** @param {PageProps & {model: CoachModel, view: any, findings: import("../coach-model.js").Findings}} props */
function Found({ store, socket, navigate, model, view, findings }) {
  const scene = lazy(COACH_SCENES[view.table.game])?.coach;
  const seat = model.seat.value;
  const own = findings.seats[seat];
  useEffect(() => {
    model.loadPositions(seat);
  }, [model, seat]);
  if (!scene) return <p class="muted">{t("coach.loading")}</p>;
  const cost = costText(own);
  const { Tenders } = scene;
  return (
    <>
      <div class="coach-head">
        <div class="coach-headline">
          <h2 class="coach-title">{headline(view, own, seat)}</h2>
          {cost && <p class="muted">{cost}</p>}
          <SeatChoice model={model} view={view} seat={seat} />
        </div>
        <Chances view={view} findings={findings} seat={seat} />
        <Summary view={view} findings={findings} seat={seat} />
      </div>
      {own.points.length > 0 && (
        <ol class="coach-points" aria-label={t("coach.points")} style={{ "--points": own.points.length }}>
          {own.points.map((point, index) => (
            <PointCard
              key={`${seat} ${point.step}`}
              store={store}
              navigate={navigate}
              game={{ id: model.id, key: model.key, socket }}
              scene={scene}
              view={view}
              position={model.positionOf(seat, point.step)}
              findings={findings}
              point={point}
              number={index + 1}
              seat={seat}
            />
          ))}
        </ol>
      )}
      {Tenders && <Tenders view={view} findings={findings} seat={seat} />}
      <p class="small muted coach-note">{t("coach.note", { count: findings.trials })}</p>
    </>
  );
}

/** Whose decisions are shown. @param {{model: CoachModel, view: any, seat: number}} props */
function SeatChoice({ model, view, seat }) {
  const options = view.seats.map((/** @type {any} */ _, /** @type {number} */ each) => ({
    value: each,
    // A phone has room for the name of the chosen seat alone.
    label: <span class={each === seat ? "cut" : "coach-other"}>{nameOf(view, each)}</span>,
    picture: <Chip seat={each} size={22} />,
  }));
  return (
    <div class="coach-seats">
      <span class="small muted" aria-hidden="true">
        {t("coach.eyes")}
      </span>
      <Segmented label={t("coach.eyes")} value={seat} options={options} onChange={(value) => (model.chosen.value = value)} />
    </div>
  );
}

/** Keep the chosen seat in the address. @param {CoachModel} model */
function useSeatInAddress(model) {
  const follower = useMemo(() => new AddressFollower(), [model]);
  useEffect(() => () => follower.stop(), [follower]);
  useSignalEffect(() => {
    if (model.chosen.value !== null && model.view.value) follower.follow(gamePath(model.id, "coach", { eyes: model.seat.value, key: model.key }));
  });
}

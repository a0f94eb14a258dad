// A turning point: what was done, what would have been better and why, what that was worth, and the ways there.

import { t } from "../../catalogue/index.js";
import { CERTAIN } from "../../coach-model.js";
import { Icon, SEAT_COLOURS } from "../../parts/art.js";
import { Link } from "../../parts/link.js";
import { TitledPopover } from "../../parts/titled-popover.js";
import { nameInSentence } from "../../parts/names.js";
import { momentPath } from "../../replay-address.js";
import { PlayOnForm } from "../replay/play-on.js";
import { Flag } from "./chart.js";
import { isTooClose, kindText, percent, pointTitle, rangeText, reasonText, stageText } from "./texts.js";
import "../../style/replay-share.css";

/** @typedef {import("../../coach-model.js").TurningPoint} TurningPoint */

/**
 * @param {object} props
 * @param {import("../../store.js").Store} props.store
 * @param {(path: string) => void} props.navigate
 * @param {{id: string, key: string | null, socket: import("../../socket.js").Socket}} props.game
 * @param {import("./scenes.js").CoachScene} props.scene
 * @param {any} props.view at the end of the game
 * @param {any} props.position the view in which it was decided; null until it is there
 * @param {import("../../coach-model.js").Findings} props.findings
 * @param {TurningPoint} props.point
 * @param {number} props.number
 * @param {number} props.seat
 */
export function PointCard({ store, navigate, game, scene, view, position, findings, point, number, seat }) {
  const name = view.table.game;
  // Without the position, what does not change in a game is read from its end.
  const at = position ?? view;
  const { Place } = scene;
  const hasPlace = scene.hasPlace(point, findings);
  const priceText = (/** @type {number} */ amount) => scene.priceText(amount, point.played);
  const title = pointTitle(name, point, view, priceText);
  return (
    <li class="coach-point card" aria-labelledby={`point-${number}`}>
      <header>
        <Flag number={number} />
        <span class="small coach-when">{[stageText(point.stage), kindText(name, point.kind)].filter(Boolean).join(" · ")}</span>
        <Cost point={point} />
      </header>
      <h3 id={`point-${number}`}>
        <span class="hidden-visually">{t("coach.moment", { number })}: </span>
        {title}
      </h3>
      <div class={`coach-choices ${!hasPlace ? "" : scene.isWide ? "below-place" : "with-place"}`}>
        {hasPlace && (
          // The sentences beside it say the same.
          <div class="coach-place" inert aria-hidden="true">
            {position && <Place point={point} view={position} seat={seat} findings={findings} />}
          </div>
        )}
        <Choice scene={scene} label={t(seat === view.mine ? "coach.did.you" : "coach.did", { name: nameInSentence(view, seat) })} command={point.played} view={at} seat={seat} />
        <Choice scene={scene} label={t("coach.better_label")} command={point.better} view={at} seat={seat} isBetter />
      </div>
      <p class="coach-reason">{reasonText(point, view, priceText)}</p>
      <Instead point={point} seat={seat} />
      <div class="coach-ways">
        <Link to={momentPath(game.id, { step: point.step - 1, eyes: seat }, game.key)} class="button">
          <Icon name="play" size={16} />
          {t("coach.see")}
        </Link>
        <TitledPopover label={t("replay.play_on")} icon="branch" buttonClass="coach-play-on" align="start">
          <PlayOnForm store={store} navigate={navigate} game={game} view={view} me={view.mine} step={point.step - 1} firstSeat={seat} />
        </TitledPopover>
      </div>
    </li>
  );
}

/** "−7 % chance" @param {{point: TurningPoint}} props */
function Cost({ point }) {
  if (isTooClose(point)) return <span class="coach-cost close">{t("coach.too_close")}</span>;
  const text = t("coach.cost.badge", { value: -percent(point.cost[0]) });
  return (
    <span class="coach-cost" title={rangeText(point.cost)}>
      {text}
    </span>
  );
}

/** @param {{scene: import("./scenes.js").CoachScene, label: string, command: any, view: any, seat: number, isBetter?: boolean}} props */
function Choice({ scene: { Picture, commandText }, label, command, view, seat, isBetter = false }) {
  return (
    <div class={isBetter ? "coach-choice better" : "coach-choice"}>
      <p class="small coach-choice-label">{label}</p>
      <div class="coach-choice-text">
        <span class="coach-picture" aria-hidden="true">
          <Picture command={command} view={view} seat={seat} />
        </span>
        <p>{commandText(command, view, seat)}</p>
      </div>
    </div>
  );
}

/** The chance to win after both choices, with the intervals of the trials. @param {{point: TurningPoint, seat: number}} props */
function Instead({ point: { chance, better_chance: better }, seat }) {
  const width = (/** @type {number} */ value) => `${(100 * Math.min(CERTAIN, Math.max(0, value))) / CERTAIN}%`;
  const whisker = (/** @type {import("../../coach-model.js").Estimate} */ [, low, high]) => ({ left: width(low), width: width(high - low) });
  return (
    <div class="coach-instead">
      <p>
        <span class="small muted">{t("coach.to_win")}</span> <b>{t("coach.instead", { value: percent(chance[0]), better: percent(better[0]) })}</b>
      </p>
      <div class={`coach-scale seat-${SEAT_COLOURS[seat]}`} aria-hidden="true">
        <i class="coach-scale-better" style={{ width: width(better[0]) }} />
        <i class="coach-scale-now" style={{ width: width(chance[0]) }} />
        <i class="coach-whisker" style={whisker(chance)} />
        <i class="coach-whisker better" style={whisker(better)} />
      </div>
      <p class="small muted">{t("coach.ranges", { played: rangeText(chance), better: rangeText(better) })}</p>
    </div>
  );
}

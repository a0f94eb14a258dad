// The controls of a replay: steps, playing, speed, what a step is, and whose eyes see the game.

import { signal } from "@preact/signals";
import { t } from "../../catalogue/index.js";
import { Chip, Icon } from "../../parts/art.js";
import { Segmented, Select } from "../../parts/controls.js";
import { layout } from "../../parts/layout.js";
import { RadioCards } from "../../parts/radio-cards.js";
import { TitledPopover } from "../../parts/titled-popover.js";
import { SPEEDS } from "../../replay-player.js";
import "../../style/replay-controls.css";

/** @typedef {import("../../replay-model.js").ReplayModel} ReplayModel */

/** Whether all eyes have room in a row. */
const roomQuery = globalThis.matchMedia?.("(min-width: 1380px)");
const hasRoom = signal(roomQuery?.matches ?? false);
roomQuery?.addEventListener("change", () => (hasRoom.value = roomQuery.matches));

/** @param {{model: ReplayModel, onHelp: () => void}} props */
export function Controls({ model, onHelp }) {
  const isNarrow = layout.value === "middle";
  return (
    <div class="replay-controls">
      <StepButtons model={model} />
      {!isNarrow && (
        <>
          <SpeedChoice model={model} />
          <ByChoice model={model} />
        </>
      )}
      <Where model={model} />
      <Eyes model={model} />
      {isNarrow ? (
        <TitledPopover label={t("replay.pace")} icon="clock" buttonClass="step-button" hasLabel={false}>
          <Pace model={model} />
        </TitledPopover>
      ) : (
        <button type="button" class="step-button" aria-label={t("replay.keys")} title={t("replay.keys")} onClick={onHelp}>
          <b aria-hidden="true">?</b>
        </button>
      )}
    </div>
  );
}

/** The controls of a phone: what a thumb needs in the row, the rest in a sheet. @param {{model: ReplayModel, children: any}} props */
export function PhoneControls({ model, children }) {
  return (
    <div class="replay-controls phone-controls">
      {children}
      <StepButtons model={model} isShort />
      <TitledPopover label={t("replay.settings")} icon="eye" buttonClass="step-button" hasLabel={false}>
        <EyesCards model={model} />
        <Pace model={model} />
      </TitledPopover>
    </div>
  );
}

/** Speed and steps below each other. @param {{model: ReplayModel}} props */
function Pace({ model }) {
  return (
    <>
      <div class="replay-setting">
        <p class="small muted">{t("replay.speed")}</p>
        <SpeedChoice model={model} />
      </div>
      <div class="replay-setting">
        <p class="small muted">{t("replay.by")}</p>
        <ByChoice model={model} isWide />
      </div>
    </>
  );
}

/** @param {{model: ReplayModel, isShort?: boolean}} props */
export function StepButtons({ model, isShort = false }) {
  const { player, steps } = model;
  const isPlaying = player.isPlaying.value;
  const [at, last] = [steps.target.value, steps.last.value];
  const to = (/** @type {"first" | "previous" | "next" | "last"} */ name, /** @type {() => void} */ go, /** @type {boolean} */ isDisabled) => (
    <button
      type="button"
      class="step-button"
      aria-label={t(`replay.${name}`)}
      title={t(`replay.${name}`)}
      aria-disabled={isDisabled || undefined}
      onClick={() => {
        player.stop();
        go();
      }}
    >
      <Icon name={name} />
    </button>
  );
  return (
    <div class="step-buttons" role="group" aria-label={t("replay.steps")}>
      {!isShort && to("first", () => player.goTo(0), at === 0)}
      {to("previous", () => player.previous(), at === 0 && !player.shownLine)}
      <button type="button" class="bay play-button" aria-label={t(isPlaying ? "replay.pause" : "replay.play")} title={t(isPlaying ? "replay.pause" : "replay.play")} onClick={() => player.toggle()}>
        <Icon name={isPlaying ? "pause" : "play"} size={22} />
      </button>
      {to("next", () => player.next(), player.isAtEnd)}
      {!isShort && to("last", () => player.goTo(last), at === last)}
    </div>
  );
}

/** @param {{model: ReplayModel}} props */
function SpeedChoice({ model }) {
  const { player } = model;
  const options = SPEEDS.map((value) => ({ value, label: value === 0.5 ? "½×" : `${value}×` }));
  return <Segmented class="speed-choice" label={t("replay.speed")} value={player.speed.value} options={options} onChange={(speed) => player.setSpeed(speed)} />;
}

/** @param {{model: ReplayModel, isWide?: boolean}} props */
function ByChoice({ model, isWide = false }) {
  const { player } = model;
  const options = ["decision", "event"].map((value) => ({ value, label: t(`replay.by.${value}`), note: t(`replay.by.${value}.note`) }));
  if (isWide || hasRoom.value) return <Segmented class="by-choice" label={t("replay.by")} value={player.by.value} options={options} onChange={(by) => player.setBy(by)} />;
  return <Select class="by-select" label={t("replay.by")} value={player.by.value} options={options} onChange={(by) => player.setBy(by)} />;
}

/** Where the shown step is: "Round 12 of 21, step 148 of 267". @param {{model: ReplayModel}} props */
export function Where({ model }) {
  const { steps } = model;
  const title = sectionText(model, model.section);
  const line = model.player.shownLine;
  const count = t("replay.count", { step: steps.target.value, steps: steps.last.value });
  return (
    <p class="replay-where">
      {title && <b>{title}</b>} <span class="small muted step-count">{line === null ? count : t("replay.count.event", { count: line + 1, events: Math.max(1, model.lines.value.length), steps: count })}</span>
    </p>
  );
}

/** Return the name of a round or year: "Round 12 of 21". @param {ReplayModel} model @param {import("../../replay-timeline.js").Section | null} section */
export function sectionText(model, section) {
  if (section?.text) return section.text;
  if (!section?.name) return "";
  const values = model.sections.value.map(({ value }) => value);
  return t(`replay.section.${section.name}`, { value: section.value, count: section.value, last: Math.max(...values) });
}

/** Return all eyes, with the words for each. @param {ReplayModel} model */
function eyesOf(model) {
  const view = model.view.value;
  const me = model.me.value;
  const seats = view.seats.map((/** @type {any} */ chair, /** @type {number} */ seat) => ({
    value: seat,
    label: seat === me ? t("replay.eyes.you") : t("replay.eyes.seat", { name: chair.name ?? t("seat.bot") }),
    seat,
  }));
  return [
    { value: "all", label: t("replay.eyes.all"), note: t("replay.eyes.all.note") },
    ...seats,
    { value: "spectators", label: t("replay.eyes.spectators"), note: t("replay.eyes.spectators.note") },
  ];
}

/** @param {{model: ReplayModel}} props */
function Eyes({ model }) {
  const eyes = model.steps.eyes.value;
  const all = eyesOf(model);
  if (!hasRoom.value) return <Select class="eyes-select" label={t("replay.eyes")} icon="eye" value={eyes} options={all} onChange={(value) => model.setEyes(value)} align="end" />;
  // The seats are their chips; the chosen one says its name.
  const options = all.map(({ value, label, seat }) => ({
    value,
    label: /** @type {any} */ (value === "spectators" ? t("replay.eyes.spectators.short") : seat === undefined || seat === eyes ? label : <span class="hidden-visually">{label}</span>),
    picture: seat === undefined ? value === "all" && <Icon name="eye" /> : <Chip seat={seat} size={22} />,
  }));
  return <Segmented class="eyes-choice" label={t("replay.eyes")} value={eyes} options={options} onChange={(value) => model.setEyes(value)} />;
}

/** All eyes below each other. @param {{model: ReplayModel}} props */
function EyesCards({ model }) {
  const options = eyesOf(model).map((each) => ({
    ...each,
    picture: each.seat === undefined ? <Icon name={each.value === "all" ? "eye" : "people"} size={22} /> : <Chip seat={each.seat} size={22} />,
  }));
  return <RadioCards label={t("replay.eyes")} value={model.steps.eyes.value} options={options} onChange={(value) => model.setEyes(value)} />;
}

// How a game works, in three pictures with a sentence each, and all of its rules in a drawer.

import { useRef, useState } from "preact/hooks";
import { t } from "../../catalogue/index.js";
import { Icon } from "../../parts/art.js";
import { lazy } from "../../parts/lazy.js";
import { RulesDrawer } from "../../parts/rules.js";
import { SCENES } from "../scenes.js";
import { Bold } from "../../parts/bold.js";
import { DRAWINGS } from "./table-drawing.js";

/** @param {{room: import("./room.js").Room}} props */
export function HowCard({ room }) {
  const { game } = room.view.table;
  const [isOpen, setOpen] = useState(false);
  /** @type {import("preact").RefObject<HTMLButtonElement>} */
  const opener = useRef(null);
  const close = () => {
    setOpen(false);
    opener.current?.focus();
  };
  const steps = DRAWINGS[game]?.STEPS ?? [];
  return (
    <section class="card waiting-card how-card" aria-labelledby="how-title">
      <div class="card-head">
        <h2 id="how-title">{t("waiting.how", { game: t(`game.${game}`) })}</h2>
        <button ref={opener} class="quiet card-link" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          <Icon name="book" size={16} />
          {t("waiting.rules")}
        </button>
      </div>
      <ol class="how">
        {steps.map((Step, index) => (
          <li key={index}>
            <svg viewBox="0 0 160 76" aria-hidden="true">
              <Step />
            </svg>
            <p class="small">
              <Bold text={t(`how.${game}.${index + 1}`)} />
            </p>
          </li>
        ))}
      </ol>
      {isOpen && <Rules room={room} onClose={close} />}
    </section>
  );
}

/** @param {{room: import("./room.js").Room, onClose: () => void}} props */
function Rules({ room, onClose }) {
  const scene = lazy(SCENES[room.view.table.game])?.scene;
  if (!scene) return null;
  // Nothing is happening yet, so no part of the rules is marked.
  return <RulesDrawer scene={{ ...scene, rulesPart: () => "" }} model={room.model} onClose={onClose} />;
}

// The effects of the selected command, as the server previews them: sentences, or symbols with a number where those
// have no room.

import { useLayoutEffect, useRef } from "preact/hooks";
import { t } from "../../catalogue/index.js";
import { previewOf } from "../../parts/use-preview.js";
import { changesOf } from "./changes.js";
import { effectsOf } from "./effects.js";
import { Symbol } from "./card-face.js";
import { halvesText } from "./labels.js";

/** @param {{model: import("../../store.js").TableModel, interaction: import("./interaction.js").Interaction, title: string}} props */
export function Preview({ model, interaction, title }) {
  const view = model.gameView.value;
  const game = view.play.game;
  const after = previewOf(model, interaction.previewable)?.game ?? null;
  const changes = after && changesOf(game, after, view.mine);
  const effects = changes ? effectsOf(game, after, changes, view.mine) : [];
  const frame = useTightening();
  return (
    <section ref={frame} class="pl-preview card" aria-live="polite" aria-busy={!after}>
      <header>
        <b>{title}</b>
        {changes && (
          <span class="pl-gain serif" title={t("planners.points.now")}>
            {halvesText(changes.points.from)}
            {changes.points.to !== changes.points.from && (
              <>
                {" → "}
                <em>{halvesText(changes.points.to)}</em>
              </>
            )}
          </span>
        )}
      </header>
      <ul>
        {effects.map(({ symbol, tone, text, short }) => (
          <li key={text} class={tone ? `tone-${tone}` : ""} title={text} data-tooltip>
            <Symbol name={symbol} width={22} />
            <span class="pl-effect">{text}</span>
            <b class="pl-effect-short" aria-hidden="true">
              {short}
            </b>
          </li>
        ))}
        {changes && !effects.length && <li class="muted">{t("planners.effect.none")}</li>}
      </ul>
    </section>
  );
}

/** Return a ref for an element that gets the attribute `data-tight` while its sentences do not fit. */
function useTightening() {
  /** @type {import("preact").RefObject<HTMLElement>} */
  const frame = useRef(null);
  const tighten = () => {
    const element = frame.current;
    if (!element) return;
    delete element.dataset.tight;
    const around = [element, element.closest(".hand-row"), element.closest(".bottom")];
    const overflows = (/** @type {Element | null} */ each) => each !== null && getComputedStyle(each).overflowY !== "visible" && each.scrollHeight > each.clientHeight + 1;
    if (around.some(overflows)) element.dataset.tight = "";
  };
  useLayoutEffect(tighten);
  useLayoutEffect(() => {
    addEventListener("resize", tighten);
    return () => removeEventListener("resize", tighten);
  }, []);
  return frame;
}

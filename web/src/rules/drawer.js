// What the drawer of the rules shows: the rules in short with the part that is happening now, the summary card, or all
// rules, opened at the one that was asked for.

import { useEffect, useRef, useState } from "preact/hooks";
import { t } from "../catalogue/index.js";
import { Icon } from "../parts/art.js";
import { Segmented } from "../parts/controls.js";
import { OpenRule } from "./rule-link.js";
import { ChapterText, optionName } from "./rule-text.js";
import { searchRules, wordsOf } from "./search.js";
import { SummaryCard } from "./summary.js";
import { rulesOf } from "./texts.js";
import "../style/rule-text.css";
import "../style/rules-drawer.css";

/** What the player chose to read last. @type {"short" | "card" | "whole"} */
let lastView = "short";

/**
 * @param {object} props
 * @param {import("../pages/table.js").Scene} props.scene
 * @param {any} props.view
 * @param {import("../parts/rules.js").Asked} props.asked
 */
export function DrawerContent({ scene, view, asked }) {
  const { game } = view.table;
  const [shown, setShown] = useState(asked.rule ? "whole" : lastView);
  const [target, setTarget] = useState(/** @type {{rule: string} | null} */ (null));
  useEffect(() => {
    if (asked.rule) open(asked.rule);
  }, [asked]);
  const choose = (/** @type {"short" | "card" | "whole"} */ value) => {
    lastView = value;
    setShown(value);
    setTarget(null);
  };
  const open = (/** @type {string} */ rule) => {
    setShown("whole");
    setTarget({ rule });
  };
  const options = ["short", "card", "whole"].map((value) => ({ value, label: t(`rulebook.view.${value}`) }));
  return (
    <OpenRule.Provider value={open}>
      <Segmented class="rules-views" label={t("rulebook.view")} value={shown} options={options} onChange={choose} />
      {shown === "short" && <ShortRules scene={scene} view={view} />}
      {shown === "card" && (
        <div class="rules-text" tabIndex={0} role="group" aria-label={t("rulebook.view.card")}>
          <SummaryCard game={game} />
        </div>
      )}
      {shown === "whole" && <WholeRules game={game} target={target} onRule={open} />}
    </OpenRule.Provider>
  );
}

/** @param {{scene: import("../pages/table.js").Scene, view: any}} props */
function ShortRules({ scene, view }) {
  const now = scene.rulesPart(view);
  const { game } = view.table;
  /** @type {import("preact").RefObject<HTMLDivElement>} */
  const text = useRef(null);
  useEffect(() => text.current?.querySelector(".now")?.scrollIntoView({ block: "center" }), []);
  return (
    <div class="rules-text" ref={text} tabIndex={0} role="group" aria-label={t("rulebook.view.short")}>
      {scene.rules.map((part) => (
        <section key={part} class={part === now ? "now" : ""}>
          {part === now && <p class="small now-mark">{t("rules.now")}</p>}
          <h3>{t(`rules.${game}.${part}.title`)}</h3>
          <p>{t(`rules.${game}.${part}`)}</p>
        </section>
      ))}
    </div>
  );
}

/** @param {{game: string, target: {rule: string} | null, onRule: (rule: string) => void}} props */
function WholeRules({ game, target, onRule }) {
  const rules = rulesOf(game);
  const [query, setQuery] = useState("");
  /** @type {import("preact").RefObject<HTMLDivElement>} */
  const text = useRef(null);
  // A rule that is asked for must not be hidden by a search.
  useEffect(() => setQuery(""), [target]);
  const isReady = rules !== null && query === "";
  useEffect(() => {
    if (!target || !isReady) return;
    const node = /** @type {HTMLElement | null | undefined} */ (text.current?.querySelector(`[data-rule="${target.rule}"]`));
    node?.scrollIntoView({ block: "start" });
    node?.focus({ preventScroll: true });
  }, [target, isReady]);
  const words = wordsOf(query);
  const chapters = rules ? searchRules(rules.chapters, words, (option) => optionName(game, option)) : [];
  return (
    <>
      <div class="rules-search">
        <input type="search" value={query} aria-label={t("rulebook.search")} placeholder={t("rulebook.search")} onInput={(event) => setQuery(event.currentTarget.value)} />
        <a class="tool" href={`/rules/${game}`} target="_blank" aria-label={t("rulebook.page")} title={t("rulebook.page")}>
          <Icon name="book" />
        </a>
      </div>
      <div class="rules-text whole" ref={text} tabIndex={0} role="group" aria-label={t("rulebook.view.whole")} aria-busy={rules === null}>
        {chapters.map((chapter) => (
          <ChapterText key={chapter.number} chapter={chapter} reading={{ game, words, target: target?.rule ?? null, level: 3, isPage: false, onRule }} />
        ))}
        {rules && !chapters.length && <p class="muted">{t("rulebook.none")}</p>}
        {rules && !words.length && <p class="small muted rules-source">† {t("rulebook.mark.ruling")}</p>}
      </div>
    </>
  );
}

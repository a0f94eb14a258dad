// How to play: the whole rules of each game, with a table of contents, a search, figures and an address for every rule.

import { useEffect, useState } from "preact/hooks";
import { language, t } from "../catalogue/index.js";
import { Icon } from "../parts/art.js";
import { Link } from "../parts/link.js";
import { GameBadge } from "../parts/site-art.js";
import { SitePage } from "../parts/site-bar.js";
import { FiguresOf, useFigures } from "../rules/figures.js";
import { ChapterText, optionName } from "../rules/rule-text.js";
import { searchRules, wordsOf } from "../rules/search.js";
import { RULES, rulesOf } from "../rules/texts.js";
import "../style/lists.css";
import "../style/rule-text.css";
import "../style/rules-page.css";
import "../style/rules-print.css";

/** @typedef {import("../rules/texts.js").Rules} Rules */

/** @param {import("../main.js").PageProps} props */
export function Page({ store, route }) {
  const game = route.game && route.game in RULES ? route.game : "investors";
  return (
    <SitePage store={store} active="learn">
      <main class="site-wrap rules-page">
        <h1 class="page-title">{t("rules_page.title", { game: t(`game.${game}`) })}</h1>
        <nav class="rules-games" aria-label={t("rules_page.games")}>
          {Object.keys(RULES).map((each) => (
            <Link key={each} to={`/rules/${each}`} class="button" aria-current={each === game ? "page" : undefined}>
              <GameBadge game={each} size={28} />
              {t(`game.${each}`)}
            </Link>
          ))}
        </nav>
        <WholeRules key={game} game={game} />
      </main>
    </SitePage>
  );
}

/** Return the rule of the address, without the number sign. */
function ruleOfAddress() {
  return decodeURIComponent(location.hash.slice(1)) || null;
}

/** @param {{game: string}} props */
function WholeRules({ game }) {
  const rules = rulesOf(game);
  const [query, setQuery] = useState("");
  const words = wordsOf(query);
  const figures = useFigures(game);
  const target = useTarget(`${rules !== null} ${figures.length}`, () => setQuery(""));
  if (!rules) return <div class="rules-columns" aria-busy="true" />;
  const chapters = searchRules(rules.chapters, words, (option) => optionName(game, option));
  const reading = { game, words, target, level: /** @type {const} */ (2), isPage: true, after: (/** @type {string} */ rule) => <FiguresOf figures={figures} rule={rule} /> };
  return (
    <div class="rules-columns">
      <aside class="rules-aside">
        <Search query={query} onQuery={setQuery} count={words.length ? chapters.flatMap((chapter) => chapter.rules).length : null} />
        <Contents chapters={rules.chapters} />
      </aside>
      <article class="rules-text card" lang={language.value}>
        {!words.length && <Preface rules={rules} />}
        {chapters.map((chapter) => (
          <ChapterText key={chapter.number} chapter={chapter} reading={reading} />
        ))}
        {!words.length && (
          <Link to="/" class="button rules-back">
            <Icon name="play" size={16} />
            {t("rules_page.to_games")}
          </Link>
        )}
      </article>
    </div>
  );
}

/**
 * Return the rule of the address, and scroll to it as soon as it is there, and again when figures have moved it.
 * @param {string} loaded what has been fetched @param {() => void} onTarget
 */
function useTarget(loaded, onTarget) {
  const [target, setTarget] = useState(ruleOfAddress);
  useEffect(() => {
    const follow = () => {
      // A rule that is asked for must not be hidden by a search.
      onTarget();
      setTarget(ruleOfAddress());
    };
    addEventListener("hashchange", follow);
    return () => removeEventListener("hashchange", follow);
  }, []);
  useEffect(() => {
    if (target) document.getElementById(target)?.scrollIntoView({ block: "start" });
  }, [target, loaded]);
  return target;
}

/** @param {{query: string, onQuery: (query: string) => void, count: number | null}} props */
function Search({ query, onQuery, count }) {
  return (
    <search class="rules-search">
      <input type="search" value={query} aria-label={t("rulebook.search")} placeholder={t("rulebook.search")} onInput={(event) => onQuery(event.currentTarget.value)} />
      <p class="small muted" role="status">
        {count === null ? "" : count ? t("rulebook.found", { count }) : t("rulebook.none")}
      </p>
    </search>
  );
}

/** @param {{chapters: Rules["chapters"]}} props */
function Contents({ chapters }) {
  return (
    <nav class="rules-contents" aria-labelledby="rules-contents">
      <h2 id="rules-contents">{t("rulebook.contents")}</h2>
      <ol>
        {chapters.map(({ number, title }) => (
          <li key={number}>
            <a href={`#${number}`}>
              <span class="rules-chapter-number">{number}</span> {title}
            </a>
          </li>
        ))}
      </ol>
      <button type="button" class="rules-print" onClick={() => print()}>
        {t("rulebook.print")}
      </button>
    </nav>
  );
}

/** Whose game it is, and what the marks mean. @param {{rules: Rules}} props */
function Preface({ rules }) {
  return (
    <section class="rules-preface" aria-label={t("rulebook.marks")}>
      <p>{rules.source}</p>
      <dl class="rules-marks small">
        <div>
          <dt class="rule-ruling">†</dt>
          <dd>{t("rulebook.mark.ruling")}</dd>
        </div>
        <div>
          <dt>
            <span class="rule-badge">{t("rulebook.reconstructed")}</span>
          </dt>
          <dd>{t("rulebook.mark.reconstructed")}</dd>
        </div>
        <div>
          <dt>
            <em class="rule-option">{t("rulebook.option")}</em>
          </dt>
          <dd>{t("rulebook.mark.option")}</dd>
        </div>
      </dl>
    </section>
  );
}

// How games can be verified: what it proves, what it does not, and how to check a game without this site.

import { t } from "../catalogue/index.js";
import { SitePage } from "../parts/site-bar.js";
import "../style/lists.css";
import "../style/fairness-page.css";

/** The points of each list. */
const PROVES = [1, 2, 3, 4];
const PROVES_NOT = [1, 2, 3, 4, 5];

/** @param {import("../main.js").PageProps} props */
export function Page({ store }) {
  return (
    <SitePage store={store} active="learn">
      <main class="site-wrap fairness-page">
        <h1 class="page-title">{t("fairpage.title")}</h1>
        <article class="card fairness-text">
          <p>{t("fairpage.shuffle")}</p>
          <p>{t("fairpage.sealed")}</p>
          <p>{t("fairpage.devices")}</p>
          <p>{t("fairpage.chain")}</p>
          <p>{t("fairpage.nothing")}</p>
          <h2>{t("fairpage.proves")}</h2>
          <ul>
            {PROVES.map((point) => (
              <li key={point}>{t(`fairpage.proves.${point}`)}</li>
            ))}
          </ul>
          <h2>{t("fairpage.not")}</h2>
          <ul>
            {PROVES_NOT.map((point) => (
              <li key={point}>{t(`fairpage.not.${point}`)}</li>
            ))}
          </ul>
          <h2>{t("fairpage.yourself")}</h2>
          <p>{t("fairpage.yourself.text")}</p>
          <pre>
            <code>sanfrancisco verify FILE</code>
          </pre>
        </article>
      </main>
    </SitePage>
  );
}

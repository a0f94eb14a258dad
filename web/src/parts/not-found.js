// The page for an address that leads nowhere: it says so, and leads home.

import { t } from "../catalogue/index.js";
import { Link } from "./link.js";
import { Logo } from "./site-art.js";
import { SitePage } from "./site-bar.js";
import "../style/not-found.css";

/** @param {{store: import("../store.js").Store, title: string, sentence: string, children?: any}} props `children`: further ways out */
export function NotFound({ store, title, sentence, children }) {
  return (
    <SitePage store={store}>
      <main class="site-wrap not-found">
        <Logo size={72} />
        <h1>{title}</h1>
        <p role="alert">{sentence}</p>
        <p>
          {children}
          <Link to="/" class="button">
            {t("unknown.home")}
          </Link>
        </p>
      </main>
    </SitePage>
  );
}

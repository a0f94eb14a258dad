// The page of an address that does not exist.

import { t } from "../catalogue/index.js";
import { NotFound } from "../parts/not-found.js";

/** @param {import("../main.js").PageProps} props */
export function Page({ store }) {
  return <NotFound store={store} title={t("unknown.title")} sentence={t("unknown.sentence")} />;
}

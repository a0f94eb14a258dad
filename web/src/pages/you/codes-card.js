// Ten recovery codes, shown once: to copy, to print, to save as a file. They stay until the person says that they are
// kept: in another language and after a visit to another page too. Leaving the site asks first.

import { effect, signal } from "@preact/signals";
import { useEffect, useRef, useState } from "preact/hooks";
import { t } from "../../catalogue/index.js";
import { Icon } from "../../parts/art.js";
import { dateText } from "../../parts/figures.js";

/** The codes that must still be shown. */
export const newCodes = signal(/** @type {string[] | null} */ (null));

const onLeave = (/** @type {Event} */ event) => event.preventDefault();
effect(() => {
  if (newCodes.value) addEventListener("beforeunload", onLeave);
  else globalThis.removeEventListener?.("beforeunload", onLeave);
});

/** Return the codes as a text to keep. @param {string} handle @param {string[]} codes @param {string} site @param {number} [now] */
export function codesText(handle, codes, site, now = Date.now()) {
  return [t("codes.sheet", { site }), t("codes.sheet_who", { handle, date: dateText(now) }), "", ...codes, "", t("codes.once"), ""].join("\n");
}

/** @param {{codes: string[], handle: string}} props */
export function CodesCard({ codes, handle }) {
  const [isCopied, setCopied] = useState(false);
  /** @type {import("preact").RefObject<HTMLHeadingElement>} */
  const title = useRef(null);
  useEffect(() => {
    title.current?.focus();
    title.current?.scrollIntoView({ block: "center" });
  }, []);
  const text = () => codesText(handle, codes, location.host);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text());
      setCopied(true);
    } catch {
      // Without permission there is no clipboard: the codes are selected, to be copied by hand.
      getSelection()?.selectAllChildren(/** @type {HTMLElement} */ (document.querySelector(".codes")));
    }
  };
  const save = () => {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([text()], { type: "text/plain" }));
    link.download = `san-francisco-tables-${handle}.txt`;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
  };
  return (
    <section class="card you-card codes-card" aria-labelledby="codes-title">
      <h2 id="codes-title" ref={title} tabIndex={-1}>
        {t("codes.title")}
      </h2>
      <p class="codes-print-only">
        {t("codes.sheet", { site: location.host })}
        <br />
        {t("codes.sheet_who", { handle, date: dateText(Date.now()) })}
      </p>
      <p>{t("codes.once")}</p>
      <ol class="codes">
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ol>
      <p class="small muted codes-never">{t("codes.never_again")}</p>
      <div class="codes-actions">
        <button type="button" onClick={copy}>
          <Icon name={isCopied ? "check" : "copy"} />
          <span role="status">{t(isCopied ? "invite.copied" : "invite.copy")}</span>
        </button>
        <button type="button" onClick={() => print()}>
          <Icon name="book" />
          {t("codes.print")}
        </button>
        <button type="button" onClick={save}>
          <Icon name="download" />
          {t("codes.save")}
        </button>
        <button type="button" class="bay codes-kept" onClick={() => (newCodes.value = null)}>
          {t("codes.kept")}
        </button>
      </div>
    </section>
  );
}

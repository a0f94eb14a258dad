// The style of each page is a file of its own, and only that of the shown page applies. The document has a link to each:
// disabled ones are fetched when they are enabled here.

import { signal } from "@preact/signals";

/** @type {Map<string, import("@preact/signals").Signal<boolean>>} */
const loaded = new Map();

/**
 * Apply the style of something that stands on one page beside its own, or on every page, whichever is shown.
 * @param {string} name @param {string} [page]
 */
export function addStyle(name, page) {
  const link = /** @type {HTMLLinkElement | null} */ (document.querySelector(`link[data-page="${name}"]`));
  if (!link) return;
  link.disabled = false;
  delete link.dataset.page;
  if (page) link.dataset.beside = page;
}

/** Apply the style of a page, and return whether it has been loaded. @param {string} page */
export function hasStyle(page) {
  const links = [...document.querySelectorAll("link[data-page]")].map((link) => /** @type {HTMLLinkElement} */ (link));
  const wanted = links.find((link) => link.dataset.page === page);
  if (!wanted) return true;
  let isLoaded = loaded.get(page);
  if (!isLoaded) {
    const fresh = signal(wanted.sheet !== null && !wanted.disabled);
    const done = () => (fresh.value = true);
    // A page without its style is better than none.
    for (const event of ["load", "error"]) wanted.addEventListener(event, done, { once: true });
    wanted.disabled = false;
    loaded.set(page, fresh);
    isLoaded = fresh;
  }
  if (!isLoaded.value) return false;
  // A style that does not apply stays loaded, so that going back to its page is instant.
  for (const link of links) if (!link.disabled) link.media = link === wanted ? "all" : "not all";
  const others = /** @type {NodeListOf<HTMLLinkElement>} */ (document.querySelectorAll("link[data-beside]"));
  for (const link of others) link.media = link.dataset.beside === page ? "all" : "not all";
  return true;
}

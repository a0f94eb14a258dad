// What the player can do now, read from the page itself: it has the same names as its parts, whatever the game.

import { t } from "../catalogue/index.js";
import { asSentences } from "./sentences.js";

/** The most things of a kind that are named. */
const MAX_NAMED = 12;

const PLACES = ".middle [role=gridcell][aria-selected]";
const ITEMS = ":is(.middle, .right, .bottom) [aria-pressed]:not(:disabled, [aria-disabled=true]), .bottom [role=radio]";
const BUTTONS = ".bottom .decision-actions button:not(:disabled)";
const CLOSED = ".bottom [data-why]";

/** Return the name of an element: its label, or its text without what screen readers skip. @param {Element} element @returns {string} */
function nameOf(element) {
  const label = element.getAttribute("aria-label");
  return (label ?? textOf(element)).replace(/\s+/g, " ").trim();
}

/** @param {Node} node @returns {string} */
function textOf(node) {
  if (node instanceof Element && (node.getAttribute("aria-hidden") === "true" || node.localName === "kbd" || node.localName === "style")) return "";
  return node.nodeType === Node.TEXT_NODE ? (node.textContent ?? "") : [...node.childNodes].map(textOf).join(" ");
}

/** @param {Element} element */
function isChosen(element) {
  return ["aria-selected", "aria-pressed", "aria-checked"].some((state) => element.getAttribute(state) === "true");
}

/** Return the names of all elements that match, as a sentence; null if there are none. @param {string} selector @param {string} key */
function listOf(selector, key) {
  const found = [...document.querySelectorAll(selector)].filter((element) => element.checkVisibility());
  if (!found.length) return null;
  const named = found.slice(0, MAX_NAMED).map((element) => (isChosen(element) ? t("reader.chosen", { what: nameOf(element) }) : nameOf(element)));
  const more = found.length - named.length;
  return t(key, { list: [...named, ...(more ? [t("reader.more", { count: more })] : [])].join("; ") });
}

/** Return the open decision, and what can be chosen. */
export function optionsText() {
  const texts = [...document.querySelectorAll(".bottom .decision-title, .bottom .decision-more, .bottom .error")].map(nameOf);
  return asSentences([
    ...texts,
    listOf(ITEMS, "reader.options.items"),
    listOf(PLACES, "reader.options.board"),
    listOf(BUTTONS, "reader.options.buttons"),
    listOf(CLOSED, "reader.options.closed"),
  ]);
}

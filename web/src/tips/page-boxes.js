// What a tip on the page of a table must not cover, and what it had better not cover, as boxes in the window.

/** @typedef {import("./place.js").Box} Box */

/** What can be clicked, and what explains the click that is awaited. */
const KEPT = [
  "button:not(:disabled, [aria-disabled=true])",
  "a[href]",
  "input",
  "textarea",
  "select",
  "summary",
  "[role=button]:not([aria-disabled=true])",
  "[role=tab]",
  "[role=radio]",
  "[data-pick]",
  "[data-street].open",
  "[data-district].can-lay",
  ".decision-title",
  // The button that sends the answer says what is still to be chosen, while it is disabled.
  ".decision-actions button",
  ".decision-more",
  ".callout.acting",
  ".notices",
  ".banner",
  ".missed",
].join(", ");

/** What is not needed to make a decision; a small window may have no other room for a tip. */
const BESIDE_THE_DECISION = ".bar, .left, .tab-list, .zoom-reset, .log, .chat";

/** What is open over the page; a tip waits until it is closed. */
const OVER_THE_PAGE = ".reveal, .floating, [role=dialog], [aria-modal=true], .app.rules-open, .app.panel-open";

/** The prices of a cell that a tip covers. */
const CONTROL = 40;
const DECISION = 8;
const BOARD = 4;
const SEAT = 3;
const LOG = 0.25;
/** Cards are read as a whole, so what is empty in them has a price, too. */
const CARDS = ".card, .seat";

/** Drawings that fill so much of the window are its background. */
const BACKGROUND = 0.2;

/** Return whether something is open over the page, or the page is not there yet. */
export function isPageHidden() {
  return document.querySelector(OVER_THE_PAGE) !== null || !document.querySelector(".app");
}

/** @param {Box} one @param {Box} other @returns {Box} */
function intersection(one, other) {
  return {
    left: Math.max(one.left, other.left),
    top: Math.max(one.top, other.top),
    right: Math.min(one.right, other.right),
    bottom: Math.min(one.bottom, other.bottom),
  };
}

/** Returns the visible parts of elements; what it finds out about their containers is kept for one measurement. */
class Measurement {
  constructor() {
    /** @type {Map<Element, Box>} */
    this.clips = new Map();
    this.whole = { left: 0, top: 0, right: innerWidth, bottom: innerHeight };
  }

  /** Return the part of the window in which the content of an element can be seen. @param {Element | null} element @returns {Box} */
  clipOf(element) {
    if (!element) return this.whole;
    const known = this.clips.get(element);
    if (known) return known;
    const style = getComputedStyle(element);
    const outer = style.position === "fixed" ? this.whole : this.clipOf(element.parentElement);
    const isClipped = style.overflowX !== "visible" || style.overflowY !== "visible";
    const clip = isClipped ? intersection(outer, element.getBoundingClientRect()) : outer;
    this.clips.set(element, clip);
    return clip;
  }

  /** Return the box of an element as far as it can be seen; null if it cannot. @param {Element} element @returns {Box | null} */
  boxOf(element) {
    const box = element.getBoundingClientRect();
    if (!box.width || !box.height) return null;
    const seen = intersection(box, this.clipOf(element.parentElement));
    const isSeen = seen.right - seen.left > 1 && seen.bottom - seen.top > 1 && element.checkVisibility?.({ visibilityProperty: true }) !== false;
    return isSeen ? seen : null;
  }
}

/**
 * Return the boxes of what must stay free.
 * @param {boolean} isStrict whether that holds for all that can be clicked, or only for the decision
 */
export function keptBoxes(isStrict, measurement = new Measurement()) {
  const page = /** @type {Element} */ (document.querySelector(".app"));
  const elements = [...page.querySelectorAll(KEPT)].filter((element) => isStrict || !element.closest(BESIDE_THE_DECISION));
  return /** @type {Box[]} */ (elements.map((element) => measurement.boxOf(element)).filter(Boolean));
}

/** @param {Element} element */
function priceOf(element) {
  if (element.closest(KEPT)) return CONTROL;
  if (element.closest(".log, .chat")) return LOG;
  if (element.closest(".bottom")) return DECISION;
  return element.closest(".bar, .left") ? SEAT : BOARD;
}

/** Return whether an element has a text of its own, or is the innermost part of a drawing. @param {Element} element */
function isDrawn(element) {
  return !element.firstElementChild || element.matches(CARDS) || [...element.childNodes].some((node) => node instanceof Text && node.data.trim());
}

/** Return what had better stay free, with its prices. @param {Measurement} measurement */
function coveredBoxes(measurement) {
  const page = /** @type {Element} */ (document.querySelector(".app"));
  const most = innerWidth * innerHeight * BACKGROUND;
  return [...page.querySelectorAll("*")].filter(isDrawn).flatMap((element) => {
    const box = measurement.boxOf(element);
    return box && (box.right - box.left) * (box.bottom - box.top) < most ? [{ box, price: priceOf(element) }] : [];
  });
}

/** Return all that matters for the place of a tip; `strict` and `kept` are the two answers of `keptBoxes`. */
export function measurePage() {
  const measurement = new Measurement();
  const decision = document.querySelector(".bottom")?.getBoundingClientRect();
  return {
    around: { width: innerWidth, height: innerHeight },
    strict: keptBoxes(true, measurement),
    kept: keptBoxes(false, measurement),
    covered: coveredBoxes(measurement),
    near: decision?.width ? { x: decision.left + decision.width / 2, y: decision.top } : { x: innerWidth / 2, y: innerHeight / 2 },
  };
}

// Runs in a page of the layout tests: `layoutProblems()` returns a sentence for each part of a decision that cannot be
// seen or read at the current size of the window, `textProblems()` for each text that is wider than its place on a page
// that scrolls.

{
  const TOLERANCE = 1.5;

  /** What a decision lets a player choose, on the board and in the bar. */
  const CHOICES = [
    "[data-street].open",
    "[data-district].can-lay",
    "[data-pick]",
    ".influence-card.can",
    ".option-tile.can",
    "button.cheque:not(:disabled)",
    ".claim:not(:disabled)",
    ".seat-choice",
  ].join(", ");

  /** Boxes that may lie over others: they are opened on demand, or pass by themselves. */
  const OVERLAYS = ".callout, .reveal, .touch-tooltip, .popover, [role=listbox], [role=menu], [role=dialog], .banner, .notices, .tip-card";

  const isShown = (element) => element.checkVisibility({ opacityProperty: true, visibilityProperty: true });

  const box = ({ left, top, right, bottom }) => ({ left, top, right, bottom });
  const intersection = (one, other) => ({
    left: Math.max(one.left, other.left),
    top: Math.max(one.top, other.top),
    right: Math.min(one.right, other.right),
    bottom: Math.min(one.bottom, other.bottom),
  });
  const isInside = (inner, outer) =>
    inner.left >= outer.left - TOLERANCE &&
    inner.top >= outer.top - TOLERANCE &&
    inner.right <= outer.right + TOLERANCE &&
    inner.bottom <= outer.bottom + TOLERANCE;

  /** The clips of containers, kept during one measurement. @type {Map<Element, object | null>[]} */
  let clips = [];

  /** Whether the page may be longer than the window. */
  let isScrolled = false;

  /** Return the part of the window in which the content of a container can be seen. */
  function clipInside(container, ignoresScrollers) {
    const known = clips[Number(ignoresScrollers)];
    if (!known.has(container)) known.set(container, computedClip(container, ignoresScrollers));
    return known.get(container);
  }

  function computedClip(container, ignoresScrollers) {
    const whole = isScrolled ? { left: 0, top: -Infinity, right: innerWidth, bottom: Infinity } : { left: 0, top: 0, right: innerWidth, bottom: innerHeight };
    if (!container || container === document.documentElement) return whole;
    const style = getComputedStyle(container);
    if (style.position === "fixed") return whole;
    const outer = clipInside(container.parentElement, ignoresScrollers);
    if (!outer || (style.overflowX === "visible" && style.overflowY === "visible" && style.clipPath === "none")) return outer;
    if (ignoresScrollers && /auto|scroll/.test(style.overflowX + style.overflowY)) return null;
    return intersection(outer, box(container.getBoundingClientRect()));
  }

  /** Return the part of the window that an element may be painted in; null inside a scrolled area that is ignored. */
  function clipOf(element, { ignoresScrollers }) {
    return getComputedStyle(element).position === "fixed" ? clipInside(null, ignoresScrollers) : clipInside(element.parentElement, ignoresScrollers);
  }

  function describe(element) {
    const label = element.getAttribute("aria-label") ?? element.textContent.trim().replace(/\s+/g, " ");
    const name = element.getAttribute("class")?.split(/\s+/).filter(Boolean).join(".") ?? "";
    const data = [...element.attributes].filter(({ name }) => name.startsWith("data-")).map(({ name, value }) => `[${name}=${value}]`);
    return `${element.localName}${name && `.${name}`}${data.join("")} "${label.slice(0, 50)}"`;
  }

  /** Return the share of an element's area that a click would reach. */
  function reachable(element) {
    const { left, top, width, height } = element.getBoundingClientRect();
    let hits = 0;
    for (let column = 1; column <= 5; column += 1) {
      for (let row = 1; row <= 5; row += 1) {
        const hit = document.elementFromPoint(left + (width * column) / 6, top + (height * row) / 6);
        if (hit && (element.contains(hit) || hit.closest("label, button, [role=button]") === element)) hits += 1;
      }
    }
    return hits / 25;
  }

  /** The problems of an element that must be seen whole. */
  function problemsOf(element, minimum) {
    const rect = element.getBoundingClientRect();
    if (!isShown(element) || rect.width < 1 || rect.height < 1) return [`not shown: ${describe(element)}`];
    const clip = clipOf(element, { ignoresScrollers: false });
    if (!isInside(rect, clip)) {
      const places = [rect, clip].map(({ left, top, right, bottom }) => [left, top, right, bottom].map(Math.round).join(" "));
      return [`outside: ${describe(element)} at ${places[0]} in ${places[1]}`];
    }
    const share = reachable(element);
    return share < minimum ? [`covered (${Math.round(share * 100)} % free): ${describe(element)}`] : [];
  }

  function choiceProblems() {
    const bar = document.querySelector(".bottom.act");
    if (!bar) return ["no decision is shown"];
    const title = bar.querySelector(".decision-title");
    const problems = title ? problemsOf(title, 0.3) : ["the bar has no title"];
    for (const button of bar.querySelectorAll(".decision-actions button")) problems.push(...problemsOf(button, 0.5));
    for (const choice of document.querySelectorAll(CHOICES)) {
      // A street or a plot is drawn as a group, which does not fill its box.
      problems.push(...problemsOf(choice, choice instanceof SVGElement ? 0.2 : 0.35));
    }
    return problems;
  }

  /** The problems of the tip, if there is one: it covers nothing of the decision, not even a corner, and can be closed. */
  function tipProblems() {
    const tip = document.querySelector(".tip-card");
    if (!tip) return [];
    const rect = tip.getBoundingClientRect();
    if (!tip.matches(".shown")) return ["the tip has no place"];
    const problems = isInside(rect, { left: 0, top: 0, right: innerWidth, bottom: innerHeight }) ? [] : ["the tip is outside of the window"];
    for (const element of document.querySelectorAll(`${CHOICES}, .bottom .decision-title, .bottom .decision-actions button, .bottom button:not(:disabled, [aria-disabled=true])`)) {
      const seen = intersection(element.getBoundingClientRect(), clipOf(element, { ignoresScrollers: false }));
      const shared = intersection(rect, seen);
      if (shared.right - shared.left > 0 && shared.bottom - shared.top > 0) problems.push(`the tip covers ${describe(element)}`);
    }
    const buttons = [...tip.querySelectorAll("button")].filter(isShown);
    return [...problems, ...buttons.flatMap((button) => problemsOf(button, 0.9))];
  }

  /** Return each shown text with its box, its element, and the part of the window in which it can be seen. */
  function texts() {
    const found = [];
    const walker = document.createTreeWalker(document.getElementById("app"), NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
      const node = walker.currentNode;
      const element = node.parentElement;
      // A figure of the rules shows a detail of a board, whose edges cut other parts off.
      if (!node.data.trim() || element.closest("title, style, defs, symbol, [hidden], .rule-drawing") || !isShown(element)) continue;
      const style = getComputedStyle(element);
      if (style.color.endsWith(", 0)") || parseFloat(style.fontSize) === 0) continue;
      const range = document.createRange();
      range.selectNodeContents(node);
      const rect = element instanceof SVGElement ? element.getBoundingClientRect() : range.getBoundingClientRect();
      if (rect.width < 1 || rect.height < 1) continue;
      const own = element.getBoundingClientRect();
      // Text for screen readers only.
      if (own.width <= 1 || own.height <= 1 || style.clipPath !== "none") continue;
      if (element.closest(".hidden-visually, .tool-label")?.getBoundingClientRect().width <= 1) continue;
      found.push({ element, text: node.data.trim(), rect: box(rect), style, range });
    }
    return found;
  }

  function cutTexts(all) {
    const problems = [];
    for (const { element, text, rect, style } of all) {
      const isEllipsis = style.textOverflow === "ellipsis" && element.scrollWidth > element.clientWidth + 1;
      // A person's name may be as long as it likes, if it can be read on demand.
      if (isEllipsis && !element.closest("[title]")) problems.push(`ellipsis: ${describe(element)}`);
      if (isEllipsis) continue;
      const isClamped = style.webkitLineClamp !== "none" && element.scrollHeight > element.clientHeight + 2;
      // Beside a game that waits as well, the bar of a phone has less room; the line can be read on demand.
      if (isClamped && isScrolled && element.closest("[title]")) continue;
      if (isClamped) problems.push(`clamped: ${describe(element)}`);
      const own = style.overflowX === "visible" && style.overflowY === "visible" ? null : box(element.getBoundingClientRect());
      const clip = clipOf(element, { ignoresScrollers: true });
      if (!clip) continue;
      // A line box is higher than its letters, so a few pixels above and below may be cut without harm.
      const slack = (rect.bottom - rect.top) * 0.2;
      const letters = { left: rect.left, right: rect.right, top: rect.top + slack, bottom: rect.bottom - slack };
      if (!isInside(letters, own && !isClamped ? intersection(clip, own) : clip)) {
        problems.push(`cut: "${text.slice(0, 60)}" in ${describe(element)}`);
      }
    }
    return problems;
  }

  const isOpaque = (element) => {
    const style = getComputedStyle(element);
    if (element instanceof SVGElement) return style.fill !== "none" && element.localName !== "text" && element.localName !== "g";
    const [, alpha = "1"] = style.backgroundColor.match(/rgba\(.*, ([\d.]+)\)/) ?? [];
    return style.backgroundColor !== "transparent" && Number(alpha) > 0.6;
  };

  /** Return whether an opaque part of one element's card lies between two texts at a point. */
  function isCovered(one, other, x, y) {
    const stack = document.elementsFromPoint(x, y);
    const places = [one, other].map((element) => stack.findIndex((each) => each === element || element.contains(each)));
    if (places.includes(-1)) return true;
    const [upper, lower] = places[0] < places[1] ? [one, other] : [other, one];
    return stack
      .slice(Math.min(...places), Math.max(...places))
      .some((each) => each !== upper && !upper.contains(each) && !each.contains(lower) && isOpaque(each)) || (isOpaque(upper) && !upper.contains(lower));
  }

  function overlappingTexts(all) {
    const problems = [];
    const seen = all
      .map((each) => ({ ...each, clip: clipOf(each.element, { ignoresScrollers: false }) }))
      .map((each) => ({ ...each, rect: intersection(each.rect, each.clip) }))
      .filter(({ rect }) => rect.right - rect.left > 1 && rect.bottom - rect.top > 1)
      .sort((one, other) => one.rect.top - other.rect.top);
    for (let first = 0; first < seen.length; first += 1) {
      for (let second = first + 1; second < seen.length && seen[second].rect.top < seen[first].rect.bottom; second += 1) {
        const [one, other] = [seen[first], seen[second]];
        if (one.element === other.element || one.element.contains(other.element) || other.element.contains(one.element)) continue;
        if (one.element.closest(OVERLAYS) !== other.element.closest(OVERLAYS)) continue;
        const shared = intersection(one.rect, other.rect);
        const [width, height] = [shared.right - shared.left, shared.bottom - shared.top];
        const lowest = Math.min(one.rect.bottom - one.rect.top, other.rect.bottom - other.rect.top);
        if (width < 2 || height < lowest * 0.35) continue;
        if (isCovered(one.element, other.element, shared.left + width / 2, shared.top + height / 2)) continue;
        problems.push(`overlap: "${one.text.slice(0, 40)}" in ${describe(one.element)} and "${other.text.slice(0, 40)}" in ${describe(other.element)}`);
      }
    }
    return problems;
  }

  globalThis.textProblems = () => {
    clips = [new Map(), new Map()];
    isScrolled = true;
    const problems = cutTexts(texts());
    const { scrollWidth } = document.documentElement;
    if (scrollWidth > innerWidth + 1) problems.push(`the page is ${scrollWidth} px wide`);
    isScrolled = false;
    return [...new Set(problems)];
  };

  globalThis.layoutProblems = () => {
    clips = [new Map(), new Map()];
    const problems = [...choiceProblems(), ...tipProblems()];
    const page = document.documentElement;
    if (page.scrollWidth > innerWidth + 1) problems.push(`the page is ${page.scrollWidth} px wide`);
    if (page.scrollHeight > innerHeight + 1) problems.push(`the page is ${page.scrollHeight} px high`);
    const all = texts();
    problems.push(...cutTexts(all));
    // Parts that let clicks through must be found under a point all the same.
    const sheet = new CSSStyleSheet();
    sheet.replaceSync("* { pointer-events: auto !important }");
    document.adoptedStyleSheets = [sheet];
    problems.push(...overlappingTexts(all));
    document.adoptedStyleSheets = [];
    return [...new Set(problems)];
  };

  const frame = () => new Promise((done) => requestAnimationFrame(() => setTimeout(done)));

  /** Resolve when the page is drawn at the size of the window. */
  globalThis.settled = async () => {
    await document.fonts.ready;
    await frame();
    await frame();
  };

  /** Return the text of the tip that is shown, or null; "folded" if a button stands for it. */
  globalThis.shownTip = () => {
    const tip = document.querySelector(".tip-card.shown");
    return tip && (tip.matches(".folded") ? "folded" : tip.querySelector(".tip-text").textContent);
  };

  /** Return how many things can be chosen; it must be the same at every size. */
  globalThis.countChoices = () => document.querySelectorAll(CHOICES).length;

  /** Choose until the decision could be confirmed; return whether it can be, without confirming it. */
  globalThis.chooseWithoutSending = async () => {
    const about = document.querySelector(".bottom.act")?.dataset.about;
    for (let tries = 0; tries < 12; tries += 1) {
      const bar = document.querySelector(".bottom.act");
      // Some choices are answers at once.
      if (!bar || bar.dataset.about !== about) return false;
      if (bar.querySelector(".answer:not(:disabled)")) return true;
      const open = [...document.querySelectorAll(CHOICES)].filter((each) => !each.matches(".chosen, [aria-pressed=true], [aria-checked=true]"));
      if (!open.length) return false;
      open[tries % open.length].dispatchEvent(new MouseEvent("click", { bubbles: true, cancelable: true }));
      await frame();
      await frame();
    }
    return false;
  };
}

// Playwright calls the last value of a script if it is a function.
undefined;

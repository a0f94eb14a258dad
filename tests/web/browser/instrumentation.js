// Runs in every page of the browser tests before the page's own script: reports violations of the content security
// policy, records measurements, and plays a game by clicking.

/** Layout shifts, milliseconds from update to frame and of long tasks, and the number of reveals that were shown. */
globalThis.measured = { shifts: 0, frames: [], longTasks: [], reveals: 0 };

// A reveal closes by itself, so a test that only looked for it could miss it on a busy machine.
new MutationObserver((mutations) => {
  for (const { addedNodes } of mutations) {
    for (const node of addedNodes) if (node instanceof Element && node.matches(".reveal")) measured.reveals += 1;
  }
}).observe(document, { childList: true, subtree: true });

document.addEventListener("securitypolicyviolation", (event) => {
  console.error(`content security policy: ${event.violatedDirective} blocked ${event.blockedURI}`);
});

new PerformanceObserver((list) => {
  for (const entry of list.getEntries()) if (!entry.hadRecentInput) measured.shifts += entry.value;
}).observe({ type: "layout-shift", buffered: true });

new PerformanceObserver((list) => {
  measured.longTasks.push(...list.getEntries().map(({ duration }) => duration));
}).observe({ type: "longtask" });

const sockets = new Set();

/** Close all connections. */
globalThis.closeSockets = () => sockets.forEach((socket) => socket.close());

// Measure from the arrival of an update to the end of the frame that shows it.
globalThis.WebSocket = class extends WebSocket {
  constructor(...options) {
    super(...options);
    sockets.add(this);
    this.addEventListener("message", ({ data }) => {
      if (!new TextDecoder("latin1").decode(new Uint8Array(data, 0, Math.min(40, data.byteLength))).includes("update")) return;
      const arrived = performance.now();
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = () => measured.frames.push(performance.now() - arrived);
      requestAnimationFrame(() => port2.postMessage(null));
    });
  }
};

const pickRandom = (list) => list[Math.floor(Math.random() * list.length)];

/**
 * The last answer: the number of its decision, and the text of the bar. Nothing else is clicked until the page has handled
 * it; some answers leave the decision open, and after a while the same one is clicked again.
 */
let answered = { what: "", at: 0 };

/**
 * Return the element to click next, "over" at the end of the game, or null while others are awaited. It prefers low
 * cards and few cheques, so that money and influence last.
 */
function nextTarget() {
  if (document.querySelector(".result")) return "over";
  const bar = document.querySelector(".bottom.act .decision-bar");
  const what = bar && `${bar.parentElement.dataset.decision} ${bar.textContent}`;
  const goOn = document.querySelector(".missed button, .reveal-on");
  if (goOn) return goOn;
  if (!bar || (what === answered.what && performance.now() - answered.at < 2000)) return null;
  const choice = chooseIn(bar);
  if (choice?.closest(".decision-actions")) answered = { what, at: performance.now() };
  return choice ?? null;
}

/** Return the point to click next, unless something covers it. */
globalThis.nextPoint = () => {
  const found = nextTarget();
  return found instanceof Element ? pointOf(found) : found;
};

/** Whether to pass whenever possible, because a game in which nothing is built ends soonest. */
let isIdle = false;

/** Click within the page until the game is over, a kind of decision not `seen` yet is open, or `until` holds. */
globalThis.playOn = (seen, until, idle) =>
  new Promise((resolve) => {
    isIdle = idle;
    const step = () => {
      const found = nextTarget();
      if (found === "over" || until()) resolve(found === "over" ? "over" : "enough");
      else if (found && seen && !seen.includes(shownState() ?? seen[0])) resolve("new");
      else {
        if (found) found.dispatchEvent(new MouseEvent("click", { bubbles: true, cancelable: true }));
        setTimeout(step, 15);
      }
    };
    step();
  });

function chooseIn(bar) {
  const all = (selector, within = bar) => [...within.querySelectorAll(selector)];
  const [answer] = all(".answer:not(:disabled)");
  const others = all(".decision-actions button:not(.answer):not(:disabled):not(:has(svg))");
  if (isIdle && others.length && bar.parentElement.dataset.about !== "consider_tender") return pickRandom(others);
  if (answer) return answer;
  if (others.length && all("button.cheque.chosen").length > 2) return pickRandom(others);
  const map = all("[data-street].open:not(.chosen), [data-district].can-lay:not(.chosen), [data-pick]:not(.chosen)", document);
  const cards = all(".influence-card.can");
  const rest = all(".option-tile.can, button.cheque:not(:disabled):not(.chosen), .claim:not(:disabled):not(.chosen), .seat-choice");
  return pickRandom(map) ?? pickRandom(cards.slice(0, isIdle ? 1 : 4)) ?? (isIdle ? rest[0] : pickRandom(rest)) ?? pickRandom(others);
}

/** Return the middle of an element, or null if something covers it. */
function pointOf(element) {
  element.scrollIntoView({ block: "nearest", inline: "nearest" });
  const { x, y, width, height } = element.getBoundingClientRect();
  const [middle, centre] = [x + width / 2, y + height / 2];
  const top = document.elementFromPoint(middle, centre);
  return element.contains(top) ? [middle, centre] : null;
}

/** Return a name for what the page shows, for screenshots. */
globalThis.shownState = () => {
  if (document.querySelector(".reveal")) return "reveal";
  const bar = document.querySelector(".bottom.act");
  return bar && bar.dataset.about + (bar.querySelector(".answer:not(:disabled)") ? "-chosen" : "");
};

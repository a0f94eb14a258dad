// Runs in every page of the browser tests before the page's own script: says what the content policy stopped, measures,
// and finds what a person could click.

globalThis.measured = { shifts: 0, frames: [] };

document.addEventListener("securitypolicyviolation", (event) => {
  console.error(`content policy: ${event.violatedDirective} stopped ${event.blockedURI}`);
});

new PerformanceObserver((list) => {
  for (const entry of list.getEntries()) if (!entry.hadRecentInput) measured.shifts += entry.value;
}).observe({ type: "layout-shift", buffered: true });

const sockets = new Set();

/** Lose the connection, as when a network goes. */
globalThis.cut = () => sockets.forEach((socket) => socket.close());

// From the arrival of an update to the end of the frame that shows it.
globalThis.WebSocket = class extends WebSocket {
  constructor(...words) {
    super(...words);
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

const any = (list) => list[Math.floor(Math.random() * list.length)];

/** What was just answered; until the page has taken it in, nothing else is clicked. */
let answered = { words: "", at: 0 };

/**
 * What a person who wants to go on would click now: an element, "over" at the end, or nothing while others are awaited.
 * Spends little, so that money and influence last: low cards, few cheques.
 */
function target() {
  if (document.querySelector(".result")) return "over";
  const bar = document.querySelector(".bottom.act .decision-bar");
  const words = bar?.textContent;
  const goOn = document.querySelector(".missed button, .reveal-on");
  if (goOn) return goOn;
  if (!bar || (words === answered.words && performance.now() - answered.at < 2000)) return null;
  const choice = chosenIn(bar);
  if (choice?.closest(".decision-actions, .claims")) answered = { words, at: performance.now() };
  return choice ?? null;
}

/** Where to click for that, if nothing lies over it. */
globalThis.offered = () => {
  const found = target();
  return found instanceof Element ? pointOf(found) : found;
};

/** Whether to let everything pass: a game in which nothing is built ends soonest. */
let isIdle = false;

/** Go on by clicks made in the page until the game is over, something not `seen` yet is in sight, or `until` holds. */
globalThis.rush = (seen, until, idle) =>
  new Promise((resolve) => {
    isIdle = idle;
    const step = () => {
      const found = target();
      if (found === "over" || until()) resolve(found === "over" ? "over" : "enough");
      else if (found && seen && !seen.includes(sight() ?? seen[0])) resolve("new");
      else {
        if (found) found.dispatchEvent(new MouseEvent("click", { bubbles: true, cancelable: true }));
        setTimeout(step, 15);
      }
    };
    step();
  });

function chosenIn(bar) {
  const all = (selector, within = bar) => [...within.querySelectorAll(selector)];
  const [answer] = all(".answer:not(:disabled)");
  const others = all(".decision-actions button:not(.answer):not(:disabled):not(:has(svg))");
  if (isIdle && others.length && bar.parentElement.dataset.about !== "consider_tender") return any(others);
  if (answer) return answer;
  if (others.length && all("button.cheque.chosen").length > 2) return any(others);
  const map = all("[data-street].open:not(.chosen), [data-district].can-lay:not(.chosen), [data-pick]:not(.chosen)", document);
  const cards = all(".influence-card.can");
  const rest = all(".option-tile.can, button.cheque:not(:disabled):not(.chosen), .claim:not(:disabled), .seat-choice");
  return any(map) ?? any(cards.slice(0, isIdle ? 1 : 4)) ?? (isIdle ? rest[0] : any(rest)) ?? any(others);
}

/** The middle of an element, if nothing lies over it there. */
function pointOf(element) {
  element.scrollIntoView({ block: "nearest", inline: "nearest" });
  const { x, y, width, height } = element.getBoundingClientRect();
  const [middle, centre] = [x + width / 2, y + height / 2];
  const top = document.elementFromPoint(middle, centre);
  return element.contains(top) ? [middle, centre] : null;
}

/** A name for what is seen now, for pictures. */
globalThis.sight = () => {
  if (document.querySelector(".reveal")) return "reveal";
  const bar = document.querySelector(".bottom.act");
  return bar && bar.dataset.about + (bar.querySelector(".answer:not(:disabled)") ? "-chosen" : "");
};

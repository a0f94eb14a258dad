// Runs in every page of the browser tests before the page's own script: reports violations of the content security
// policy, records measurements, and plays a game by clicking.

/**
 * Layout shifts, milliseconds from update to frame and of long tasks, and the number of reveals that were shown.
 * `replies`: how many requests of each type were carried out; `received`: how many messages of each type came.
 */
globalThis.measured = { shifts: 0, frames: [], longTasks: [], reveals: 0, replies: {}, received: {} };

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

const latin1 = new TextDecoder("latin1");

/** Return a short text of a MessagePack message by its key, or null. Before a text of fewer than 32 bytes stands its length. */
function textOf(bytes, key) {
  const [, text] = latin1.decode(bytes).split(`${String.fromCharCode(0xa0 + key.length)}${key}`);
  return text === undefined ? null : text.slice(1, 1 + text.charCodeAt(0) - 0xa0);
}

/** The types of the requests without a reply, by id. */
const unanswered = new Map();

/** Return whether a request of the page has no reply yet. */
globalThis.isWaiting = () => unanswered.size > 0;

const count = (counts, type) => (counts[type] = (counts[type] ?? 0) + 1);

function receive(head) {
  const type = textOf(head, "type");
  const id = textOf(head, "id");
  count(measured.received, type);
  if (type === "done" && unanswered.has(id)) count(measured.replies, unanswered.get(id));
  unanswered.delete(id);
  if (type !== "update") return;
  // Measure from the arrival of an update to the end of the frame that shows it.
  const arrived = performance.now();
  const { port1, port2 } = new MessageChannel();
  port1.onmessage = () => measured.frames.push(performance.now() - arrived);
  requestAnimationFrame(() => port2.postMessage(null));
}

globalThis.WebSocket = class extends WebSocket {
  constructor(...options) {
    super(...options);
    sockets.add(this);
    // Type and id stand at the beginning of a message.
    this.addEventListener("message", ({ data }) => receive(new Uint8Array(data, 0, Math.min(80, data.byteLength))));
  }

  send(bytes) {
    const type = textOf(bytes, "type");
    unanswered.set(textOf(bytes, "id"), type);
    if (type === "decide") answered = openDecision();
    super.send(bytes);
  }
};

const pickRandom = (list) => list[Math.floor(Math.random() * list.length)];

/** The number of the decision that was answered last: until the page has handled the answer, nothing else is clicked. */
let answered = null;

/** Return the bar of the decision that the player must make; null while others are awaited. */
const openBar = () => document.querySelector(".bottom.act .decision-bar");

/** Return the number of the decision that the player must make; null while others are awaited. */
const openDecision = () => openBar()?.parentElement.dataset.decision ?? null;

/** Return whether the last answer is still on its way, so that the decision will close. A refusal leaves it open. */
globalThis.isAnswering = () => openBar() !== null && openDecision() === answered && !openBar().querySelector(".decision-actions [role=alert]");

/** Return whether the heading has come to a round, or to a year and a card; after the last card of a year it names none. */
globalThis.hasReached = (...numbers) => {
  const shown = document.querySelector(".heading").textContent.match(/\d+/g) ?? [];
  const different = numbers.findIndex((number, index) => Number(shown[index] ?? Infinity) !== number);
  return different < 0 || Number(shown[different] ?? Infinity) > numbers[different];
};

/** Return the element to click next, or null while others are awaited. It prefers low cards and few cheques, so that money and influence last. */
function nextTarget() {
  const goOn = document.querySelector(".missed button, .reveal-on");
  if (goOn) return goOn;
  const bar = openBar();
  return bar && !isAnswering() ? (chooseIn(bar) ?? null) : null;
}

/** The element that the mouse is about to click; null if the page may be clicked anywhere. */
let aimedAt = null;

// The game may go on before the mouse clicks, and then something else is under it, which nobody wanted to click.
for (const kind of ["pointerdown", "mousedown", "pointerup", "mouseup", "click"]) {
  const guard = (event) => {
    if (aimedAt?.contains(event.target) === false) {
      event.stopImmediatePropagation();
      event.preventDefault();
    } else if (kind === "click") noteClick(event.target);
  };
  addEventListener(kind, guard, true);
}

/**
 * Note that a decision is answered, if a click does that. Other buttons of the bar choose something, and send nothing; of
 * a button that has been disabled meanwhile, only the icon gets the click.
 */
function noteClick(target) {
  if (target.closest(".decision-actions button:not(:disabled, .secondary, :has(svg)), .answer:not(:disabled)")) answered = openDecision();
}

/** Return what the player is about to do, for the message of a test that waits in vain. */
function describePlayer() {
  const { x, y, width, height } = aimedAt?.getBoundingClientRect() ?? { x: 0, y: 0, width: 0, height: 0 };
  const [aimed, there] = [aimedAt, aimedAt && document.elementFromPoint(x + width / 2, y + height / 2)].map((each) => each?.outerHTML.slice(0, 120));
  return JSON.stringify({ open: openDecision(), answered, aimed, there, bar: document.querySelector(".bottom")?.textContent });
}

/**
 * Wait until there is something to do, and return it: what `find` returns, "over" at the end of the game, "enough" if
 * `until` holds. It is an error if nothing is found and no update comes for so many milliseconds.
 */
async function untilFound(find, until, patience) {
  let updates = 0;
  for (let restedAt = performance.now(); performance.now() - restedAt < patience; await new Promise((done) => setTimeout(done, 15))) {
    if (document.querySelector(".result")) return "over";
    if (until()) return "enough";
    const found = find();
    if (found) return found;
    if (measured.received.update === updates) continue;
    // Bots may take long for many decisions, one after the other.
    updates = measured.received.update;
    restedAt = performance.now();
  }
  throw new Error(`There is nothing to click: ${describePlayer()}`);
}

/** Return the point to click next, unless something covers it, or why to stop. */
globalThis.nextPoint = (until, patience) => {
  const aim = () => (aimedAt = nextTarget()) && pointOf(aimedAt);
  return untilFound(aim, until, patience).then((found) => {
    if (typeof found === "string") aimedAt = null;
    return found;
  });
};

/** Whether to pass whenever possible, because a game in which nothing is built ends soonest. */
let isIdle = false;

/** Click within the page until the game is over, a kind of decision not `seen` yet is open, or `until` holds. */
globalThis.playOn = async (seen, until, idle, patience) => {
  isIdle = idle;
  aimedAt = null;
  for (;;) {
    const found = await untilFound(nextTarget, until, patience);
    if (typeof found === "string") return found;
    if (seen && !seen.includes(shownState() ?? seen[0])) return "new";
    found.dispatchEvent(new MouseEvent("click", { bubbles: true, cancelable: true }));
    await new Promise((done) => setTimeout(done, 15));
  }
};

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

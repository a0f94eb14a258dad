// Where the guide draws: the light around the targets, the place of the bubble and the arrows from it. Pure functions of
// boxes in pixels of the window.

/** @typedef {import("./targets.js").Box} Box */
/** @typedef {{width: number, height: number}} Size */
/** @typedef {{x: number, y: number}} Point */

/** Pixels of light around a target. */
export const HALO = 10;
/** The part of the window's longer side up to which two targets are near each other, so that one light holds both. */
const NEAR = 0.11;
/** The part of the window up to which a light that holds several targets is small. */
const SMALL = 0.08;
/** How much larger than its targets a light may be beyond that. */
const CLOSE = 1.4;
/** Pixels between the bubble and the edge of the window, and between the bubble and the light. */
const MARGIN = 16;
const GAP = 28;
/** Pixels that an arrow needs, and the longest one. */
const ARROW = 36;
const MAX_ARROW = 420;
const MAX_ARROWS = 3;
/** The part of the window from which on a target is so large that no arrow is needed. */
const LARGE = 0.2;

/** @param {Box} box @param {number} by */
export function grown({ left, top, right, bottom }, by) {
  return { left: left - by, top: top - by, right: right + by, bottom: bottom + by };
}

/** @param {Box[]} boxes at least one @returns {Box} */
export function around(boxes) {
  return {
    left: Math.min(...boxes.map(({ left }) => left)),
    top: Math.min(...boxes.map(({ top }) => top)),
    right: Math.max(...boxes.map(({ right }) => right)),
    bottom: Math.max(...boxes.map(({ bottom }) => bottom)),
  };
}

/** Return the area that two boxes share. @param {Box} one @param {Box} other */
export function overlap(one, other) {
  const width = Math.min(one.right, other.right) - Math.max(one.left, other.left);
  const height = Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top);
  return Math.max(0, width) * Math.max(0, height);
}

/** @param {Box} box */
function areaOf({ left, top, right, bottom }) {
  return (right - left) * (bottom - top);
}

/** Return whether a target is smaller than a whole board. @param {Box} box @param {Size} window */
export function isSmall(box, { width, height }) {
  return areaOf(box) <= LARGE * width * height;
}

/** Return whether one light may hold two boxes: they are near each other, and it lights little else. @param {Box} one @param {Box} other @param {Size} window */
function canShare(one, other, { width, height }) {
  if (!overlap(grown(one, NEAR * Math.max(width, height)), other)) return false;
  const shared = areaOf(around([one, other]));
  return shared <= SMALL * width * height || shared <= CLOSE * (areaOf(one) + areaOf(other));
}

/** Return the lights: one around targets that are near each other. @param {Box[]} boxes @param {Size} window @returns {Box[]} */
export function lights(boxes, window) {
  /** @type {Box[]} */
  let found = [];
  for (const box of boxes) {
    let light = box;
    for (let other; (other = found.find((each) => canShare(light, each, window))); ) {
      found = found.filter((each) => each !== other);
      light = around([light, other]);
    }
    found.push(light);
  }
  return found.map((box) => {
    const { left, top, right, bottom } = grown(box, HALO);
    return { left: Math.max(2, left), top: Math.max(2, top), right: Math.min(window.width - 2, right), bottom: Math.min(window.height - 2, bottom) };
  });
}

/**
 * Return the place of the bubble: the one that covers least of what must stay free, and of these the one nearest to the
 * targets.
 * @param {Size} bubble @param {Box[]} targets what is pointed at @param {Box[]} free what must be reached besides @param {Size} window
 * @returns {Point} its corner at the upper left
 */
export function placeBubble(bubble, targets, free, window) {
  const most = { x: Math.max(MARGIN, window.width - bubble.width - MARGIN), y: Math.max(MARGIN, window.height - bubble.height - MARGIN) };
  const within = (/** @type {Point} */ { x, y }) => ({ x: Math.max(MARGIN, Math.min(x, most.x)), y: Math.max(MARGIN, Math.min(y, most.y)) });
  const middle = { x: (window.width - bubble.width) / 2, y: (window.height - bubble.height) / 2 };
  if (!targets.length) return within(middle);
  const whole = around(targets);
  const centre = { x: (whole.left + whole.right - bubble.width) / 2, y: (whole.top + whole.bottom - bubble.height) / 2 };
  const beside = [whole.right + GAP + ARROW, whole.left - GAP - ARROW - bubble.width].flatMap((x) => [centre.y, whole.top, whole.bottom - bubble.height].map((y) => ({ x, y })));
  const stacked = [whole.bottom + GAP + ARROW, whole.top - GAP - ARROW - bubble.height].flatMap((y) => [centre.x, whole.left, whole.right - bubble.width].map((x) => ({ x, y })));
  const corners = [MARGIN, most.x].flatMap((x) => [MARGIN, most.y].map((y) => ({ x, y })));
  const edges = [{ x: middle.x, y: MARGIN }, { x: middle.x, y: most.y }, { x: MARGIN, y: middle.y }, { x: most.x, y: middle.y }, middle];
  const cost = (/** @type {Point} */ { x, y }) => {
    const box = { left: x, top: y, right: x + bubble.width, bottom: y + bubble.height };
    const covered = targets.reduce((sum, target) => sum + 8 * overlap(grown(box, 6), grown(target, HALO)), 0) + free.reduce((sum, each) => sum + 3 * overlap(grown(box, 4), each), 0);
    const distance = Math.hypot(x - centre.x, y - centre.y);
    return covered + distance;
  };
  return [...beside, ...stacked, ...edges, ...corners]
    .map(within)
    .map((point) => ({ point, cost: cost(point) }))
    .reduce((best, each) => (each.cost < best.cost ? each : best)).point;
}

/** How much more it counts that something cannot be pressed than that it cannot be seen. */
const PRESSED = 4;

/**
 * Return on which side a sheet as wide as the window covers less, and which of its heights to take: the first one with
 * which it covers nothing that should stay free, or nothing that must be pressed, or else the last one.
 * @param {number[]} heights of the sheet with more and with less in it @param {number} bar height of what stays above a sheet at the top
 * @param {{targets: Box[], pressed: Box[], choices: Box[]}} page what is pointed at, what of it must be pressed, and what else should stay free
 * @param {Size} window
 * @returns {{side: "top" | "bottom", level: number}}
 */
export function placeSheet(heights, bar, { targets, pressed, choices }, window) {
  const covered = (/** @type {Box} */ sheet, /** @type {Box[]} */ boxes) => boxes.reduce((sum, box) => sum + overlap(sheet, box), 0);
  const places = heights.flatMap((height, level) =>
    /** @type {const} */ (["bottom", "top"]).map((side) => {
      const edge = side === "top" ? bar : window.height - height;
      const sheet = { left: 0, right: window.width, top: edge, bottom: edge + height };
      const [seen, needed, other] = [targets, pressed, choices].map((boxes) => covered(sheet, boxes));
      return { side, level, needed, other, cost: seen + PRESSED * needed + other };
    }),
  );
  const best = (/** @type {typeof places} */ among) => {
    const level = among.filter((place) => place.level === among[0].level);
    return level.reduce((one, other) => (other.cost < one.cost ? other : one));
  };
  const free = [places.filter(({ needed, other }) => needed + other === 0), places.filter(({ needed }) => needed === 0)].find((among) => among.length);
  const { side, level } = best(free ?? places.slice(-2));
  return { side, level };
}

/** @param {Box} box */
function centreOf({ left, top, right, bottom }) {
  return { x: (left + right) / 2, y: (top + bottom) / 2 };
}

/** Return the point of a box, without its corners, that is nearest to a point. @param {Box} box @param {Point} point @param {number} corner */
function nearestOn({ left, top, right, bottom }, { x, y }, corner) {
  const clamp = (/** @type {number} */ value, /** @type {number} */ low, /** @type {number} */ high) => (low > high ? (low + high) / 2 : Math.max(low, Math.min(value, high)));
  if (x > right || x < left) return { x: x > right ? right : left, y: clamp(y, top + corner, bottom - corner), isSideways: true };
  return { x: clamp(x, left + corner, right - corner), y: y > bottom ? bottom : top, isSideways: false };
}

/** Return whether the way from one point to another leads over a box. @param {Point} from @param {Point} to @param {Box} box */
function isBetween(from, to, { left, top, right, bottom }) {
  return [0.2, 0.35, 0.5, 0.65, 0.8, 0.9].some((part) => {
    const [x, y] = [from.x + (to.x - from.x) * part, from.y + (to.y - from.y) * part];
    return x > left && x < right && y > top && y < bottom;
  });
}

/**
 * Return the arrows from the bubble to the targets, each as the path of its line and of its head; none where there is
 * little room.
 * @param {Box} bubble @param {Box[]} targets @param {Size} window @returns {{line: string, head: string}[]}
 */
export function arrows(bubble, targets, window) {
  if (targets.length > MAX_ARROWS) return [];
  return targets.flatMap((target) => {
    if (!isSmall(target, window)) return [];
    const aim = centreOf(target);
    const start = nearestOn(bubble, aim, 28);
    const end = nearestOn(grown(target, 5), start, 4);
    const [x, y] = [end.x - start.x, end.y - start.y];
    const length = Math.hypot(x, y);
    const others = targets.filter((other) => other !== target);
    if (overlap(bubble, grown(target, ARROW / 2)) > 0 || length < ARROW || length > MAX_ARROW || others.some((other) => isBetween(start, end, other))) return [];
    // The line leaves the bubble and reaches the target at a right angle.
    const bend = Math.min(150, 0.6 * length);
    const out = start.isSideways ? { x: start.x + Math.sign(x) * bend, y: start.y } : { x: start.x, y: start.y + Math.sign(y) * bend };
    const into = end.isSideways ? { x: end.x - Math.sign(x) * bend, y: end.y } : { x: end.x, y: end.y - Math.sign(y) * bend };
    const line = `M${start.x} ${start.y}C${out.x} ${out.y} ${into.x} ${into.y} ${end.x} ${end.y}`;
    const back = end.isSideways ? { x: -Math.sign(x) * 13, y: 0 } : { x: 0, y: -Math.sign(y) * 13 };
    const wing = { x: back.y * 0.65, y: back.x * 0.65 };
    const head = `M${end.x + back.x + wing.x} ${end.y + back.y + wing.y}L${end.x} ${end.y}L${end.x + back.x - wing.x} ${end.y + back.y - wing.y}`;
    return [{ line, head }];
  });
}

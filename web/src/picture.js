// A picture of what a scene has drawn: one SVG without style sheets, scripts or files of its own, so that it looks the same
// outside the page; and the same as PNG, drawn by the browser. Nothing in it is HTML, so every viewer can show it.

import { SEAT_COLOURS } from "./parts/art.js";
import { element, isClear, Painter, round } from "./picture-painter.js";

/** Pixels of the picture for each pixel of the page. */
const SCALE = 2;
const MARGIN = 16;
const CAPTION = 40;
/** Before each name in the caption. */
const GAP = 12;

/** The letters of the pictures: the fonts of the page, whose files are part of the picture. @type {Promise<string> | null} */
let faces = null;

/** Return the rules of the fonts with Latin letters. A picture without its fonts is better than none. */
function fontFaces() {
  faces ??= Promise.all(
    [...document.styleSheets]
      .flatMap((sheet) => [...sheet.cssRules])
      .filter((rule) => rule instanceof CSSFontFaceRule && rule.style.getPropertyValue("unicode-range").startsWith("U+0-"))
      .map(async (rule) => {
        const { style, parentStyleSheet } = /** @type {CSSFontFaceRule} */ (rule);
        const [, path] = style.getPropertyValue("src").match(/url\("?([^")]+)"?\)/) ?? [];
        const answer = await fetch(new URL(path, parentStyleSheet?.href ?? location.href));
        const data = await dataUrl(await answer.blob());
        return `@font-face{font-family:${style.getPropertyValue("font-family")};font-weight:${style.getPropertyValue("font-weight")};src:url(${data}) format("woff2")}`;
      }),
  ).then(
    (rules) => rules.join("\n"),
    () => "",
  );
  return faces;
}

/** @param {Blob} blob @returns {Promise<string>} */
function dataUrl(blob) {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result));
    reader.onerror = () => reject(reader.error);
    reader.readAsDataURL(blob);
  });
}

/** Return all design tokens with their values, which symbols refer to. */
function tokens() {
  const style = getComputedStyle(document.documentElement);
  /** @type {Record<string, string>} */
  const found = {};
  for (const sheet of document.styleSheets) {
    for (const rule of sheet.cssRules) {
      if (!(rule instanceof CSSStyleRule) || !rule.selectorText.startsWith(":root")) continue;
      for (const name of rule.style) if (name.startsWith("--")) found[name] = style.getPropertyValue(name);
    }
  }
  return found;
}

/** The glyphs of the seats, as on their chips. */
const GLYPHS = ["●", "▲", "■", "◆", "★"];

/** @typedef {{title: string, names: string[], site: string}} Caption what the picture shows, the names of the seats, and where it comes from */

/** Return the picture of an element as the text of an SVG file. @param {HTMLElement} board @param {Caption} caption */
async function pictureOf(board, { title, names, site }) {
  const frame = boundsOf(board);
  const all = tokens();
  const painter = new Painter(frame, all);
  const style = getComputedStyle(document.documentElement);
  const token = (/** @type {string} */ name) => style.getPropertyValue(name).trim();
  const isNarrow = frame.width < 640;
  const [width, height] = [round(frame.width + 2 * MARGIN), round(frame.height + 2 * MARGIN + (isNarrow ? 1.5 : 1) * CAPTION)];
  const root = element("svg", { width, height, viewBox: `0 0 ${width} ${height}` });
  for (const [name, value] of Object.entries(all)) /** @type {SVGElement} */ (root).style.setProperty(name, value);
  const name = element("title");
  name.textContent = title;
  const fonts = element("style");
  fonts.textContent = await fontFaces();
  root.append(name, fonts, painter.definitions.defs, element("rect", { width, height, fill: token("--bg") }));
  const ground = backgroundOf(board);
  const group = element("g", { transform: `translate(${MARGIN} ${MARGIN})` });
  if (ground) group.append(element("rect", { width: round(frame.width), height: round(frame.height), fill: ground }));
  await painter.draw(board, group);
  const caption = element("text", { x: MARGIN, y: height - MARGIN - (isNarrow ? 26 : 6), fill: token("--ink"), "font-family": token("--serif"), "font-size": 18, "font-weight": 600 });
  caption.append(title);
  for (const [seat, player] of names.entries()) {
    const glyph = element("tspan", { fill: token(`--${SEAT_COLOURS[seat]}`), dx: GAP });
    glyph.textContent = GLYPHS[seat];
    caption.append(glyph, ` ${player}`);
  }
  fit(caption, width - 2 * MARGIN - names.length * GAP - (isNarrow ? 0 : 180));
  const from = element("text", { x: width - MARGIN, y: height - MARGIN - 6, "text-anchor": "end", fill: token("--muted"), "font-family": token("--sans"), "font-size": 13 });
  from.textContent = site;
  root.append(group, caption, from);
  return { text: new XMLSerializer().serializeToString(root), width, height };
}

/** Return the box around what is drawn: that of an element with a colour, or those of its parts. @param {Element} board @returns {DOMRect} */
function boundsOf(board) {
  const own = board.getBoundingClientRect();
  if (own.width && !isClear(getComputedStyle(board).backgroundColor)) return own;
  const boxes = [...board.children].map((part) => (part.getBoundingClientRect().width ? part.getBoundingClientRect() : boundsOf(part))).filter(({ width, height }) => width > 1 && height > 1);
  if (!boxes.length) return own;
  const [left, top] = [Math.min(...boxes.map((box) => box.left)), Math.min(...boxes.map((box) => box.top))];
  return new DOMRect(left, top, Math.max(...boxes.map((box) => box.right)) - left, Math.max(...boxes.map((box) => box.bottom)) - top);
}

/** Set a text in the largest size at which it has room, up to its own. @param {Element} text @param {number} room */
function fit(text, room) {
  // A letter of the serif is about half as wide as it is high.
  const size = Math.min(Number(text.getAttribute("font-size")), Math.max(9, room / ((text.textContent ?? "").length * 0.55)));
  text.setAttribute("font-size", String(round(size)));
}

/** Return the colour behind an element. @param {Element | null} node @returns {string | null} */
function backgroundOf(node) {
  if (!node) return null;
  const { backgroundColor } = getComputedStyle(node);
  return isClear(backgroundColor) ? backgroundOf(node.parentElement) : backgroundColor;
}

/** Return a picture as PNG. @param {{text: string, width: number, height: number}} picture @returns {Promise<Blob>} */
async function pngOf({ text, width, height }) {
  const image = new Image();
  // The page's policy allows pictures from data, and a canvas that has drawn one may be read.
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(text)}`;
  await image.decode();
  const canvas = document.createElement("canvas");
  Object.assign(canvas, { width: Math.round(width * SCALE), height: Math.round(height * SCALE) });
  const context = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
  context.drawImage(image, 0, 0, canvas.width, canvas.height);
  return new Promise((resolve, reject) => canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error("no picture"))), "image/png"));
}

/**
 * Save the picture of an element as a file.
 * @param {HTMLElement} board @param {Caption & {kind: "png" | "svg", file: string}} options
 */
export async function savePicture(board, { kind, file, ...caption }) {
  const picture = await pictureOf(board, caption);
  const blob = kind === "png" ? await pngOf(picture) : new Blob([picture.text], { type: "image/svg+xml" });
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = `${file}.${kind}`;
  link.click();
  // The download has begun when the browser comes back to this page's work.
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

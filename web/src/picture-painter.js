// Draws rendered elements of the page into an SVG: each box becomes a rectangle, each line of text a `text`, and each SVG
// is copied with its computed style and the symbols that it uses.

const SVG = "http://www.w3.org/2000/svg";
const XLINK = "http://www.w3.org/1999/xlink";

/** What a drawing looks like, as far as style sheets decide it. */
const DRAWN = [
  "fill",
  "fill-opacity",
  "fill-rule",
  "stroke",
  "stroke-width",
  "stroke-opacity",
  "stroke-dasharray",
  "stroke-linecap",
  "stroke-linejoin",
  "opacity",
  "visibility",
  "color",
  "font-family",
  "font-size",
  "font-weight",
  "font-style",
  "letter-spacing",
  "text-anchor",
  "dominant-baseline",
  "vector-effect",
  "paint-order",
];

/** @param {string} name @param {Record<string, string | number>} [attributes] */
export function element(name, attributes = {}) {
  const node = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, String(value));
  return node;
}

/** Return whether a colour paints nothing. @param {string} colour */
export function isClear(colour) {
  return colour === "transparent" || /^rgba\(.*, 0\)$/.test(colour) || /\/ 0\)$/.test(colour);
}

/** Sheets of symbols by their address. @type {Map<string, Promise<Document>>} */
const sheets = new Map();

/** Return a sheet of symbols. The page's policy allows no markup from strings, so the browser parses the response. @param {string} url */
function sheetAt(url) {
  let sheet = sheets.get(url);
  if (!sheet) {
    sheet = new Promise((resolve, reject) => {
      const request = new XMLHttpRequest();
      request.open("GET", url);
      request.responseType = "document";
      request.overrideMimeType("image/svg+xml");
      request.onload = () => (request.responseXML ? resolve(request.responseXML) : reject(new Error(url)));
      request.onerror = () => reject(new Error(url));
      request.send();
    });
    sheets.set(url, sheet);
    sheet.catch(() => sheets.delete(url));
  }
  return sheet;
}

/** Collects what the picture uses from symbol sheets, each part once. */
class Definitions {
  constructor() {
    this.defs = element("defs");
    /** @type {Set<string>} */
    this.names = new Set();
    /** The custom properties that the parts refer to. @type {Set<string>} */
    this.variables = new Set();
  }

  /** Take over an element of a sheet, and all that it refers to; return its name here. @param {string} href */
  async take(href) {
    const [url, name] = href.split("#");
    const prefix = url ? `${url.split("/").at(-1)?.split(/[-.]/)[0]}-` : "";
    const known = `${prefix}${name}`;
    if (this.names.has(known)) return known;
    this.names.add(known);
    const from = url ? await sheetAt(url) : document;
    const original = from.getElementById(name);
    if (!original) return known;
    const copy = /** @type {Element} */ (document.importNode(original, true));
    copy.id = known;
    // Inside the sheet, names are without its address.
    for (const node of [copy, ...copy.querySelectorAll("*")]) {
      for (const { name: attribute, value } of [...node.attributes]) {
        for (const [, variable] of value.matchAll(/var\((--[\w-]+)/g)) this.variables.add(variable);
        const [, within] = value.match(/^url\(["']?#(.+?)["']?\)$/) ?? [];
        const inner = within ?? (attribute.endsWith("href") && value.startsWith("#") ? value.slice(1) : null);
        if (inner === null) continue;
        const taken = await this.take(`${url}#${inner}`);
        node.setAttribute(attribute, within ? `url(#${taken})` : `#${taken}`);
      }
    }
    this.defs.append(copy);
    return known;
  }
}

/** Draws the elements of a page into a picture. */
export class Painter {
  /** @param {DOMRect} frame @param {Record<string, string>} tokens the design tokens, which the whole picture has */
  constructor(frame, tokens) {
    this.frame = frame;
    this.tokens = tokens;
    this.definitions = new Definitions();
    this.clips = 0;
  }

  /** Return a place of the window in the picture. @param {{left: number, top: number}} box */
  at({ left, top }) {
    return { x: round(left - this.frame.left), y: round(top - this.frame.top) };
  }

  /** Draw an element and what is in it into a group. @param {Element} node @param {Element} group */
  async draw(node, group) {
    const style = getComputedStyle(node);
    const box = node.getBoundingClientRect();
    if (style.display === "none" || style.visibility === "hidden" || Number(style.opacity) === 0 || isHidden(style, box)) return;
    let into = group;
    if (Number(style.opacity) < 1) into = into.appendChild(element("g", { opacity: style.opacity }));
    if (node instanceof SVGSVGElement) {
      await this.drawing(node, box, into);
      return;
    }
    this.paintBox(style, box, into);
    await this.paintPattern(style, box, into);
    if (style.overflow !== "visible" && box.width && box.height) into = this.clipped(style, box, into);
    for (const child of orderedChildren(node)) {
      if (child instanceof Element) await this.draw(child, into);
      else if (child instanceof Text) this.paintText(child, style, into);
    }
  }

  /** @param {CSSStyleDeclaration} style @param {DOMRect} box @param {Element} group */
  paintBox(style, box, group) {
    const { x, y } = this.at(box);
    const [width, height] = [round(box.width), round(box.height)];
    const radius = Math.min(Number.parseFloat(style.borderTopLeftRadius) || 0, width / 2, height / 2);
    const line = Number.parseFloat(style.borderTopWidth) || 0;
    const isFramed = line > 0 && style.borderTopStyle !== "none" && style.borderTopWidth === style.borderBottomWidth && style.borderTopWidth === style.borderLeftWidth && !isClear(style.borderTopColor);
    const fill = isClear(style.backgroundColor) ? "none" : style.backgroundColor;
    if (width && height && (fill !== "none" || isFramed)) {
      const inset = isFramed ? line / 2 : 0;
      group.append(
        element("rect", {
          x: x + inset,
          y: y + inset,
          width: Math.max(0, width - line * (isFramed ? 1 : 0)),
          height: Math.max(0, height - line * (isFramed ? 1 : 0)),
          rx: round(Math.max(0, radius - inset)),
          fill,
          ...(isFramed ? { stroke: style.borderTopColor, "stroke-width": line, ...(style.borderTopStyle === "dashed" ? { "stroke-dasharray": "4 3" } : {}) } : {}),
        }),
      );
    }
    if (isFramed) return;
    /** @type {[string, string, string, number, number, number, number][]} */
    const sides = [
      [style.borderTopWidth, style.borderTopStyle, style.borderTopColor, x, y, x + width, y],
      [style.borderBottomWidth, style.borderBottomStyle, style.borderBottomColor, x, y + height, x + width, y + height],
      [style.borderLeftWidth, style.borderLeftStyle, style.borderLeftColor, x, y, x, y + height],
      [style.borderRightWidth, style.borderRightStyle, style.borderRightColor, x + width, y, x + width, y + height],
    ];
    for (const [side, kind, colour, x1, y1, x2, y2] of sides) {
      if (kind !== "none" && Number.parseFloat(side) > 0 && !isClear(colour)) group.append(element("line", { x1, y1, x2, y2, stroke: colour, "stroke-width": Number.parseFloat(side) }));
    }
  }

  /** Fill a box with the drawing that its style repeats there. @param {CSSStyleDeclaration} style @param {DOMRect} box @param {Element} group */
  async paintPattern(style, box, group) {
    const [, url] = style.backgroundImage.match(/^url\("?([^")]+\.svg)"?\)$/) ?? [];
    if (!url || !box.width || !box.height) return;
    const sheet = (await sheetAt(url)).documentElement;
    const id = `pattern-${url.split("/").at(-1)?.split(".")[0]}`;
    if (!this.definitions.names.has(id)) {
      this.definitions.names.add(id);
      const tile = element("pattern", { id, width: sheet.getAttribute("width") ?? 12, height: sheet.getAttribute("height") ?? 12, patternUnits: "userSpaceOnUse" });
      tile.append(...[...sheet.childNodes].map((child) => document.importNode(child, true)));
      this.definitions.defs.append(tile);
    }
    group.append(element("rect", { ...this.at(box), width: round(box.width), height: round(box.height), rx: Number.parseFloat(style.borderTopLeftRadius) || 0, fill: `url(#${id})` }));
  }

  /** @param {CSSStyleDeclaration} style @param {DOMRect} box @param {Element} group */
  clipped(style, box, group) {
    this.clips += 1;
    const id = `clip${this.clips}`;
    const clip = element("clipPath", { id });
    clip.append(element("rect", { ...this.at(box), width: round(box.width), height: round(box.height), rx: Number.parseFloat(style.borderTopLeftRadius) || 0 }));
    this.definitions.defs.append(clip);
    return group.appendChild(element("g", { "clip-path": `url(#${id})` }));
  }

  /** Draw each line of a text where the browser has put it. @param {Text} node @param {CSSStyleDeclaration} style @param {Element} group */
  paintText(node, style, group) {
    if (!node.data.trim()) return;
    if (style.writingMode.startsWith("vertical")) {
      const range = document.createRange();
      range.selectNodeContents(node);
      this.paintUpright(node.data, style, range.getBoundingClientRect(), group);
      return;
    }
    for (const line of linesOf(node)) {
      const { x, y } = this.at(line);
      // The baseline of Latin letters is about a fifth of the line above its lower edge.
      const baseline = round(y + (line.bottom - line.top) * 0.79);
      group.append(textOf(line.text, style, { x, y: baseline, textLength: round(line.right - line.left), lengthAdjust: "spacingAndGlyphs" }));
    }
  }

  /** Draw a text that runs downwards, or upwards if it is turned. @param {string} text @param {CSSStyleDeclaration} style @param {DOMRect} box @param {Element} group */
  paintUpright(text, style, box, group) {
    const { x, y } = this.at(box);
    const [centreX, centreY] = [round(x + box.width / 2), round(y + box.height / 2)];
    const angle = style.transform.startsWith("matrix(-1") ? -90 : 90;
    group.append(textOf(text.trim(), style, { "text-anchor": "middle", "dominant-baseline": "central", transform: `translate(${centreX} ${centreY}) rotate(${angle})` }));
  }

  /** Copy an SVG with its computed style. @param {SVGSVGElement} node @param {DOMRect} box @param {Element} group */
  async drawing(node, box, group) {
    if (!box.width || !box.height) return;
    const copy = /** @type {SVGSVGElement} */ (node.cloneNode(true));
    const [originals, copies] = [[node, ...node.querySelectorAll("*")], [copy, ...copy.querySelectorAll("*")]];
    for (const [index, original] of originals.entries()) {
      const twin = /** @type {SVGElement} */ (copies[index]);
      const style = getComputedStyle(original);
      const isTop = index === 0;
      for (const name of DRAWN) {
        const value = style.getPropertyValue(name);
        if (!(isTop && name === "opacity")) twin.style.setProperty(name, value);
      }
      const transform = !isTop && style.transform !== "none" && !original.hasAttribute("transform") ? style.transform : null;
      if (transform) twin.setAttribute("transform", transform);
      if (style.display === "none") twin.style.setProperty("display", "none");
      for (const attribute of [...twin.attributes]) {
        if (/^(class|role|tabindex|aria-.*|data-.*|on.*)$/.test(attribute.name)) twin.removeAttribute(attribute.name);
      }
      const href = original.getAttribute("href") ?? original.getAttributeNS(XLINK, "href");
      if (original.localName !== "use" || !href) continue;
      twin.setAttribute("href", `#${await this.definitions.take(href)}`);
      // A symbol takes its colours from the element that uses it.
      for (const name of this.definitions.variables) {
        const value = style.getPropertyValue(name);
        if (value && value !== this.tokens[name]) twin.style.setProperty(name, value);
      }
    }
    const { x, y } = this.at(box);
    for (const [name, value] of Object.entries({ x, y, width: round(box.width), height: round(box.height) })) copy.setAttribute(name, String(value));
    copy.style.removeProperty("width");
    copy.style.removeProperty("height");
    group.append(copy);
  }
}

/** Return the lines of a text, each with its letters and its place in the window. @param {Text} node */
function linesOf(node) {
  /** @type {{top: number, left: number, bottom: number, right: number, text: string}[]} */
  const lines = [];
  const range = document.createRange();
  let [index, space] = [0, ""];
  for (const letter of node.data) {
    range.setStart(node, index);
    index += letter.length;
    range.setEnd(node, index);
    const [box] = range.getClientRects();
    const last = lines.at(-1);
    if (!letter.trim()) {
      // Space at the ends of a line is not drawn, so it must not count for the width of the letters.
      if (box?.width) space = " ";
    } else if (!box?.width) {
      // What has no width of its own, such as an accent, belongs to the letter before it.
      if (last) last.text += letter;
    } else {
      if (last && Math.abs(last.top - box.top) < 2) Object.assign(last, { text: last.text + space + letter, right: box.right });
      else lines.push({ top: box.top, left: box.left, bottom: box.bottom, right: box.right, text: letter });
      space = "";
    }
  }
  return lines;
}

/** Return a text in its font. @param {string} text @param {CSSStyleDeclaration} style @param {Record<string, string | number>} attributes */
function textOf(text, style, attributes) {
  const drawn = element("text", {
    ...attributes,
    fill: style.color,
    "font-family": style.fontFamily,
    "font-size": style.fontSize,
    "font-weight": style.fontWeight,
    "font-style": style.fontStyle,
    ...(style.letterSpacing === "normal" ? {} : { "letter-spacing": style.letterSpacing }),
  });
  drawn.textContent = style.textTransform === "uppercase" ? text.toUpperCase() : text;
  return drawn;
}

/** @param {number} value */
export function round(value) {
  return Math.round(value * 100) / 100;
}

/** Return whether an element is for screen readers alone. @param {CSSStyleDeclaration} style @param {DOMRect} box */
function isHidden(style, box) {
  return style.clipPath.startsWith("inset(50%") || (style.display !== "contents" && style.position === "absolute" && box.width <= 1 && box.height <= 1);
}

/** Return the children of an element in the order in which they are painted. @param {Element} node */
function orderedChildren(node) {
  const layer = (/** @type {ChildNode} */ child) => (child instanceof Element ? Number(getComputedStyle(child).zIndex) || 0 : 0);
  return [...node.childNodes].map((child) => ({ child, layer: layer(child) })).toSorted((one, other) => one.layer - other.layer).map(({ child }) => child);
}

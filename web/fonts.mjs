// Fonts for the page: the files of fontsource, reduced to the characters, weights and features that the page uses. That
// halves them, and fonts are the largest part of the first load.

import { createHash } from "node:crypto";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import subsetFont from "subset-font";

const CACHE = fileURLToPath(new URL("node_modules/.cache/fonts/", import.meta.url));

/** The characters of each file, as in the `unicode-range` of style/base.css. */
const RANGES = {
  latin: [[0x20, 0x7e], [0xa0, 0xff], [0x131], [0x152, 0x153], [0x2000, 0x206f], [0x20ac], [0x2122], [0x2191], [0x2193], [0x2212]],
  "latin-ext": [[0x100, 0x2ba], [0x1e00, 0x1e9f], [0x1ef2, 0x1eff], [0x2020], [0x20a0, 0x20c0]],
};

/** The serif is used in one weight only. */
const AXES = { inter: { wght: { min: 400, max: 700 } }, fraunces: { wght: 600 } };

/** Kerning, accents, tabular and lining figures. */
const FEATURES = ["kern", "mark", "mkmk", "ccmp", "locl", "tnum", "lnum"];

const charactersOf = (ranges) =>
  ranges.flatMap(([first, last = first]) => Array.from({ length: last - first + 1 }, (_, step) => String.fromCodePoint(first + step))).join("");

/** Return a font with these characters and settings. It takes seconds, so the result is cached. */
async function reduced(font, characters, options) {
  const name = createHash("sha256").update(font).update(JSON.stringify([characters, options])).digest("hex");
  const cached = await readFile(CACHE + name).catch(() => null);
  if (cached) return cached;
  const contents = await subsetFont(font, characters, options);
  await mkdir(CACHE, { recursive: true });
  await writeFile(CACHE + name, contents);
  return contents;
}

/** An esbuild plugin that reduces every font that a style names. */
export const reducedFonts = {
  name: "fonts",
  setup: (hooks) =>
    hooks.onLoad({ filter: /-wght-normal\.woff2$/ }, async ({ path }) => {
      const [, family, range] = path.match(/([a-z]+)-(latin|latin-ext)-wght-normal\.woff2$/);
      const options = { targetFormat: "woff2", variationAxes: AXES[family], keepFeatures: FEATURES };
      return { contents: await reduced(await readFile(path), charactersOf(RANGES[range]), options), loader: "file" };
    }),
};

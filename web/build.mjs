// Build the client. `node build.mjs` writes web/dist with hashed file names and `--out=FOLDER` writes elsewhere.
// `--watch` rebuilds on every change. `--tests` bundles the unit tests for Node's test runner, because they use the JSX
// syntax of the client. `--with=FILE` puts a module before the client, for tests in a browser.

import { build, context } from "esbuild";
import { createHash } from "node:crypto";
import { copyFile, cp, mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { basename, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import { reducedFonts } from "./fonts.mjs";
import { rulesTexts } from "./rules.mjs";

const here = fileURLToPath(new URL(".", import.meta.url));
const inTests = process.argv.includes("--tests");
const inWatch = process.argv.includes("--watch");
const optionOf = (name) => process.argv.find((argument) => argument.startsWith(`--${name}=`))?.slice(name.length + 3);
const out = optionOf("out");
const leading = optionOf("with");
const dist = out ? resolve(out) : join(here, "dist");

/** The catalogue of texts. esbuild itself would make an export of every key. */
const texts = {
  name: "texts",
  setup: (hooks) =>
    hooks.onLoad({ filter: /[\\/]catalogue[\\/]\w+[\\/][\w-]+\.json$/ }, async ({ path }) => ({
      contents: `export default ${JSON.stringify(JSON.parse(await readFile(path, "utf8")))};`,
      loader: "js",
    })),
};

const common = {
  absWorkingDir: here,
  bundle: true,
  format: "esm",
  target: "es2022",
  charset: "utf8",
  loader: { ".js": "jsx", ".woff2": "file", ".svg": "file" },
  jsx: "automatic",
  jsxImportSource: "preact",
  logLevel: "warning",
};

/** The HTML files, each with the page whose code and style it loads at once; the server knows them too (http/pages.py). */
const FILES = { "index.html": "src/pages/home.js", "table.html": "src/pages/table.js" };
/** The fonts that every page needs for its first letters. */
const FONTS = /(inter|fraunces)-latin-wght-normal/;

/** What may stand on a page beside its own parts. Their styles come before that of the page, which has the last word about what both contain. */
const BESIDE_PAGES = ["circle", "big-table"];

const urlOf = (name) => `/assets/${basename(name)}`;

/** Return functions that find their way in the outputs of a build. */
function outputsOf({ outputs }) {
  const entry = (source) => {
    const found = Object.keys(outputs).find((name) => outputs[name].entryPoint === source);
    if (!found) throw new Error(`the bundle has no ${source}`);
    return found;
  };
  const imported = (name, kind) => outputs[name].imports.filter((each) => each.kind === kind).map(({ path }) => path);
  /** Return an output and all that it imports at once. */
  const needed = (name, found = new Set()) => {
    if (found.has(name)) return found;
    found.add(name);
    for (const each of imported(name, "import-statement")) needed(each, found);
    return found;
  };
  const pages = imported(entry("src/main.js"), "dynamic-import");
  const pageName = (name) => basename(outputs[name].entryPoint, ".js");
  const fonts = Object.keys(outputs).filter((name) => FONTS.test(name));
  return { entry, imported, needed, pages, pageName, fonts, style: (name) => outputs[name].cssBundle };
}

/**
 * Write the HTML files. Each has a disabled link to the style of every other page, which the browser fetches when
 * parts/page-style.js enables it; esbuild itself would put the styles of all pages into one file.
 */
async function writePages(metafile) {
  const { entry, needed, pages, pageName, fonts, style } = outputsOf(metafile);
  const version = versionOf(metafile);
  const template = await readFile(join(here, "index.html"), "utf8");
  const main = entry("src/main.js");
  for (const [file, source] of Object.entries(FILES)) {
    const first = entry(source);
    const scripts = new Set([...needed(main), ...needed(first)]);
    scripts.delete(main);
    const head = [
      ...fonts.map((font) => `<link rel="preload" href="${urlOf(font)}" as="font" type="font/woff2" crossorigin />`),
      ...[...scripts].map((script) => `<link rel="modulepreload" href="${urlOf(script)}" />`),
      ...pages
        .filter(style)
        .toSorted((one, other) => Number(BESIDE_PAGES.includes(pageName(other))) - Number(BESIDE_PAGES.includes(pageName(one))))
        .map((page) => `<link rel="stylesheet" data-page="${pageName(page)}" href="${urlOf(style(page))}"${page === first ? "" : " disabled"} />`),
    ];
    const page = template
      .replace("{{script}}", urlOf(main))
      .replace("{{style}}", urlOf(entry("src/style/base.css")))
      .replace("{{head}}", head.join("\n    "))
      .replace("{{build}}", version);
    await writeFile(join(dist, file), page);
  }
  for (const file of ["favicon.svg", "manifest.webmanifest"]) await copyFile(join(here, file), join(dist, file));
  await cp(join(here, "icons"), join(dist, "icons"), { recursive: true });
  // The styles of all pages in one file: esbuild writes it beside the entry point, and no page uses it.
  if (style(main)) await rm(join(here, style(main)));
}

/** Return the version of a build: the hash of the names of its files, which have hashes of their contents in them. */
function versionOf({ outputs }) {
  return createHash("sha256").update(Object.keys(outputs).map((name) => basename(name)).sort().join()).digest("hex").slice(0, 16);
}

/** Return the language whose texts are in an output; null if it is for all languages. */
function languageOf({ inputs }) {
  const found = Object.keys(inputs).map((input) => input.match(/catalogue\/(\w\w)\/|^rules:\w+\/(\w\w)$/));
  const languages = new Set(found.map((match) => match?.[1] ?? match?.[2] ?? null));
  return languages.size === 1 ? [...languages][0] : null;
}

/** Write the service worker, which knows the files of the build (src/service-worker.js). */
async function writeServiceWorker(metafile) {
  const { entry, needed, fonts, style } = outputsOf(metafile);
  const isSheet = (name) => /\/site-[^/]*\.svg$/.test(name);
  const sources = ["src/main.js", ...Object.values(FILES)].map(entry);
  const first = [entry("src/style/base.css"), ...sources.flatMap((name) => [...needed(name)]), ...sources.slice(1).map(style)];
  const urls = new Set([...first, ...fonts, ...Object.keys(metafile.outputs).filter(isSheet)].map(urlOf));
  const languages = {};
  const others = [];
  for (const [name, output] of Object.entries(metafile.outputs)) {
    const url = urlOf(name);
    if (urls.has(url) || name === style(sources[0])) continue;
    const language = languageOf(output);
    (language ? (languages[language] ??= []) : others).push(url);
  }
  const known = { version: versionOf(metafile), needed: ["/", "/table.html", ...urls], common: [...others, "/favicon.svg"], languages };
  await build({
    ...common,
    entryPoints: ["src/service-worker.js"],
    outfile: join(dist, "service-worker.js"),
    minify: true,
    define: { BUILD: JSON.stringify(known) },
  });
}

/**
 * Print the gzipped size of the scripts of the largest game and of all games, and what the first visit of the home page
 * loads in all, compressed with Brotli.
 */
async function weigh(metafile) {
  const { entry, imported, needed, fonts, style } = outputsOf(metafile);
  const read = (name) => readFile(join(here, name));
  const weights = new Map();
  for (const name of Object.keys(metafile.outputs).filter((each) => each.endsWith(".js"))) {
    weights.set(name, gzipSync(await read(name)).length);
  }
  const weight = (names) => [...names].reduce((sum, name) => sum + weights.get(name), 0) / 1000;
  const [main, table, home] = ["src/main.js", "src/pages/table.js", FILES["index.html"]].map(entry);
  const isScene = (name) => metafile.outputs[name].entryPoint?.startsWith("src/scenes/");
  const scenes = [...needed(table)].flatMap((name) => imported(name, "dynamic-import")).filter(isScene);
  const games = scenes.map((scene) => weight(new Set([...needed(main), ...needed(table), ...needed(scene)])));
  console.log(
    `${out ?? "web/dist"}: ${Math.max(...games).toFixed(1)} KB of JavaScript for a game, gzipped; ${weight(weights.keys()).toFixed(1)} KB for all games`,
  );
  const scripts = [...new Set([...needed(main), ...needed(home)])];
  const sheets = Object.keys(metafile.outputs).filter((name) => /\/(site|scenes)-[^/]*\.svg$/.test(name));
  const styles = [entry("src/style/base.css"), style(home)];
  const compressed = async (names) => {
    const sizes = await Promise.all(names.map(async (name) => brotliCompressSync(await readFile(resolve(here, name))).length));
    return sizes.reduce((sum, size) => sum + size, 0) / 1000;
  };
  const parts = { HTML: [join(dist, "index.html")], JavaScript: scripts, CSS: styles, SVG: [...sheets, join(dist, "favicon.svg")], fonts };
  const sizes = await Promise.all(Object.values(parts).map(compressed));
  const texts = Object.keys(parts).map((name, index) => `${name} ${sizes[index].toFixed(1)}`);
  const total = sizes.reduce((sum, size) => sum + size, 0);
  const count = Object.values(parts).flat().length;
  console.log(`first visit of the home page: ${total.toFixed(1)} KB in ${count} files with Brotli (${texts.join(", ")})`);
}

/**
 * Return a plugin that puts the modules which the home page shares with other pages into one file.
 *
 * esbuild makes a file for every set of pages that have modules in common, so that each further page splits the first
 * load into more and smaller files, and every file has headers of its own. With this plugin all pages import all of
 * these modules: that is one set. A first build tells which modules these are.
 */
async function sharedInOneFile(options) {
  const { metafile } = await build({ ...options, minify: false, write: false, plugins: [texts, rulesTexts], logLevel: "error" });
  const { entry, needed } = outputsOf(metafile);
  const { outputs } = metafile;
  const entries = Object.values(outputs).flatMap(({ entryPoint }) => (entryPoint?.endsWith(".js") ? [resolve(here, entryPoint)] : []));
  const chunks = [...needed(entry("src/main.js")), ...needed(entry(FILES["index.html"]))].filter((name) => !outputs[name].entryPoint);
  // Packages come along with the modules that use them.
  const modules = [...new Set(chunks.flatMap((name) => Object.keys(outputs[name].inputs)))].filter((name) => name.startsWith("src/") && name.endsWith(".js"));
  const imports = modules.map((name) => `import ${JSON.stringify(resolve(here, name))};`).join("");
  return {
    name: "shared",
    setup: (hooks) =>
      hooks.onLoad({ filter: /\.js$/ }, async ({ path }) =>
        entries.includes(path) ? { contents: `${imports}${await readFile(path, "utf8")}`, loader: "jsx" } : undefined,
      ),
  };
}

const COMPRESSIBLE = /\.(js|css|svg|html)$/;

/** Write a brotli and a gzip file beside each text file; the server sends the one that a browser accepts. */
async function compress(folder) {
  for (const entry of await readdir(folder, { withFileTypes: true, recursive: true })) {
    if (!entry.isFile() || !COMPRESSIBLE.test(entry.name)) continue;
    const file = join(entry.parentPath ?? entry.path, entry.name);
    const content = await readFile(file);
    const text = { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY, [constants.BROTLI_PARAM_SIZE_HINT]: content.length };
    await writeFile(`${file}.br`, brotliCompressSync(content, { params: text }));
    await writeFile(`${file}.gz`, gzipSync(content, { level: 9 }));
  }
}

async function buildClient() {
  await rm(dist, { recursive: true, force: true });
  await mkdir(dist, { recursive: true });
  const options = {
    ...common,
    entryPoints: ["src/main.js", "src/style/base.css"],
    outdir: join(dist, "assets"),
    entryNames: "[name]-[hash]",
    chunkNames: "[name]-[hash]",
    assetNames: "[name]-[hash]",
    publicPath: "/assets",
    splitting: true,
    minify: !inWatch,
    sourcemap: inWatch ? "inline" : false,
    metafile: true,
    ...(leading ? { inject: [resolve(leading)], keepNames: true, nodePaths: [join(here, "node_modules")] } : {}),
    plugins: [texts, rulesTexts, reducedFonts, { name: "page", setup: (hooks) => hooks.onEnd((result) => result.metafile && writePages(result.metafile)) }],
  };
  if (inWatch) {
    await (await context(options)).watch();
    console.log("web/dist: watching");
    return;
  }
  // A module that tests put before the client must stay before all that is shared.
  const shared = leading ? [] : [await sharedInOneFile(options)];
  const { metafile } = await build({ ...options, plugins: [...shared, ...options.plugins] });
  if (leading) return;
  await writeServiceWorker(metafile);
  await compress(dist);
  await weigh(metafile);
}

async function buildTests() {
  await rm(join(here, "dist-tests"), { recursive: true, force: true });
  const folder = join(here, "../tests/web");
  const tests = (await readdir(folder)).filter((name) => name.endsWith(".test.js"));
  await build({
    ...common,
    entryPoints: tests.map((name) => join(folder, name)),
    outdir: "dist-tests",
    platform: "node",
    nodePaths: [join(here, "node_modules")],
    external: ["node:*"],
    plugins: [texts, rulesTexts],
  });
}

await (inTests ? buildTests() : buildClient());

// Build the client. `node build.mjs` writes web/dist with hashed file names and `--out=FOLDER` writes elsewhere.
// `--watch` rebuilds on every change. `--tests` bundles the unit tests for Node's test runner, because they use the JSX
// syntax of the client.

import { build, context } from "esbuild";
import { copyFile, mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { basename, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import { reducedFonts } from "./fonts.mjs";

const here = fileURLToPath(new URL(".", import.meta.url));
const inTests = process.argv.includes("--tests");
const inWatch = process.argv.includes("--watch");
const out = process.argv.find((argument) => argument.startsWith("--out="))?.slice("--out=".length);
const dist = out ? resolve(out) : join(here, "dist");

const common = {
  absWorkingDir: here,
  bundle: true,
  format: "esm",
  target: "es2022",
  loader: { ".js": "jsx", ".woff2": "file", ".svg": "file" },
  jsx: "automatic",
  jsxImportSource: "preact",
  logLevel: "warning",
};

/** Write index.html with the hashed names of the bundle. */
async function writePage(metafile) {
  const outputs = Object.entries(metafile.outputs);
  const entry = outputs.find(([, output]) => output.entryPoint === "src/main.js");
  if (!entry) throw new Error("the bundle has no entry");
  const [script, { cssBundle }] = entry;
  const page = (await readFile(join(here, "index.html"), "utf8"))
    .replace("{{script}}", `/assets/${basename(script)}`)
    .replace("{{style}}", `/assets/${basename(cssBundle)}`);
  await writeFile(join(dist, "index.html"), page);
  await copyFile(join(here, "favicon.svg"), join(dist, "favicon.svg"));
}

/** Print the gzipped size of the scripts: of the largest game, and of all games together. */
async function weigh(metafile) {
  const weights = new Map();
  for (const name of Object.keys(metafile.outputs).filter((each) => each.endsWith(".js"))) {
    weights.set(name, gzipSync(await readFile(join(here, name))).length);
  }
  const imported = (name, kind) => metafile.outputs[name].imports.filter((each) => each.kind === kind).map(({ path }) => path);
  const needed = (name, found = new Set()) => {
    if (found.has(name)) return found;
    found.add(name);
    for (const each of imported(name, "import-statement")) needed(each, found);
    return found;
  };
  const weight = (names) => [...names].reduce((sum, name) => sum + weights.get(name), 0) / 1000;
  const [entry] = Object.entries(metafile.outputs).find(([, output]) => output.entryPoint === "src/main.js");
  const scenes = [...needed(entry)].flatMap((name) => imported(name, "dynamic-import"));
  const games = scenes.map((scene) => weight(new Set([...needed(entry), ...needed(scene)])));
  const most = Math.max(weight(needed(entry)), ...games);
  console.log(`${out ?? "web/dist"}: ${most.toFixed(1)} KB of JavaScript for a game, gzipped; ${weight(weights.keys()).toFixed(1)} KB for all games`);
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
    entryPoints: ["src/main.js"],
    outdir: join(dist, "assets"),
    entryNames: "[name]-[hash]",
    chunkNames: "[name]-[hash]",
    assetNames: "[name]-[hash]",
    publicPath: "/assets",
    splitting: true,
    minify: !inWatch,
    sourcemap: inWatch ? "inline" : false,
    metafile: true,
    plugins: [reducedFonts, { name: "page", setup: (hooks) => hooks.onEnd((result) => result.metafile && writePage(result.metafile)) }],
  };
  if (inWatch) {
    await (await context(options)).watch();
    console.log("web/dist: watching");
    return;
  }
  const { metafile } = await build(options);
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
  });
}

await (inTests ? buildTests() : buildClient());

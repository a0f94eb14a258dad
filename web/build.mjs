// Builds the client: `node build.mjs` writes web/dist with hashed names, `--out=FOLDER` writes elsewhere; `--watch` builds
// again on every change; `--tests` bundles the unit tests, which use the same syntax as the client, for Node's test runner.

import { build, context } from "esbuild";
import { copyFile, mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { basename, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";

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

/** Write the page with the names that the bundle got. */
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

/** Say how heavy the scripts are on the wire. */
async function weigh() {
  const folder = join(dist, "assets");
  let all = 0;
  for (const name of await readdir(folder)) {
    if (name.endsWith(".js")) all += gzipSync(await readFile(join(folder, name))).length;
  }
  console.log(`${out ?? "web/dist"}: ${(all / 1000).toFixed(1)} KB of JavaScript, gzipped`);
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
    plugins: [{ name: "page", setup: (hooks) => hooks.onEnd((result) => result.metafile && writePage(result.metafile)) }],
  };
  if (inWatch) {
    await (await context(options)).watch();
    console.log("web/dist: watching");
    return;
  }
  await build(options);
  await weigh();
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

/** Puts the scripts of this project and the glue of wasm-bindgen together, each time in one minified module. */
import { readFileSync } from "node:fs";
import { basename, dirname } from "node:path";
import { elementStyle } from "./element-style.mjs";
import { ROOT, at } from "./project.mjs";

const COMMON = {
  absWorkingDir: ROOT,
  bundle: true,
  charset: "utf8",
  format: "esm",
  legalComments: "none",
  minify: true,
  target: ["es2022"],
  logLevel: "warning",
};

/** www/boot.js and the glue of the page's module, which it imports as ./pkg/checkout_web.js: the bytes of the script. */
export async function bundlePage(glue) {
  const { build } = await import("esbuild");
  const result = await build({
    ...COMMON,
    entryPoints: [at("www", "boot.js")],
    write: false,
    plugins: [{
      name: "glue",
      setup: (plugin) => plugin.onResolve({ filter: /\/checkout_web\.js$/ }, () => ({ path: glue })),
    }],
  });
  return Buffer.from(result.outputFiles[0].contents);
}

/**
 * The package's `./wasm` and the glue of its module, which is fetched when it is first needed: the text of each file by its name. `wasm` is
 * the name of the module.
 */
export async function bundleSdk(glue, wasm) {
  const { build } = await import("esbuild");
  const result = await build({
    ...COMMON,
    entryPoints: [at("clients", "checkout", "src", "wasm", "index.js")],
    outdir: "wasm",
    chunkNames: "till-[hash]",
    splitting: true,
    write: false,
    plugins: [{
      name: "glue",
      setup: (plugin) => {
        plugin.onResolve({ filter: /\/module\.js$/ }, () => ({ path: glue }));
        // One class, of which both the glue and the package's file know.
        plugin.onResolve({ filter: /\/error\.js$/ }, () => ({ path: at("checkout-web", "src", "sdk", "error.js") }));
      },
    }],
  });
  return Object.fromEntries(result.outputFiles.map(({ path, text }) => [basename(path), text.replace("checkout_web_bg.wasm", wasm)]));
}

/** A style sheet in as few letters as its meaning needs. */
async function short(css) {
  const { transform } = await import("esbuild");
  const { code } = await transform(css, { loader: "css", minify: true });
  return code.trim();
}

/** www/desk.js with what it imports: the text of a script that is no module, because only such a one knows its element. */
export async function bundleDesk() {
  const { build } = await import("esbuild");
  const result = await build({ ...COMMON, entryPoints: [at("www", "desk.js")], format: "iife", write: false });
  return Buffer.from(result.outputFiles[0].text.trim());
}

/** www/first.js, which a page carries in its head: the text of a script that is no module. */
export async function bundleFirst() {
  const { build } = await import("esbuild");
  const result = await build({ ...COMMON, entryPoints: [at("www", "first.js")], format: "iife", write: false });
  return Buffer.from(result.outputFiles[0].text.trim());
}

/**
 * A file of the package `till-checkout`, which imports the wallets of the page as ./wallet.js, or a script that imports the package: its
 * bytes. The package's `./wasm` is fetched from the folder of the script.
 */
export async function bundleCheckout(entry) {
  const { build } = await import("esbuild");
  const result = await build({
    ...COMMON,
    entryPoints: [entry],
    write: false,
    plugins: [{
      name: "package",
      setup: (plugin) => {
        plugin.onResolve({ filter: /^\.\/page-style\.js$/ }, () => ({ path: "page-style", namespace: "style" }));
        plugin.onLoad({ filter: /.*/, namespace: "style" }, async () => ({ contents: `export const rules = ${JSON.stringify(await short(elementStyle()))};` }));
        // Fetched when they are needed, from the folder of the script.
        plugin.onResolve({ filter: /^\.\/(en|ar|wasm\/index)\.js$/ }, ({ path }) => ({ path, external: true }));
        plugin.onResolve({ filter: /^\.\/wallet\.js$/ }, () => ({ path: at("www", "wallet.js") }));
        plugin.onResolve({ filter: /^till-checkout\/wasm$/ }, () => ({ path: "./wasm/index.js", external: true }));
        plugin.onResolve({ filter: /^till-checkout$/ }, () => ({ path: at("clients", "checkout", "src", "client.js") }));
      },
    }],
  });
  return Buffer.from(result.outputFiles[0].contents);
}

/**
 * edge-worker/src/entry.js and the glue of the Worker's module, which it imports as `till`.
 *
 * The glue would register every closure for finalization, although each is dropped where it ends; and it would call the
 * platform's queueMicrotask, which reports no traps (edge-worker/src/platform/microtask.js).
 */
export async function bundleWorker(glue, outfile) {
  const { build } = await import("esbuild");
  const setup = (plugin) => {
    plugin.onResolve({ filter: /^till$/ }, () => ({ path: glue, namespace: "glue" }));
    plugin.onResolve({ filter: /^till-platform$/ }, () => ({ path: at("edge-worker", "src", "platform", "platform.js") }));
    plugin.onResolve({ filter: /index_bg\.wasm$/ }, () => ({ path: "./index_bg.wasm", external: true }));
    plugin.onLoad({ filter: /.*/, namespace: "glue" }, ({ path }) => ({
      // Importing the source of a module is not known everywhere yet; here every import of one is its source.
      contents: readFileSync(path, "utf8").replace("import source ", "import "),
      resolveDir: dirname(path),
    }));
  };
  await build({
    ...COMMON,
    entryPoints: [at("edge-worker", "src", "entry.js")],
    outfile,
    define: { FinalizationRegistry: "undefined" },
    inject: [at("edge-worker", "src", "platform", "microtask.js")],
    // The glue names a module once for each function that it passes on as it is.
    logOverride: { "duplicate-object-key": "silent" },
    plugins: [{ name: "glue", setup }],
  });
}

// Bundles src/ into dist/: one binary with lazily loaded chunks, and the files it needs next to it.
import { execFile } from "node:child_process";
import { cpSync, mkdirSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, resolve } from "node:path";
import { promisify } from "node:util";
import { build } from "esbuild";
import { copyGrammars } from "./grammars.mjs";
import { writeNotices } from "./notices.mjs";

const root = resolve(import.meta.dirname, "..");
const dist = join(root, "dist");
const require = createRequire(import.meta.url);

rmSync(dist, { recursive: true, force: true });
mkdirSync(dist, { recursive: true });
const [bundled, sqlite] = await Promise.all([bundle(), vendorSqlite(), declareRunner()]);
const grammars = copyGrammars(join(dist, "grammars"));
writeNotices([...bundled, ...sqlite, ...grammars], join(dist, "THIRD-PARTY-NOTICES.txt"));

/** Returns the files that went into the bundle. */
async function bundle() {
  const { metafile } = await build({
    entryPoints: {
      pith: join(root, "src/bin/pith.ts"),
      runner: join(root, "src/runner/runner.ts"),
      supervisor: join(root, "src/supervisor/main.ts"),
      watchdog: join(root, "src/watchdog/main.ts"),
      "pattern-worker": join(root, "src/kernel/patterns/pattern-worker.ts"),
      "scan-worker": join(root, "src/workspace/grep/scan-worker.ts"),
      "record-worker": join(root, "src/index/store/record-worker.ts"),
      "parse-worker": join(root, "src/languages/parse/parse-worker.ts"),
    },
    outdir: dist,
    bundle: true,
    splitting: true,
    format: "esm",
    platform: "node",
    target: "node20.19",
    minify: true,
    legalComments: "none",
    chunkNames: "[name]-[hash]",
    // pg-native is an optional dependency of pg that is not installed.
    external: ["@vscode/ripgrep", "pg-native"],
    alias: {
      // The package's main file loads its parts in a way that bundlers cannot follow.
      "jsonc-parser": "jsonc-parser/lib/esm/main.js",
    },
    // Bundled CommonJS packages call require() for Node's built-in modules.
    banner: { js: 'import{createRequire as __cr}from"node:module";const require=__cr(import.meta.url);' },
    plugins: [{ name: "vendored-sqlite", setup: redirectSqlite }],
    metafile: true,
    logLevel: "warning",
  });
  return Object.keys(metafile.inputs);
}

/** Emits the types of `pith/runner`, the only part that programs import. */
async function declareRunner() {
  const options = [
    "--declaration",
    "--emitDeclarationOnly",
    "--noEmit",
    "false",
    "--rewriteRelativeImportExtensions",
  ];
  const args = [
    "--ignoreConfig",
    ...options,
    "--outDir",
    join(dist, "types"),
    "--rootDir",
    join(root, "src"),
  ];
  const compiler = join(root, "node_modules/.bin/tsc");
  const settings = [
    "--module",
    "nodenext",
    "--target",
    "es2023",
    "--types",
    "node",
    "--strict",
    "--skipLibCheck",
  ];
  await promisify(execFile)(compiler, [...args, ...settings, join(root, "src/runner/runner.ts")], {
    cwd: root,
  });
}

function redirectSqlite(setup) {
  setup.onResolve({ filter: /^@photostructure\/sqlite$/ }, () => ({
    path: "./vendor/sqlite/lib/index.cjs",
    external: true,
  }));
}

/**
 * The SQLite package contains prebuilt binaries and an install script that is not needed. Copying the binaries into dist/ avoids install
 * scripts on users' machines.
 */
async function vendorSqlite() {
  const home = dirname(require.resolve("@photostructure/sqlite/package.json"));
  const target = join(dist, "vendor/sqlite");
  cpSync(join(home, "prebuilds"), join(target, "prebuilds"), { recursive: true });
  const { metafile } = await build({
    entryPoints: [join(home, "dist/index.cjs")],
    outfile: join(target, "lib/index.cjs"),
    bundle: true,
    format: "cjs",
    platform: "node",
    target: "node20.19",
    minify: true,
    metafile: true,
    logLevel: "warning",
  });
  return Object.keys(metafile.inputs);
}

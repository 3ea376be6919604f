// Bundles src/ into dist/: one binary with lazily loaded chunks, and the files it needs next to it.
import { execFile } from "node:child_process";
import { cpSync, mkdirSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, resolve } from "node:path";
import { promisify } from "node:util";
import { build } from "esbuild";
import { copyGrammars } from "./grammars.mjs";
import { buildJoined } from "./join-chunks.mjs";
import { writeNotices } from "./notices.mjs";

const root = resolve(import.meta.dirname, "..");
const dist = join(root, "dist");
const require = createRequire(import.meta.url);

rmSync(dist, { recursive: true, force: true });
mkdirSync(dist, { recursive: true });
const [bundled, page, sqlite] = await Promise.all([bundle(), bundlePage(), vendorSqlite(), declareRunner()]);
const grammars = copyGrammars(join(dist, "grammars"));
writeNotices([...bundled, ...page, ...sqlite, ...grammars], join(dist, "THIRD-PARTY-NOTICES.txt"));

/** Returns the files that went into the bundle. */
function bundle() {
  return buildJoined({
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
      "@modelcontextprotocol/server/_shims": join(root, "scripts/sdk-shims.mjs"),
    },
    plugins: [{ name: "vendored-sqlite", setup: redirectSqlite }],
    logLevel: "warning",
  });
}

/** Bundles the page that `pith ui` serves: one script, one style sheet and the HTML. Returns the files that went into it. */
async function bundlePage() {
  const source = join(root, "src/page");
  const { metafile } = await build({
    entryPoints: { page: join(source, "main.tsx") },
    outdir: join(dist, "ui"),
    bundle: true,
    format: "esm",
    platform: "browser",
    target: ["chrome111", "firefox113", "safari16.4"],
    jsx: "automatic",
    jsxImportSource: "preact",
    minify: true,
    legalComments: "none",
    metafile: true,
    logLevel: "warning",
  });
  for (const name of ["index.html", "icon.svg"]) cpSync(join(source, name), join(dist, "ui", name));
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

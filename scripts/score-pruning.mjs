// Scores the built-in pruner (see docs/focus.md): node scripts/score-pruning.mjs writes test/quality/pruning.json;
// node scripts/score-pruning.mjs find PACKAGE… prints triples for test/quality/pruning/triples.json.
import { spawnSync } from "node:child_process";
import { rmSync } from "node:fs";
import { join, resolve } from "node:path";
import { build } from "esbuild";

const root = resolve(import.meta.dirname, "..");
// Beside the fixtures' own depth, so that what the sources find relative to themselves is found from here too.
const bundle = join(root, "test/quality/.pruning.bundle.mjs");
await build({
  entryPoints: [join(root, "test/quality/pruning/main.ts")],
  outfile: bundle,
  bundle: true,
  format: "esm",
  platform: "node",
  packages: "external",
  logLevel: "warning",
});
const { status } = spawnSync(process.execPath, [bundle, ...process.argv.slice(2)], {
  stdio: "inherit",
  cwd: root,
});
rmSync(bundle);
process.exit(status ?? 1);

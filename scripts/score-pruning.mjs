// Scores the built-in pruner (see docs/focus.md): node scripts/score-pruning.mjs writes test/quality/pruning.json; with a folder of clones
// (score FOLDER) the commits of public repositories too. find PACKAGE… and find-commits CLONE… print triples for
// test/quality/pruning/triples.json and commits.json.
import { spawnSync } from "node:child_process";
import { join, resolve } from "node:path";
import { withBundle } from "./bundle.mjs";

const root = resolve(import.meta.dirname, "..");
// The bundle is as deep as the fixtures' own sources, so that their relative paths hold.
const bundle = join(root, "test/quality/.pruning.bundle.mjs");
const { status } = await withBundle(join(root, "test/quality/pruning/main.ts"), bundle, (file) =>
  spawnSync(process.execPath, [file, ...process.argv.slice(2)], { stdio: "inherit", cwd: root }),
);
process.exit(status ?? 1);

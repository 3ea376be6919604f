// Scores outlines against what other programs find in real files (see docs/languages.md): node scripts/score-outlines.mjs FOLDER…, with
// --typescript FOLDER for the compiler, --missed N and --invented N to print samples.
import { spawnSync } from "node:child_process";
import { join, resolve } from "node:path";
import { withBundle } from "./bundle.mjs";

const root = resolve(import.meta.dirname, "..");
// The bundle is in dist/, next to the grammars.
const bundle = join(root, "dist", `.score-outlines-${process.pid}.mjs`);
const { status } = await withBundle(join(root, "test/quality/outlines/main.ts"), bundle, (file) =>
  spawnSync(process.execPath, [file, ...process.argv.slice(2)], { stdio: "inherit" }),
);
process.exit(status ?? 1);

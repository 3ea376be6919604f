// Scores the uses of definitions that Pith finds, compared with what the tools of the languages find: node scripts/score-uses.mjs FOLDER, with
// --only a,b for some repositories, --missed N to print wrong places. test/quality/uses/main.ts explains what FOLDER contains.
import { spawnSync } from "node:child_process";
import { join, resolve } from "node:path";
import { withBundle } from "./bundle.mjs";

const root = resolve(import.meta.dirname, "..");
// The bundle is in dist/, next to the grammars.
const bundle = join(root, "dist", `.score-uses-${process.pid}.mjs`);
const { status } = await withBundle(join(root, "test/quality/uses/main.ts"), bundle, (file) =>
  spawnSync(process.execPath, ["--max-old-space-size=6000", file, ...process.argv.slice(2)], {
    stdio: "inherit",
    env: { ...process.env, PITH_SCORE_ROOT: root },
  }),
);
process.exit(status ?? 1);

// Scores how often the definition of a name comes first, against what ctags and the languages' own parsers find:
// node scripts/score-names.mjs FOLDER…, with --names N a folder, --seed N for other names, --missed N to read misses.
import { spawnSync } from "node:child_process";
import { join, resolve } from "node:path";
import { withBundle } from "./bundle.mjs";

const root = resolve(import.meta.dirname, "..");
// In dist/, where the grammars are.
const bundle = join(root, "dist", `.score-names-${process.pid}.mjs`);
const { status } = await withBundle(join(root, "test/quality/names/main.ts"), bundle, (file) =>
  spawnSync(process.execPath, [file, ...process.argv.slice(2)], { stdio: "inherit" }),
);
process.exit(status ?? 1);
